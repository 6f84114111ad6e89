/** Holds the state of one sandbox and replaces it as a whole, by a snapshot or by the records of a seed. */
import { type Choices, parseChoices } from '../choices/choices.ts'
import { indexIssued } from './issued.ts'
import { parseSeed, type Seed } from './seed.ts'
import { firstState, parseState, type SandboxState } from './state.ts'

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
  const restored = (snapshot: unknown) => {
    const state = parseState(snapshot, firstState(current))
    return { ...state, index: indexIssued(state) }
  }
  const state = earlier === undefined ? firstState(current) : restored(earlier)
  state.choices = parseChoices(choices ?? {}, state.choices)
  const reset = () => {
    const first = firstState(current)
    Object.assign(state, { ...first, choices: parseChoices(choices ?? {}, first.choices) })
  }
  return {
    state,
    currentSeed: () => current,
    restore: (snapshot) => void Object.assign(state, restored(snapshot)),
    reset,
    reseed(records) {
      current = parseSeed(records, seed)
      reset()
    },
  }
}
