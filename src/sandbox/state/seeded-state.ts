/** Holds the state of one sandbox, and replaces it as a whole: by a snapshot, or by what a seed begins with. */
import { type Choices, parseChoices } from '../choices/choices.ts'
import { initialState, parseSeed, parseState } from './snapshot.ts'
import type { Seed } from './seed.ts'
import type { SandboxState } from './state.ts'

interface SeededStateOptions {
  /** The seed of the first start. */
  seed: Seed
  /** The seed that a reset goes back to, where it is another one. */
  currentSeed?: Seed | undefined
  /** An earlier snapshot to go on from. */
  earlier?: SandboxState | undefined
  /** The choices that differ from their defaults, now and after each reset. */
  choices?: Partial<Choices> | undefined
}

export interface SeededState {
  /** Always the same object; its members are replaced. */
  state: SandboxState
  /** The last seed of `reseed`, or that of the first start. */
  currentSeed: () => Seed
  /** Replaces the state by a snapshot. @throws Error naming what is wrong */
  restore: (snapshot: unknown) => void
  /** Replaces the state by what the current seed begins with. */
  reset: () => void
  /** Makes another seed the current one; what it does not name is that of the first start. @throws Error naming what is wrong */
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
