/** @jsxImportSource hono/jsx */
/** The start page of the control plane: clock, choices, injected faults, request log. */
import { CHOICES, type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { HonoContext } from '../state/context.ts'
import type { Actions } from './actions.ts'
import { moveClock } from './clock-command.ts'
import { ClockForms, UNITS } from './clock-forms.tsx'
import { type ControlContext, CsrfField, Tabs } from './control-layout.tsx'
import { FaultForm } from './fault-form.tsx'
import { RequestLog } from './request-log-table.tsx'

/** What the forms of the page do, by the value of their button; every other value is a command to the clock. */
const FORM_ACTIONS: Record<string, (form: URLSearchParams, actions: Actions) => void> = {
  advance(form, { clock }) {
    const unit = form.get('unit') ?? ''
    if (!Object.hasOwn(UNITS, unit)) throw new Error(`unit is one of: ${Object.keys(UNITS).join(', ')}`)
    moveClock(clock, { do: 'advance', ms: wholeNumber(form, 'amount') * UNITS[unit as keyof typeof UNITS] })
  },
  set: (form, { clock }) => moveClock(clock, { do: 'set', ms: Date.parse(`${form.get('instant') ?? ''}Z`) }),
  fault: (form, actions) =>
    actions.addFault({
      operation: form.get('operation'),
      kind: form.get('kind'),
      times: wholeNumber(form, 'times'),
    }),
  clear_faults: (_, actions) => actions.clearFaults(),
  clear_log: (_, actions) => actions.clearRequestLog(),
  reset: (_, actions) => actions.reset(),
}

const wholeNumber = (form: URLSearchParams, name: string): number => {
  const text = form.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** Runs the action that a form of the page names. @returns the address to redirect to */
export function submitControlForm(form: URLSearchParams, { actions }: ControlContext): string {
  const name = form.get('do') ?? ''
  if (Object.hasOwn(FORM_ACTIONS, name)) FORM_ACTIONS[name]?.(form, actions)
  else moveClock(actions.clock, { do: name })
  return './'
}

export function controlPage(c: HonoContext, controlContext: ControlContext): Response | Promise<Response> {
  const { context, csrfToken } = controlContext
  return writePage(
    c,
    { title: 'Control' },
    <>
      <h1>Control</h1>
      <Tabs c={c} current="" />
      <ClockForms context={context} csrfToken={csrfToken} />
      <div class="columns">
        <ChangedChoices c={c} controlContext={controlContext} />
        <FaultForm faults={context.state.faults} csrfToken={csrfToken} />
      </div>
      <RequestLog entries={context.state.request_log} csrfToken={csrfToken} />
    </>,
  )
}

const ChangedChoices = ({ c, controlContext }: { c: HonoContext; controlContext: ControlContext }) => {
  const { choices } = controlContext.context
  const keys = Object.keys(CHOICES) as (keyof Choices)[]
  const changed = keys.filter((key) => choices[key] !== DEFAULT_CHOICES[key])
  return (
    <section class="card" aria-labelledby="choices">
      <h2 id="choices">Choices</h2>
      <p>
        {changed.length === 0
          ? `All ${keys.length} choices are at their default.`
          : `${changed.length} of ${keys.length} choices are not at their default.`}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map((key) => (
            <li key={key}>
              <a href={linkTo(c, `choices#${key}`)}>U{CHOICES[key].number}</a> <code>{key}</code>:{' '}
              <code>{choices[key]}</code>
            </li>
          ))}
        </ul>
      )}
      <form method="post" class="row">
        <CsrfField csrfToken={controlContext.csrfToken} />
        <button name="do" value="reset">
          Reset sandbox
        </button>
        <span class="quiet">
          To the records of the last seed, the choices of the start and the real time; the history is deleted.
        </span>
      </form>
    </section>
  )
}
