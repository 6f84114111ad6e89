/** The actions of the control plane, as plain methods. */
import { parseChoices, type Choices } from '../choices/choices.ts'
import type { Clock } from '../state/clock.ts'
import type { Context } from '../state/context.ts'
import { type InjectedFault, parseFault } from '../state/injected-fault.ts'
import type { RequestLogEntry } from '../state/request-log.ts'
import { parseLimits } from '../state/snapshot.ts'
import type { LimitChanges, SandboxState } from '../state/state.ts'
import { applyPreset, PRESETS } from './presets.ts'
import { parseUsage, setUsage, type Usage, usageOf } from './usage.ts'

/** An argument that is not valid throws an Error with the reason, and nothing changes. */
export interface Actions {
  choices: () => Choices
  changeChoices: (changes: unknown) => Choices
  clock: Clock & Record<ClockTarget, () => void>
  requestLog: () => readonly RequestLogEntry[]
  clearRequestLog: () => void
  addFault: (fault: unknown) => void
  faults: () => readonly InjectedFault[]
  clearFaults: () => void
  /** @param at the place of the fault in `faults()` */
  removeFault: (at: number) => void
  limits: () => Record<string, LimitChanges>
  /** Replaces all limits that differ from those of the plan (8). They are keyed by organization id. */
  changeLimits: (limits: unknown) => void
  /** Counted requests of the month and of the open minute, by organization id. */
  usage: () => Record<string, Usage>
  changeUsage: (changes: unknown) => void
  presets: () => typeof PRESETS
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

/** The next reset of a minute, end of an access token, and reset of a month. */
export type ClockTarget = 'toNextMinute' | 'toTokenEnd' | 'toMonthEnd'

export interface ActionParts extends Pick<Actions, 'restore' | 'reset' | 'seed'> {
  context: () => Context
  clock: Clock
  /** In UNIX milliseconds; `undefined` if there is no such instant. */
  targets: Record<ClockTarget, (context: Context) => number | undefined>
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
  return {
    ...actions,
    presets: () => structuredClone(PRESETS),
    applyPreset: (name) => applyPreset(name, { actions, context: context() }),
  }
}

const withChange =
  <Arguments extends unknown[]>(act: (...all: Arguments) => void, changed: () => void) =>
  (...all: Arguments) => {
    act(...all)
    changed()
  }

function createClockActions({ context, clock, targets, changed }: ActionParts): Actions['clock'] {
  const setTo = (target: ClockTarget) =>
    withChange(() => {
      const ms = targets[target](context())
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

type RecordActions = Omit<Actions, 'clock' | 'restore' | 'reset' | 'seed' | 'presets' | 'applyPreset'>

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
    addFault: (fault) => replace('faults', [...copy('faults'), parseFault(fault)]),
    faults: () => copy('faults'),
    clearFaults: () => replace('faults', []),
    removeFault(at) {
      if (context().state.faults[at] === undefined) throw new Error('There is no fault at this place')
      replace('faults', copy('faults').toSpliced(at, 1))
    },
    limits: () => copy('limits'),
    changeLimits: (limits) => replace('limits', parseLimits(limits, context().state)),
    usage: () => usageOf(context()),
    changeUsage: withChange((changes) => setUsage(context(), parseUsage(changes, context().state)), changed),
    snapshot: () => structuredClone(context().state) as SandboxState,
  }
}
