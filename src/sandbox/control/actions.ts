/** The actions of the control plane, as plain methods. */
import * as v from 'valibot'
import { PLANS } from '../../contract/plan.ts'
import { parseChoices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { parse } from '../state/parse.ts'
import { LIMIT_CHANGES, type SandboxState } from '../state/state.ts'
import { type ClockParts, clockState, createMoves } from './clock.ts'
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

/** Parses a record by organization id. */
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
