/** The actions of the control plane, as plain methods, and the commands for its clock. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import { PLANS } from '../../contract/plan.ts'
import { parseChoices } from '../choices/choices.ts'
import { monthOf } from '../limits/month.ts'
import type { Clock } from '../state/clock.ts'
import type { Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { accessTokenEndsAt } from '../state/lifetime.ts'
import { parse, whole } from '../state/parse.ts'
import { LIMIT_CHANGES, type SandboxState } from '../state/state.ts'
import { PRESET, PRESETS, setUsage, USAGE_CHANGES, usageFor, usageOf } from './usage.ts'

/** By organization id. */
export const LIMITS = v.record(v.string(), LIMIT_CHANGES)
export const PLAN_CHANGES = v.record(v.string(), v.picklist(Object.values(PLANS).map(({ name }) => name)))

export interface ActionParts extends ClockParts {
  changed: () => void
  /** Replaces the whole state, time and choices included. */
  restore: (state: unknown) => void
  /** Goes back to the records of the last seed, the choices of the start, and the real time. */
  reset: () => void
  /** Resets to other records. The first seed fills in the missing ones, so `{}` goes back to that seed. */
  seed: (seed: unknown) => void
}

/** Arguments that are not valid throw an Error with the reason, and nothing changes. */
export type Actions = ReturnType<typeof createActions>

export function createActions(parts: ActionParts) {
  const { changed, clock, context } = parts
  const changing =
    <Values extends unknown[], Result>(act: (...values: Values) => Result) =>
    (...values: Values): Result => {
      const result = act(...values)
      changed()
      return result
    }
  const changes = createChanges(parts)
  const copy = <Key extends keyof SandboxState>(key: Key) => structuredClone(context().state[key])
  return {
    nowMs: clock.nowMs,
    clock: () => clockState(context()),
    moveClock: changing(createMoves(parts)),
    restore: changing(parts.restore),
    reset: changing(parts.reset),
    seed: changing(parts.seed),
    choices: () => copy('choices'),
    changeChoices: changing(changes.choices),
    requestLog: () => copy('request_log'),
    clearRequestLog: changing(() => void (context().state.request_log = [])),
    faults: () => copy('faults'),
    addFault: changing(changes.fault),
    clearFaults: changing(() => void (context().state.faults = [])),
    limits: () => copy('limits'),
    changeLimits: changing(changes.limits),
    changePlans: changing(changes.plans),
    /** Counted requests of the month and of the open minute, by organization id. */
    usage: () => usageOf(context()),
    changeUsage: changing(changes.usage),
    snapshot: () => structuredClone(context().state),
    applyPreset: changing(changes.preset),
  }
}

function createChanges({ context }: ActionParts) {
  const state = () => context().state
  const choices = (changes: unknown) => {
    state().choices = parseChoices(changes, state().choices)
    return structuredClone(state().choices)
  }
  const fault = (wanted: unknown) => void state().faults.push(parse(FAULT, wanted, 'fault'))
  const usage = (counts: unknown) => setUsage(context(), byOrganization(state(), USAGE_CHANGES, counts))
  return {
    choices,
    fault,
    usage,
    /** Replaces all limits that differ from those of the plan (8). */
    limits: (limits: unknown) => void (state().limits = byOrganization(state(), LIMITS, limits)),
    /** Limits change at once, counts and credentials stay. */
    plans: (changes: unknown) => {
      const plans = byOrganization(state(), PLAN_CHANGES, changes)
      for (const one of state().organizations) one.plan = plans[one.id] ?? one.plan
    },
    /** Sets what a preset lists, and nothing else. */
    preset: (wanted: unknown) => {
      const preset = PRESETS[parse(PRESET, wanted, 'preset').name]
      if (preset.choices) choices(preset.choices)
      if (preset.faults) state().faults = structuredClone([...preset.faults])
      if (preset.used) usage(usageFor(context(), preset.used))
    },
  }
}

function byOrganization<Schema extends v.GenericSchema<unknown, object>>(
  { organizations }: Context['state'],
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const record = parse(schema, value, 'organizations')
  for (const id of Object.keys(value as object))
    if (!organizations.some((known) => String(known.id) === id))
      throw new Error(`${id}: There is no such organization`)
  return record
}

/** For example `{ "do": "advance", "ms": 1000 }`. */
export const CLOCK_COMMAND = v.variant('do', [
  v.strictObject({ do: v.picklist(['advance', 'set']), ms: whole() }),
  v.strictObject({ do: v.picklist(['freeze', 'run', 'to_next_minute', 'to_token_end', 'to_month_end']) }),
])

export type ClockCommand = v.InferOutput<typeof CLOCK_COMMAND>

/** The time is in UNIX milliseconds and by RFC 3339. */
export const clockState = ({ state, nowMs }: Context) => ({
  now_ms: nowMs,
  now: new Date(nowMs).toISOString(),
  frozen: state.clock.frozen_at_ms !== undefined,
  offset_ms: state.clock.offset_ms,
})

interface ClockParts {
  context: () => Context
  clock: Clock
}

const TARGETS = { to_next_minute: nextMinute, to_token_end: nextTokenEnd, to_month_end: nextMonthEnd }

/** @returns a function that obeys a command. It throws an Error that names the commands. */
function createMoves({ context, clock }: ClockParts) {
  return (command: ClockCommand): void => {
    const wanted = parse(CLOCK_COMMAND, command, 'command')
    if ('ms' in wanted) clock[wanted.do](wanted.ms)
    else if (wanted.do === 'freeze' || wanted.do === 'run') clock[wanted.do]()
    else clock.set(TARGETS[wanted.do](context()) ?? clock.nowMs())
  }
}

/** The next reset of an open window; if none is open, a minute from now (2.2). */
function nextMinute({ state, nowMs }: Context): number {
  const resets = Object.values(state.windows).flatMap(({ read, update }) =>
    [read, update].map((window) => (window?.reset_at_seconds ?? 0) * SECOND_MS),
  )
  return earliest(resets, nowMs) ?? (Math.floor(nowMs / SECOND_MS) + 60) * SECOND_MS
}

/** The end of a token that is active (5.4.2); `undefined` if there is none. */
function nextTokenEnd(context: Context): number | undefined {
  const ends = Object.values(context.state.access_tokens).map((token) => accessTokenEndsAt(context, token))
  return earliest(ends, context.nowMs)
}

function nextMonthEnd(context: Context): number | undefined {
  const ends = context.state.organizations.map((organization) => monthOf(context, organization).ends_at_ms)
  return earliest(ends, context.nowMs)
}

const earliest = (instants: readonly number[], nowMs: number): number | undefined =>
  instants.filter((ms) => ms > nowMs).toSorted((one, other) => one - other)[0]
