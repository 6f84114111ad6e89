/** @jsxImportSource hono/jsx */
/** The page of the control plane: each form is that of a JSON route, drawn from its schema. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/duration.ts'
import { PLANS } from '../../contract/plan.ts'
import { changedChoices, CHOICE_GROUPS } from '../choices/choices.ts'
import type { Answered, HandlerContext } from '../http/handler.ts'
import { writePage } from '../http/page.tsx'
import { limitsOf } from '../limits/month.ts'
import type { Context } from '../state/context.ts'
import { FAULT, FAULT_KINDS } from '../state/injected-fault.ts'
import { LIMIT_CHANGES } from '../state/state.ts'
import { clockState } from './clock.ts'
import { Fields, Press, RouteForm } from './form.tsx'
import { PRESETS, type Usage, USAGE, usageOf } from './usage.ts'

interface PageProps {
  context: Context
  /** In every form: without it another site could send them. */
  csrfToken: string
}

export function controlPage(c: HandlerContext, props: PageProps): Answered {
  const usage = usageOf(props.context) as Record<number, Usage>
  return writePage(
    c,
    { title: 'Control plane', links: appLinks(props.context) },
    <div class="wide">
      <h1>Control plane</h1>
      <Clock {...props} />
      {props.context.state.organizations.map((organization) => (
        <Organization
          key={organization.id}
          {...props}
          organization={organization}
          used={usage[organization.id] as Usage}
        />
      ))}
      <Faults {...props} />
      <Choices {...props} />
      <Log {...props} />
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

const MOVES: readonly [text: string, command: object][] = [
  ['To the next minute', { do: 'to_next_minute' }],
  ["To the token's end", { do: 'to_token_end' }],
  ["To the month's end", { do: 'to_month_end' }],
  ['+ 1 minute', { do: 'advance', ms: MINUTE_MS }],
  ['+ 1 hour', { do: 'advance', ms: HOUR_MS }],
  ['+ 1 day', { do: 'advance', ms: DAY_MS }],
]

const Clock = ({ context, csrfToken }: PageProps) => {
  const { now, frozen } = clockState(context)
  return (
    <section>
      <h2>
        Clock <mark>{frozen ? 'frozen' : 'running'}</mark>
      </h2>
      <time datetime={now}>
        <span class="digits">{now.slice(11, 19)}</span> UTC, {now.slice(0, 10)}
      </time>
      <RouteForm csrfToken={csrfToken} route="POST /clock">
        {MOVES.map(([text, command]) => (
          <Press key={text} body={command}>
            {text}
          </Press>
        ))}
        <Press body={{ do: frozen ? 'run' : 'freeze' }}>{frozen ? 'Run' : 'Freeze'}</Press>
      </RouteForm>
      <RouteForm csrfToken={csrfToken} route="POST /presets">
        {Object.entries(PRESETS).map(([name, { means }]) => (
          <Press key={name} body={{ name }}>
            <span title={means}>{name}</span>
          </Press>
        ))}
      </RouteForm>
      <RouteForm csrfToken={csrfToken} route="POST /reset">
        <button class="danger">Reset sandbox</button>
      </RouteForm>
    </section>
  )
}

interface OrganizationProps extends PageProps {
  organization: Context['state']['organizations'][number]
  used: Usage
}

const Organization = ({ context, csrfToken, organization, used }: OrganizationProps) => {
  const { id, name, plan } = organization
  const limits = limitsOf(context, organization)
  const changed = context.state.limits
  return (
    <section>
      <h2>
        {name} <code>{id}</code>
      </h2>
      <p>
        Month: {used.month} of {limits.per_month ?? 'any number'}; this minute: {used.read} of{' '}
        {limits.read_per_minute} reads, {used.update} of {limits.update_per_minute} updates
      </p>
      <RouteForm csrfToken={csrfToken} route="PATCH /plans">
        {Object.values(PLANS).map((one) => (
          <Press key={one.name} body={{ [id]: one.name }}>
            {one.name} {one.name === plan && <mark>now</mark>}
          </Press>
        ))}
      </RouteForm>
      <details>
        <summary>Change limits and counts</summary>
        <RouteForm csrfToken={csrfToken} route="PATCH /usage" member={id}>
          <Fields entries={USAGE.entries} values={used} />
          <button>Set counts</button>
        </RouteForm>
        <RouteForm csrfToken={csrfToken} route="PUT /limits" member={id} body={changed}>
          <Fields entries={LIMIT_CHANGES.entries} values={changed[id] ?? {}} />
          <button>Set limits</button>
        </RouteForm>
      </details>
    </section>
  )
}

const Faults = ({ context: { state }, csrfToken }: PageProps) => (
  <section>
    <h2>Faults</h2>
    {state.faults.length === 0 && <p class="quiet">No fault is set: every request is answered.</p>}
    {state.faults.map(({ operation, kind, times, ...more }) => (
      <p key={`${operation} ${kind}`}>
        <strong>
          {times} × {kind}
        </strong>{' '}
        at {operation}: {FAULT_KINDS[kind]} {Object.keys(more).length > 0 && JSON.stringify(more)}
      </p>
    ))}
    <RouteForm csrfToken={csrfToken} route="POST /faults">
      <Fields entries={FAULT.entries} />
      <button>Add fault</button>
    </RouteForm>
    <RouteForm csrfToken={csrfToken} route="DELETE /faults">
      <button>Clear faults</button>
    </RouteForm>
  </section>
)

const Choices = ({ context: { choices }, csrfToken }: PageProps) => {
  const changed = changedChoices(choices)
  return (
    <section>
      <h2>
        Choices <mark>{changed.length} changed</mark>
      </h2>
      <p class="quiet">{changed.map((key) => `${key}: ${choices[key]}`).join(', ')}</p>
      {CHOICE_GROUPS.map(({ name, entries }) => (
        <details key={name}>
          <summary>{name}</summary>
          <RouteForm csrfToken={csrfToken} route="PATCH /profile">
            <Fields entries={entries} values={choices} />
            <button>Save choices</button>
          </RouteForm>
        </details>
      ))}
    </section>
  )
}

const MOST_SHOWN = 100

/** Newest first. */
const Log = ({ context, csrfToken }: PageProps) => (
  <section>
    <h2>Request log</h2>
    <table>
      {context.state.request_log
        .slice(-MOST_SHOWN)
        .toReversed()
        .map(({ number, at_ms, method, path, status, rule, cost, credential, verdict, verdicts }) => (
          <tr key={number}>
            <td>{number}</td>
            <td>{new Date(at_ms).toISOString().slice(11, 19)}</td>
            <td>
              {method} <code>{path}</code>
            </td>
            <td>
              {status ?? 'no answer'} {rule}
            </td>
            <td>{[cost.minute, cost.month > 0 && 'month'].filter(Boolean).join(', ')}</td>
            <td>{credential}</td>
            <td class="error">{(verdicts ?? [verdict]).join(', ')}</td>
          </tr>
        ))}
    </table>
    <RouteForm csrfToken={csrfToken} route="DELETE /ledger">
      <button>Clear log</button>
    </RouteForm>
  </section>
)
