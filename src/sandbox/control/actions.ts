/** The actions of the control plane, as plain methods. */
import * as v from 'valibot'
import { PLANS } from '../../contract/plan.ts'
import { type Choices, parseChoices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { parse } from '../state/parse.ts'
import { LIMIT_CHANGES, type SandboxState } from '../state/state.ts'
import { type ClockParts, createClockActions, withChange } from './clock.ts'
import { PRESET, PRESETS, setUsage, USAGE_CHANGES, usageFor, usageOf } from './usage.ts'

/** By organization id. */
export const LIMITS = v.record(v.string(), LIMIT_CHANGES)
export const PLAN_CHANGES = v.record(v.string(), v.picklist(Object.values(PLANS).map(({ name }) => name)))

export interface ActionParts extends ClockParts {
  /** Replaces the whole state, time and choices included. */
  restore: (state: unknown) => void
  /** Goes back to the records of the last seed, the choices of the start, and the real time. */
  reset: () => void
  /** Resets to other records. The first seed fills in the missing ones, so `{}` goes back to that seed. */
  seed: (seed: unknown) => void
}

/** An argument that is not valid throws an Error with the reason, and nothing changes. */
export type Actions = ReturnType<typeof createActions>

export function createActions(parts: ActionParts) {
  const { changed, context } = parts
  const actions = createRecordActions(parts)
  return {
    ...actions,
    clock: createClockActions(parts),
    restore: withChange(parts.restore, changed),
    reset: withChange(parts.reset, changed),
    seed: withChange(parts.seed, changed),
    /** Sets what a preset lists, and nothing else. */
    applyPreset: (wanted: unknown) => {
      const { choices, faults, used } = PRESETS[parse(PRESET, { name: wanted }, 'preset').name]
      if (choices) actions.changeChoices(choices)
      if (faults) actions.clearFaults()
      for (const fault of faults ?? []) actions.addFault(fault)
      if (used) actions.changeUsage(usageFor(context(), used))
    },
  }
}

/** The actions that read or change one member of the state. */
function createRecordActions({ context, changed }: ActionParts) {
  const copy = <Key extends keyof SandboxState>(key: Key) => structuredClone(context().state[key])
  const replace = <Key extends keyof SandboxState>(key: Key, value: SandboxState[Key]) => {
    context().state[key] = value
    changed()
  }
  return {
    choices: () => copy('choices'),
    changeChoices: (changes: unknown): Choices => {
      replace('choices', parseChoices(changes, copy('choices')))
      return copy('choices')
    },
    requestLog: () => copy('request_log'),
    clearRequestLog: () => replace('request_log', []),
    addFault: (fault: unknown) => replace('faults', [...copy('faults'), parse(FAULT, fault, 'fault')]),
    faults: () => copy('faults'),
    clearFaults: () => replace('faults', []),
    limits: () => copy('limits'),
    /** Replaces all limits that differ from those of the plan (8), by organization id. */
    changeLimits: (limits: unknown) => replace('limits', byOrganization(context(), LIMITS, limits)),
    /** By organization id. Limits change at once, counts and credentials stay. */
    changePlans: (changes: unknown) => {
      const plans = byOrganization(context(), PLAN_CHANGES, changes)
      replace(
        'organizations',
        copy('organizations').map((one) => ({ ...one, plan: plans[one.id] ?? one.plan })),
      )
    },
    /** Counted requests of the month and of the open minute, by organization id. */
    usage: () => usageOf(context()),
    changeUsage: (changes: unknown) => {
      setUsage(context(), byOrganization(context(), USAGE_CHANGES, changes))
      changed()
    },
    snapshot: () => structuredClone(context().state),
  }
}

/** Parses a record by organization id. */
function byOrganization<Schema extends v.GenericSchema<unknown, object>>(
  { state }: Context,
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const record = parse(schema, value, 'organizations')
  for (const id of Object.keys(value as object))
    if (!state.organizations.some((known) => String(known.id) === id))
      throw new Error(`${id}: There is no such organization`)
  return record
}
