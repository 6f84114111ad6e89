/** The actions of the control plane as a table: each is a JSON route, a method, and a form of the page. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import { PLANS } from '../../contract/plan.ts'
import { CHOICES_SCHEMA, parseChoices } from '../choices/choices.ts'
import { monthOf } from '../limits/month.ts'
import type { Clock, Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { accessTokenEndsAt } from '../state/issued.ts'
import { parse, whole } from '../state/parse.ts'
import { LIMIT_CHANGES, type SandboxState } from '../state/state.ts'
import { differencesFrom, EXPECTATIONS, FILTER, filterLog } from './ledger.ts'
import * as mint from './mint.ts'
import { PRESET, PRESETS, setUsage, USAGE, usageFor, usageOf } from './usage.ts'

export interface ActionParts {
  clock: Clock
  /** Replaces the whole state, time and choices included. */
  restore: (state: unknown) => void
  /** Goes back to the records of the last seed, the choices of the start, and the real time. */
  reset: () => void
  /** Resets to other records. The first seed fills in the missing ones, so `{}` goes back to that seed. */
  seed: (seed: unknown) => void
  /** Absent if this sandbox cannot open others. */
  openWorld?: ((reachedAs: string) => { url: string; control_url: string }) | undefined
  /** The host name under which the client reached the control plane. */
  reachedAs: string
}

export interface Action<Result = unknown> {
  /** Method and path of its route. */
  at: `${string} /${string}`
  summary: string
  /** The schema of a body, or of the query of a GET. */
  body?: v.GenericSchema
  /** Makes its whole change or none. `undefined` is answered 204. @throws Error that names what is wrong */
  run: (context: Context, value: unknown, parts: ActionParts) => Result
}

const action = <Result>(
  at: Action['at'],
  summary: string,
  run: Action<Result>['run'],
  body?: v.GenericSchema,
): Action<Result> => ({ at, summary, run, ...(body && { body }) })

/** An action that takes a value, which is parsed before. */
const taking = <Body extends v.GenericSchema, Result>(
  at: Action['at'],
  summary: string,
  body: Body,
  run: (context: Context, value: v.InferOutput<Body>, parts: ActionParts) => Result,
) => action(at, summary, (context, value, parts) => run(context, parse(body, value, 'body'), parts), body)

/** An action that takes changes by organization id. */
function byOrganization<Change extends v.GenericSchema>(
  at: Action['at'],
  summary: string,
  change: Change,
  run: (context: Context, changes: Record<string, v.InferOutput<Change>>) => void,
) {
  const body = v.record(v.string(), change)
  const checked = (context: Context, value: unknown) => {
    const changes = parse(body, value, 'body')
    for (const id of Object.keys(value as object))
      if (!context.state.organizations.some((known) => String(known.id) === id))
        throw new Error(`${id}: There is no such organization`)
    run(context, changes)
  }
  return action(at, summary, checked, body)
}

const copyOf =
  <Key extends keyof SandboxState>(key: Key) =>
  ({ state }: Context): SandboxState[Key] =>
    structuredClone(state[key])

const PLAN = v.picklist(Object.values(PLANS).map(({ name }) => name))
const ANY_OBJECT = v.looseObject({})

/** For example `{ "do": "advance", "ms": 1000 }`. */
const CLOCK_COMMAND = v.variant('do', [
  v.strictObject({ do: v.picklist(['advance', 'set']), ms: whole() }),
  v.strictObject({ do: v.picklist(['freeze', 'run', 'to_next_minute', 'to_token_end', 'to_month_end']) }),
])

