/** Holds the state of one sandbox and replaces it as a whole, by a snapshot or by the records of a seed. */
import { type Choices, parseChoices } from '../choices/choices.ts'
import { initialState, parseSeed, parseState } from './snapshot.ts'
import type { Seed } from './seed.ts'
import type { SandboxState } from './state.ts'

interface SeededStateOptions {
  /** The seed of the first start. */
  seed: Seed
  /** The seed that a reset goes back to, if it is not the first. */
  currentSeed?: Seed | undefined
  /** An earlier snapshot to continue from. */
  earlier?: SandboxState | undefined
  /** Choices that differ from their defaults, now and after each reset. */
  choices?: Partial<Choices> | undefined
}

export interface SeededState {
  /** Always the same object; its members are replaced. */
  state: SandboxState
  /** The last seed of `reseed`, or that of the first start. */
  currentSeed: () => Seed
  /** @throws Error that names the first mistake */
  restore: (snapshot: unknown) => void
  reset: () => void
  /** The first seed fills in the members that are missing. @throws Error that names the first mistake */
  reseed: (records: unknown) => void
}

export function createSeededState({ seed, currentSeed, earlier, choices }: SeededStateOptions): SeededState {
  let current = currentSeed === undefined ? seed : parseSeed(currentSeed, seed)
  const first = initialState(current)
  const state = earlier === undefined ? first : parseState(earlier, first)
  state.choices = parseChoices(choices ?? {}, state.choices)
  const reset = () => void Object.assign(state, initialState(current, choices))
  return {
    state,
    currentSeed: () => current,
    restore: (snapshot) => void Object.assign(state, parseState(snapshot, initialState(current))),
    reset,
    reseed(records) {
      current = parseSeed(records, seed)
      reset()
    },
  }
}
