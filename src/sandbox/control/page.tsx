/** @jsxImportSource hono/jsx */
/** The page of the control plane: each form is that of an action, drawn from its schema. */
import type { Child } from 'hono/jsx'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/duration.ts'
import { PLANS } from '../../contract/plan.ts'
import { CHOICE_GROUPS, changedChoices } from '../choices/choices.ts'
import type { Answered, HandlerContext } from '../http/handler.ts'
import { writePage } from '../http/page.tsx'
import { limitsOf } from '../limits/month.ts'
import type { Context } from '../state/context.ts'
import { FAULT_KINDS } from '../state/injected-fault.ts'
import type { SandboxState } from '../state/state.ts'
import { type ActionForm, Form } from './form.tsx'
import { clockState } from './routes.ts'
import { PRESETS, usageOf } from './usage.ts'

interface Section {
  title: string
  mark?: string | number
  content: Child
  forms: ActionForm[]
}

/** @param csrfToken in every form: without it another site could send them */
export function controlPage(c: HandlerContext, context: Context, csrfToken: string): Answered {
  const sections = [clock, organizations, faults, choices, log].flatMap((section) => section(context))
  return writePage(
    c,
    { title: 'Control plane', links: appLinks(context) },
    <div class="wide">
      <h1>Control plane</h1>
      {sections.map(({ title, mark, content, forms }) => (
        <section key={title}>
          <h2>
            {title} {mark !== undefined && <mark>{mark}</mark>}
          </h2>
          {content}
          {forms.map((form) => (
            <Form key={form.summary ?? form.name} csrfToken={csrfToken} form={form} />
          ))}
        </section>
      ))}
    </div>,
  )
}

const appLinks = ({ state }: Context) =>
  state.applications
    .filter(({ redirect_uri }) => redirect_uri.endsWith(CALLBACK_PATH))
    .map(({ name, redirect_uri }) => ({
      text: `Open ${name}`,
      href: `${redirect_uri.slice(0, -CALLBACK_PATH.length)}/`,
    }))

const MOVES: [label: string, command: object][] = [
  ['To the next minute', { do: 'to_next_minute' }],
  ["To the token's end", { do: 'to_token_end' }],
  ["To the month's end", { do: 'to_month_end' }],
  ['+ 1 minute', { do: 'advance', ms: MINUTE_MS }],
  ['+ 1 hour', { do: 'advance', ms: HOUR_MS }],
  ['+ 1 day', { do: 'advance', ms: DAY_MS }],
]

function clock(context: Context): Section {
  const { now, frozen } = clockState(context)
  const presets = Object.entries(PRESETS).map(([name, { means }]) => [name, { name }, means] as const)
  return {
    title: 'Clock',
    mark: frozen ? 'frozen' : 'running',
    content: (
      <time datetime={now}>
        <span class="digits">{now.slice(11, 19)}</span> UTC, {now.slice(0, 10)}
      </time>
    ),
    forms: [
      {
        name: 'moveClock',
        buttons: [...MOVES, frozen ? ['Run', { do: 'run' }] : ['Freeze', { do: 'freeze' }]],
      },
      { name: 'applyPreset', buttons: presets },
      { name: 'reset', buttons: [['Reset sandbox']] },
    ],
  }
}

function organizations(context: Context): Section[] {
  const usage = usageOf(context)
  return context.state.organizations.map((organization) => {
    const { id, name, plan } = organization
    const limits = limitsOf(context, organization)
    const used = usage[id] ?? {}
    return {
      title: `${name} (${id})`,
      mark: plan,
      content: (
        <p>
          Month: {used.month} of {limits.per_month ?? 'any number'}; this minute: {used.read} of{' '}
          {limits.read_per_minute} reads, {used.update} of {limits.update_per_minute} updates
        </p>
      ),
      forms: organizationForms(id, context.state.limits),
    }
  })
}

const organizationForms = (id: number, limits: SandboxState['limits']): ActionForm[] => [
  {
    name: 'changePlans',
    buttons: Object.values(PLANS).map(({ name }) => [`To ${name}`, { [id]: name }]),
  },
  {
    summary: 'Change counts',
    name: 'changeUsage',
    member: id,
    values: {},
    buttons: [['Set counts']],
  },
  {
    summary: 'Change limits',
    name: 'changeLimits',
    body: limits,
    member: id,
    values: limits[id] ?? {},
    buttons: [['Set limits']],
  },
]

const faults = ({ state }: Context): Section => ({
  title: 'Faults',
  mark: state.faults.length,
  content: state.faults.map(({ operation, kind, times, ...more }) => (
    <p key={`${operation} ${kind}`}>
      <strong>
        {times} × {kind}
      </strong>{' '}
      at {operation}: {FAULT_KINDS[kind]} {Object.keys(more).length > 0 && JSON.stringify(more)}
    </p>
  )),
  forms: [
    { name: 'addFault', values: {}, buttons: [['Add fault']] },
    { name: 'clearFaults', buttons: [['Clear faults']] },
  ],
})

function choices({ choices: chosen }: Context): Section {
  const changed = changedChoices(chosen)
  return {
    title: 'Choices',
    mark: `${changed.length} changed`,
    content: <p>{changed.map((key) => `${key}: ${chosen[key]}`).join(', ')}</p>,
    forms: Object.entries(CHOICE_GROUPS).map(([summary, entries]) => ({
      summary,
      name: 'changeChoices',
      only: Object.keys(entries),
      values: chosen,
      buttons: [['Save choices']],
    })),
  }
}

/** The newest hundred. */
const log = ({ state }: Context): Section => ({
  title: 'Request log',
  content: (
    <table>
      <tr>
        {['Number', 'Time', 'Request', 'Answer', 'Cost', 'Credential', 'Verdicts'].map((name) => (
          <th key={name}>{name}</th>
        ))}
      </tr>
      {state.request_log
        .slice(-100)
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
  ),
  forms: [{ name: 'clearRequestLog', buttons: [['Clear log']] }],
})
