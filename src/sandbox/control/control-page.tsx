/** @jsxImportSource hono/jsx */
/** The start page of the control plane: clock, limits, injected faults, request log, reset. */
import { changedChoices, CHOICE_KEYS } from '../choices/choices.ts'
import { linkTo } from '../http/page.tsx'
import { moveClock } from './clock-command.ts'
import { ClockForms, UNITS } from './clock-forms.tsx'
import { type ControlContext, CsrfField, numberOf, writeControlPage } from './control-layout.tsx'
import { addFormFault, FaultForm, removeFormFault } from './fault-form.tsx'
import { LimitsForms, restorePlanLimits, saveLimits, setUsed } from './limits-form.tsx'
import { RequestLog } from './request-log-table.tsx'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

type FormAction = (form: URLSearchParams, controlContext: ControlContext) => void

/** By the value of the button. Every other value is a command to the clock. */
const FORM_ACTIONS: Record<string, FormAction> = {
  advance(form, { actions: { clock } }) {
    const unit = form.get('unit') ?? ''
    if (!Object.hasOwn(UNITS, unit)) throw new Error(`unit must be one of: ${Object.keys(UNITS).join(', ')}`)
    const amount = numberOf(form, 'amount') ?? Number.NaN
    moveClock(clock, { do: 'advance', ms: amount * UNITS[unit as keyof typeof UNITS] })
  },
  set: (form, { actions: { clock } }) =>
    moveClock(clock, { do: 'set', ms: Date.parse(`${form.get('instant') ?? ''}Z`) }),
  fault: (form, { actions }) => addFormFault(form, actions),
  remove_fault: (form, { actions }) => removeFormFault(form, actions),
  clear_faults: (_, { actions }) => actions.clearFaults(),
  limits: saveLimits,
  plan_limits: restorePlanLimits,
  use_up_month: setUsed,
  use_up_minute: setUsed,
  reset_counts: setUsed,
  clear_log: (_, { actions }) => actions.clearRequestLog(),
  reset: (_, { actions }) => actions.reset(),
}

/** The part of the page to show after a form, if it is not the top. */
const SHOWN_AT: Record<string, string> = {
  fault: '#faults',
  remove_fault: '#faults',
  clear_faults: '#faults',
  limits: '#limits',
  plan_limits: '#limits',
  use_up_month: '#limits',
  use_up_minute: '#limits',
  reset_counts: '#limits',
  clear_log: '#request-log',
}

/** @returns the address to redirect to */
export function submitControlForm(form: URLSearchParams, controlContext: ControlContext): string {
  const name = form.get('do') ?? ''
  if (Object.hasOwn(FORM_ACTIONS, name)) FORM_ACTIONS[name]?.(form, controlContext)
  else moveClock(controlContext.actions.clock, { do: name })
  return `./${Object.hasOwn(SHOWN_AT, name) ? SHOWN_AT[name] : ''}`
}

export function controlPage(c: HandlerContext, controlContext: ControlContext): Answered {
  const { context, csrfToken, query } = controlContext
  return writeControlPage(
    c,
    controlContext,
    { title: 'Control plane', current: '' },
    <>
      <ClockForms context={context} csrfToken={csrfToken} />
      <div class="columns">
        <LimitsForms context={context} csrfToken={csrfToken} />
        <div class="stack">
          <FaultForm faults={context.state.faults} csrfToken={csrfToken} />
          <ChoicesAndReset c={c} controlContext={controlContext} />
        </div>
      </div>
      <RequestLog entries={context.state.request_log} query={query} csrfToken={csrfToken} />
    </>,
  )
}

const ChoicesAndReset = ({ c, controlContext }: { c: HandlerContext; controlContext: ControlContext }) => {
  const { choices } = controlContext.context
  const changed = changedChoices(choices)
  return (
    <section class="card" aria-labelledby="choices">
      <h2 id="choices">Choices</h2>
      <p>
        {changed.length === 0
          ? `All ${CHOICE_KEYS.length} choices are at their default.`
          : `${changed.length} of ${CHOICE_KEYS.length} choices are not at their default.`}{' '}
        <a href={linkTo(c, 'choices')}>Change choices</a>
      </p>
      <details>
        <summary>Reset sandbox</summary>
        <form method="post" class="form">
          <CsrfField csrfToken={controlContext.csrfToken} />
          <p class="quiet">
            To the records of the last seed, the choices of the start and the real time. Sign-ins, tokens,
            counts, faults and the log are deleted.
          </p>
          <button class="danger" name="do" value="reset">
            Reset sandbox
          </button>
        </form>
      </details>
    </section>
  )
}
