/** @jsxImportSource hono/jsx */
/** The page of the control plane. Its forms are drawn from the schemas of the JSON routes. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/duration.ts'
import { DEFAULT_CHOICES } from '../choices/choices.ts'
import type { Answered, HandlerContext } from '../http/handler.ts'
import { writePage } from '../http/page.tsx'
import type { Context } from '../state/context.ts'
import { FAULT, FAULT_KINDS } from '../state/injected-fault.ts'
import { LIMIT_CHANGES } from '../state/state.ts'
import type { Actions } from './actions.ts'
import { clockState, moveClock } from './clock.ts'
import { ChoiceCard } from './choice-card.tsx'
import { ActionForm, readForm, SchemaForm } from './form.tsx'
import { LogTable } from './log-table.tsx'
import { OrganizationCard } from './organization-card.tsx'
import { PRESETS } from './presets.ts'
import { USAGE } from './usage.ts'

export interface ControlContext {
  actions: Actions
  context: Context
  /** In every form: without it another site could send them. */
  csrfToken: string
}

const organizationOf = (form: URLSearchParams) => form.get('organization_id') ?? ''

type FormAction = (form: URLSearchParams, actions: Actions) => void

/** By the value of the button. Every other value is a command to the clock, such as `advance 60000`. */
const FORM_ACTIONS: Record<string, FormAction> = {
  fault: (form, actions) => actions.addFault(readForm(FAULT.entries, form)),
  clear_faults: (_, actions) => actions.clearFaults(),
  limits: (form, actions) =>
    actions.changeLimits({
      ...actions.limits(),
      [organizationOf(form)]: readForm(LIMIT_CHANGES.entries, form),
    }),
  usage: (form, actions) => actions.changeUsage({ [organizationOf(form)]: readForm(USAGE.entries, form) }),
  plan: (form, actions) => actions.changePlans({ [organizationOf(form)]: form.get('plan') }),
  choice: (form, actions) => {
    actions.changeChoices({ [form.get('choice') ?? '']: form.get('value') })
  },
  default_choices: (_, actions) => {
    actions.changeChoices(DEFAULT_CHOICES)
  },
  preset: (form, actions) => actions.applyPreset(form.get('preset')),
  clear_log: (_, actions) => actions.clearRequestLog(),
  reset: (_, actions) => actions.reset(),
}

/** @returns the address to redirect to */
export function submitControlForm(form: URLSearchParams, { actions }: ControlContext): string {
  // The button of a choice's value sends the value, so the form names its action.
  const name = form.get('choice') === null ? (form.get('do') ?? '') : 'choice'
  const act = Object.hasOwn(FORM_ACTIONS, name) ? FORM_ACTIONS[name] : undefined
  if (act) act(form, actions)
  else {
    const [command = '', ms] = name.split(' ')
    moveClock(actions.clock, { do: command, ...(ms !== undefined && { ms: Number(ms) }) })
  }
  return name === 'choice' ? `./?open=${form.get('choice')}#${form.get('choice')}` : './'
}

export function controlPage(c: HandlerContext, control: ControlContext): Answered {
  const open = new URL(c.req.url).searchParams.get('open') ?? ''
  const usage = control.actions.usage()
  return writePage(
    c,
    { title: 'Control plane', links: appLinks(control.context) },
    <div class="wide form">
      <h1>Control plane</h1>
      <div class="columns">
        <div>
          <ClockCard {...control} />
          <FaultCard {...control} />
          <ResetCard {...control} />
        </div>
        <div>
          {control.context.state.organizations.map((organization) => (
            <OrganizationCard
              key={organization.id}
              context={control.context}
              csrfToken={control.csrfToken}
              organization={organization}
              used={usage[organization.id] ?? { month: 0, read: 0, update: 0 }}
            />
          ))}
        </div>
      </div>
      <ChoiceCard choices={control.context.choices} csrfToken={control.csrfToken} open={open} />
      <section>
        <h2>Request log</h2>
        <LogTable entries={control.context.state.request_log} />
        <ActionForm csrfToken={control.csrfToken}>
          <button name="do" value="clear_log">
            Clear log
          </button>
        </ActionForm>
      </section>
    </div>,
  )
}

/** Links to each app whose redirect URI is that of Plimsoll. */
const appLinks = ({ state }: Pick<Context, 'state'>) =>
  state.applications
    .filter(({ redirect_uri: uri }) => /^https?:/i.test(uri) && uri.endsWith(CALLBACK_PATH))
    .map(({ name, redirect_uri }) => ({
      text: `Open ${name}`,
      href: `${redirect_uri.slice(0, -CALLBACK_PATH.length)}/`,
    }))

const MOVES: readonly [command: string, text: string][] = [
  ['to_next_minute', 'To the next minute'],
  ['to_token_end', "To the token's end"],
  ['to_month_end', "To the month's end"],
  [`advance ${MINUTE_MS}`, '+ 1 minute'],
  [`advance ${HOUR_MS}`, '+ 1 hour'],
  [`advance ${DAY_MS}`, '+ 1 day'],
]

const ClockCard = ({ context, csrfToken }: ControlContext) => {
  const { now, frozen } = clockState(context)
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(context.nowMs)
  return (
    <section>
      <h2>
        Clock <mark>{frozen ? 'frozen' : 'running'}</mark>
      </h2>
      <time datetime={now}>
        <span class="digits">{now.slice(11, 19)}</span> UTC, {date}
      </time>
      <ActionForm csrfToken={csrfToken}>
        {[...MOVES, frozen ? ['run', 'Run'] : ['freeze', 'Freeze']].map(([command, text]) => (
          <button key={command} name="do" value={command}>
            {text}
          </button>
        ))}
      </ActionForm>
    </section>
  )
}

const FaultCard = ({ context, csrfToken }: ControlContext) => (
  <section>
    <h2>Faults</h2>
    {context.state.faults.length === 0 ? (
      <p class="quiet">No fault is set: every request is answered.</p>
    ) : (
      <ActionForm csrfToken={csrfToken}>
        <ul>
          {context.state.faults.map(({ operation, kind, times, ...more }) => (
            <li key={`${operation} ${kind}`}>
              <strong>
                {times} × {kind}
              </strong>{' '}
              at {operation}: {FAULT_KINDS[kind]}{' '}
              {Object.keys(more).length > 0 && <code>{JSON.stringify(more)}</code>}
            </li>
          ))}
        </ul>
        <button name="do" value="clear_faults">
          Clear faults
        </button>
      </ActionForm>
    )}
    <SchemaForm csrfToken={csrfToken} action="fault" button="Add fault" entries={FAULT.entries} />
  </section>
)

const ResetCard = ({ csrfToken }: ControlContext) => (
  <section>
    <h2>Beginnings</h2>
    <ActionForm csrfToken={csrfToken} fields={{ do: 'preset' }}>
      {Object.entries(PRESETS).map(([name, { means }]) => (
        <button key={name} name="preset" value={name} title={means}>
          {name}
        </button>
      ))}
    </ActionForm>
    <details>
      <summary>Reset sandbox</summary>
      <ActionForm csrfToken={csrfToken}>
        <p class="quiet">
          To the records of the last seed, the choices of the start and the real time. Sign-ins, tokens,
          counts, faults and the log are deleted.
        </p>
        <button class="danger" name="do" value="reset">
          Reset sandbox
        </button>
      </ActionForm>
    </details>
  </section>
)
