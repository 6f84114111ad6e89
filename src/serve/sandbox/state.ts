import { isJsonObject } from '../../contract/json.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import { applyLines, createJournal } from './journal.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import type { SandboxState } from '../../sandbox/state/state.ts'

export interface StoredSandbox {
  sandbox: Sandbox
  /** The reason why the saved state was not used; absent if it was. */
  damage?: string
  /** The text for the next start, including secrets. */
  write: () => string
  /** A line to append to that text; `undefined` if nothing has changed since the last one. */
  nextLine: () => string | undefined
}

interface StoredOptions extends Omit<SandboxOptions, 'seed' | 'currentSeed' | 'state'> {
  /** The saved text, if there is one. */
  text: string | undefined
  /** Makes random material for the first start. */
  random: () => string
  seedFor: (random: string) => Seed
}

interface Saved {
  random: string
  /** The built-in seed. A different one means that the settings have changed. */
  seed: unknown
  /** The last seed of `POST /seed`. */
  current_seed?: unknown
  state: unknown
}

/**
 * Restores time, choices, history and the last seed. If the settings have changed, it restores only the
 * random material, and so every generated secret.
 */
export function openStoredSandbox({ text, random, seedFor, ...options }: StoredOptions): StoredSandbox {
  const saved = parse(text)
  const material = typeof saved === 'object' ? saved.random : random()
  const seed = seedFor(material)
  const begin = (saved?: { currentSeed: Seed; state: SandboxState }) => {
    const sandbox = createSandbox({ ...options, seed, ...saved })
    const nextLine = createJournal(sandbox)
    const write = () => {
      // The text has everything so far, so the next line begins after it.
      nextLine()
      const records = { random: material, seed, current_seed: sandbox.currentSeed() }
      return `${JSON.stringify({ ...records, state: sandbox.state() })}\n`
    }
    return { sandbox, write, nextLine }
  }
  if (typeof saved === 'string') return { ...begin(), damage: saved }
  if (saved === undefined || JSON.stringify(saved.seed) !== JSON.stringify(seed)) return begin()
  try {
    const { current_seed: currentSeed = seed, state } = saved
    return begin({ currentSeed: currentSeed as Seed, state: state as SandboxState })
  } catch (error) {
    return { ...begin(), damage: (error as Error).message }
  }
}

/** @returns `undefined` if nothing was saved; a reason if it cannot be used */
function parse(text: string | undefined): Saved | string | undefined {
  if (text === undefined) return undefined
  try {
    const [first = '', ...lines] = text.split('\n')
    const saved: unknown = JSON.parse(first)
    if (!isJsonObject(saved) || typeof saved['random'] !== 'string') return 'it is not the state of a sandbox'
    const { state } = saved
    if (isJsonObject(state)) applyLines(Object.assign(saved, { state }), lines)
    return saved as unknown as Saved
  } catch {
    return 'it is not JSON'
  }
}