export const ACTIONS = {
  choices: action('GET /profile', 'The chosen values', copyOf('choices')),
  changeChoices: action(
    'PATCH /profile',
    'Changes choices, from the next request on',
    ({ state }, changes) => structuredClone((state.choices = parseChoices(changes, state.choices))),
    v.partial(CHOICES_SCHEMA),
  ),
  clock: action('GET /clock', 'The time of the sandbox', clockState),
  moveClock: taking('POST /clock', 'Moves, freezes or runs the clock', CLOCK_COMMAND, moveClock),
  requestLog: taking(
    'GET /ledger',
    'The request log with masked secrets, oldest first',
    v.optional(FILTER, {}),
    ({ state }, filter) => structuredClone(filterLog(state.request_log, filter)),
  ),
  clearRequestLog: action('DELETE /ledger', 'Clears the request log', ({ state }) => {
    state.request_log = []
  }),
  verify: taking(
    'POST /verify',
    'Compares the request log with expectations; 409 names the differences',
    EXPECTATIONS,
    ({ state }, expectations) => ({ differences: differencesFrom(state.request_log, expectations) }),
  ),
  faults: action('GET /faults', 'The faults that are set', copyOf('faults')),
  addFault: taking('POST /faults', 'Makes the next requests fail', FAULT, ({ state }, fault) => {
    state.faults.push(fault)
  }),
  clearFaults: action('DELETE /faults', 'Clears all faults', ({ state }) => {
    state.faults = []
  }),
  limits: action('GET /limits', 'The limits that differ from those of the plan', copyOf('limits')),
  changeLimits: byOrganization('PUT /limits', 'Replaces these limits', LIMIT_CHANGES, ({ state }, limits) => {
    state.limits = limits
  }),
  changePlans: byOrganization(
    'PATCH /plans',
    'Changes plans; counts and credentials stay',
    PLAN,
    changePlans,
  ),
  usage: action('GET /usage', 'The requests used in the month and in the open minute', usageOf),
  changeUsage: byOrganization('PATCH /usage', 'Sets these counts', USAGE, setUsage),
  presets: action('GET /presets', 'The named beginnings', () => PRESETS),
  applyPreset: taking('POST /presets', 'Sets what a preset lists', PRESET, (context, { name }) => {
    const { choices, faults, used } = PRESETS[name]
    if (choices) context.state.choices = { ...context.state.choices, ...choices }
    if (faults) context.state.faults = structuredClone([...faults])
    if (used) setUsage(context, usageFor(context, used))
  }),
  tokens: action('GET /tokens', 'The state of each code and token, without its value', mint.tokenStates),
  issueTokens: taking('POST /tokens', 'Issues tokens as the code grant would', mint.PERMISSION, mint.tokens),
  issueCode: taking('POST /codes', 'Issues a code for an exchange', mint.PERMISSION, mint.code),
  issueKey: taking('POST /api-keys', 'Issues an API key, also beyond the maximum', mint.NEW_KEY, mint.key),
  registerApplication: taking(
    'POST /applications',
    'Registers an application, also beyond the maximum',
    mint.NEW_APPLICATION,
    mint.application,
  ),
  snapshot: action('GET /snapshot', 'The whole state, with its secrets', ({ state }) =>
    structuredClone(state),
  ),
  restore: action(
    'POST /restore',
    'Replaces the state by a snapshot',
    (_, state, { restore }) => restore(state),
    ANY_OBJECT,
  ),
  seed: action(
    'POST /seed',
    'Resets to other records; the first seed fills in missing ones',
    (_, records, { seed }) => seed(records),
    ANY_OBJECT,
  ),
  openWorld: action(
    'POST /worlds',
    'Opens an isolated copy of the last seed, with its own clock, choices, faults and log',
    (_, __, { openWorld, reachedAs }) => {
      if (openWorld === undefined) throw new Error('This sandbox opens no worlds')
      return openWorld(reachedAs)
    },
  ),
  reset: action('POST /reset', 'Resets to the last seed and the first choices', (_, __, { reset }) =>
    reset(),
  ),
}

function changePlans({ state }: Context, plans: Record<string, v.InferOutput<typeof PLAN>>): void {
  for (const one of state.organizations) one.plan = plans[one.id] ?? one.plan
}

/** The time is in UNIX milliseconds and by RFC 3339. */
export function clockState({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>) {
  const { frozen_at_ms, offset_ms } = state.clock
  return { now_ms: nowMs, now: new Date(nowMs).toISOString(), frozen: frozen_at_ms !== undefined, offset_ms }
}

function moveClock(
  context: Context,
  command: v.InferOutput<typeof CLOCK_COMMAND>,
  { clock }: ActionParts,
): ReturnType<typeof clockState> {
  if ('ms' in command) clock[command.do](command.ms)
  else if (command.do === 'freeze' || command.do === 'run') clock[command.do]()
  else {
    const next = TARGETS[command.do](context).filter((ms) => ms > context.nowMs)
    if (next.length > 0) clock.set(next.reduce((one, other) => Math.min(one, other)))
  }
  return clockState({ state: context.state, nowMs: clock.nowMs() })
}

/** In UNIX milliseconds; the clock moves to the next of them. */
const TARGETS = {
  /** The resets of open windows; if none is open, a minute from now (2.2). */
  to_next_minute({ state, nowMs }: Context) {
    const both = Object.values(state.windows).flatMap(({ read, update }) => [read, update])
    const resets = both.map((window) => (window?.reset_at_seconds ?? 0) * SECOND_MS)
    return resets.some((ms) => ms > nowMs) ? resets : [(Math.floor(nowMs / SECOND_MS) + 60) * SECOND_MS]
  },
  /** The ends of tokens that are active (5.4.2). */
  to_token_end: (context: Context) =>
    Object.values(context.state.access_tokens).map((token) => accessTokenEndsAt(context, token)),
  to_month_end: (context: Context) =>
    context.state.organizations.map((organization) => monthOf(context, organization).ends_at_ms),
}
