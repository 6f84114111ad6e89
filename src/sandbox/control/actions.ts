/** What tests and people can do with the sandbox beyond using it, as plain methods. */
import type { Clock } from '../state/clock.ts'
import { type Fault, parseFault } from '../state/injected-fault.ts'
import type { RequestLogEntry } from '../state/request-log.ts'
import { parseChoices, type Choices } from '../choices/choices.ts'
import { parseLimits } from '../state/snapshot.ts'
import type { LimitChanges, SandboxState } from '../state/state.ts'
import type { Context } from '../state/context.ts'

/** Whatever is handed in and is not as it has to be is thrown back as an Error; then nothing has changed. */
export interface Actions {
  choices: () => Choices
  changeChoices: (changes: unknown) => Choices
  clock: Clock & Record<Target, () => void>
  ledger: () => readonly RequestLogEntry[]
  clearRequestLog: () => void
  addFault: (fault: unknown) => void
  faults: () => readonly Fault[]
  clearFaults: () => void
  limits: () => Record<string, LimitChanges>
  /** In the place of all earlier ones: by organization id, limits of section 8 that differ from the plan's. */
  changeLimits: (limits: unknown) => void
  snapshot: () => SandboxState
  /** Puts an earlier snapshot in the place of the state, time and choices included. */
  restore: (state: unknown) => void
  /** Back to the beginning: the seed's records, the first choices, the clock as it was handed in. */
  reset: () => void
  /** Begins anew with other records; those that it does not name stay. */
  seed: (seed: unknown) => void
}

/** Where the clock can be sent: the next reset of a minute, end of an access token, reset of a month. */
export type Target = 'toNextMinute' | 'toTokenEnd' | 'toMonthEnd'

/** What the sandbox hands in. */
export interface Machine extends Pick<Actions, 'restore' | 'reset' | 'seed'> {
  /** The context as it is now. */
  context: () => Context
  clock: Clock
  /** The instant of each target, in UNIX milliseconds; `undefined` where there is nothing to go to. */
  targets: Record<Target, (context: Context) => number | undefined>
  /** Called after each change. */
  changed: () => void
}

/** @returns the actions, each of which tells that it has changed something */
export function createActions({ context, clock, targets, changed, ...machine }: Machine): Actions {
  const state = () => context().state
  const change = (edit: (known: SandboxState) => void) => {
    context().change(edit)
    changed()
  }
  const thenTell =
    <Handed extends unknown[]>(act: (...handed: Handed) => void) =>
    (...handed: Handed) => {
      act(...handed)
      changed()
    }
  const goTo = (target: Target) =>
    thenTell(() => {
      const ms = targets[target](context())
      if (ms !== undefined) clock.set(ms)
    })
  const copy = <Key extends keyof SandboxState>(key: Key) =>
    structuredClone(state()[key]) as SandboxState[Key]
  return {
    choices: () => copy('choices'),
    changeChoices(changes) {
      const choices = parseChoices(changes, copy('choices'))
      change((known) => {
        known.choices = choices
      })
      return copy('choices')
    },
    clock: {
      nowMs: clock.nowMs,
      freeze: thenTell(clock.freeze),
      run: thenTell(clock.run),
      advance: thenTell(clock.advance),
      set: thenTell(clock.set),
      toNextMinute: goTo('toNextMinute'),
      toTokenEnd: goTo('toTokenEnd'),
      toMonthEnd: goTo('toMonthEnd'),
    },
    ledger: () => copy('ledger'),
    clearRequestLog: () =>
      change((known) => {
        known.ledger = []
      }),
    addFault(value) {
      const fault = parseFault(value)
      change(({ faults }) => {
        faults.push(fault)
      })
    },
    faults: () => copy('faults'),
    clearFaults: () =>
      change((known) => {
        known.faults = []
      }),
    limits: () => copy('limits'),
    changeLimits(value) {
      const limits = parseLimits(value, state())
      change((known) => {
        known.limits = limits
      })
    },
    snapshot: () => structuredClone(state()) as SandboxState,
    restore: thenTell(machine.restore),
    reset: thenTell(machine.reset),
    seed: thenTell(machine.seed),
  }
}
