/** The actions of the control plane, as plain methods. */
import * as v from 'valibot'
import { PLANS } from '../../contract/plan.ts'
import { type Choices, parseChoices } from '../choices/choices.ts'
import type { Clock } from '../state/clock.ts'
import type { Context } from '../state/context.ts'
import { FAULT, type InjectedFault } from '../state/injected-fault.ts'
import { parse } from '../state/parse.ts'
import type { RequestLogEntry } from '../state/request-log.ts'
import { LIMIT_CHANGES, type LimitChanges, type SandboxState } from '../state/state.ts'
import { CLOCK_TARGETS, type ClockTarget, type ControlClock } from './clock.ts'
import { applyPreset } from './presets.ts'
import { setUsage, type Usage, USAGE_CHANGES, usageOf } from './usage.ts'

/** By organization id. */
export const LIMITS = v.record(v.string(), LIMIT_CHANGES)
export const PLAN_CHANGES = v.record(v.string(), v.picklist(Object.values(PLANS).map(({ name }) => name)))

/** An argument that is not valid throws an Error with the reason, and nothing changes. */
export interface Actions {
  choices: () => Choices
  changeChoices: (changes: unknown) => Choices
  clock: ControlClock
  requestLog: () => readonly RequestLogEntry[]
  clearRequestLog: () => void
  addFault: (fault: unknown) => void
  faults: () => readonly InjectedFault[]
  clearFaults: () => void
  limits: () => Record<string, LimitChanges>
  /** Replaces all limits that differ from those of the plan (8). They are keyed by organization id. */
  changeLimits: (limits: unknown) => void
  /** By organization id. Limits change at once, counts and credentials stay. */
  changePlans: (plans: unknown) => void
  /** Counted requests of the month and of the open minute, by organization id. */
  usage: () => Record<string, Usage>
  changeUsage: (changes: unknown) => void
  /** Sets what a preset lists, and nothing else. `default` takes all presets back. */
  applyPreset: (name: unknown) => void
  snapshot: () => SandboxState
  /** Replaces the whole state, time and choices included. */
  restore: (state: unknown) => void
  /** Goes back to the records of the last seed, the choices of the start, and the real time. */
  reset: () => void
  /** Resets to other records. The first seed fills in the missing ones, so `{}` goes back to that seed. */
  seed: (seed: unknown) => void
}

export interface ActionParts extends Pick<Actions, 'restore' | 'reset' | 'seed'> {
  context: () => Context
  clock: Clock
  changed: () => void
}

export function createActions(parts: ActionParts): Actions {
  const { changed, context } = parts
  const actions = {
    ...createRecordActions(parts),
    clock: createClockActions(parts),
    restore: withChange(parts.restore, changed),
    reset: withChange(parts.reset, changed),
    seed: withChange(parts.seed, changed),
  }
  return { ...actions, applyPreset: (name) => applyPreset(name, { actions, context: context() }) }
}

const withChange =
  <Arguments extends unknown[]>(act: (...all: Arguments) => void, changed: () => void) =>
  (...all: Arguments) => {
    act(...all)
    changed()
  }

function createClockActions({ context, clock, changed }: ActionParts): ControlClock {
  const setTo = (target: ClockTarget) =>
    withChange(() => {
      const ms = CLOCK_TARGETS[target](context())
      if (ms !== undefined) clock.set(ms)
    }, changed)
  return {
    nowMs: clock.nowMs,
    freeze: withChange(clock.freeze, changed),
    run: withChange(clock.run, changed),
    advance: withChange(clock.advance, changed),
    set: withChange(clock.set, changed),
    toNextMinute: setTo('toNextMinute'),
    toTokenEnd: setTo('toTokenEnd'),
    toMonthEnd: setTo('toMonthEnd'),
  }
}

type RecordActions = Omit<Actions, 'clock' | 'restore' | 'reset' | 'seed' | 'applyPreset'>

/** The actions that read or change one member of the state. */
function createRecordActions({ context, changed }: ActionParts): RecordActions {
  const copy = <Key extends keyof SandboxState>(key: Key) =>
    structuredClone(context().state[key]) as SandboxState[Key]
  const replace = <Key extends keyof SandboxState>(key: Key, value: SandboxState[Key]) => {
    context().change((state) => {
      state[key] = value
    })
    changed()
  }
  return {
    choices: () => copy('choices'),
    changeChoices(changes) {
      replace('choices', parseChoices(changes, copy('choices')))
      return copy('choices')
    },
    requestLog: () => copy('request_log'),
    clearRequestLog: () => replace('request_log', []),
    addFault: (fault) => replace('faults', [...copy('faults'), parse(FAULT, fault, 'fault')]),
    faults: () => copy('faults'),
    clearFaults: () => replace('faults', []),
    limits: () => copy('limits'),
    changeLimits: (limits) => replace('limits', byOrganization(context(), LIMITS, limits)),
    changePlans(changes) {
      const plans = byOrganization(context(), PLAN_CHANGES, changes)
      replace(
        'organizations',
        copy('organizations').map((one) => ({ ...one, plan: plans[one.id] ?? one.plan })),
      )
    },
    usage: () => usageOf(context()),
    changeUsage(changes) {
      setUsage(context(), byOrganization(context(), USAGE_CHANGES, changes))
      changed()
    },
    snapshot: () => structuredClone(context().state) as SandboxState,
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
