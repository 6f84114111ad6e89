import { isJsonObject } from '../../contract/json.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import type { SandboxState } from '../../sandbox/state/state.ts'

interface StoredSandbox {
  sandbox: Sandbox
  /** The reason why the saved state was not used; absent if it was. */
  damage?: string
  /** The text for the next start, including secrets. */
  write: () => string
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
  const write = (sandbox: Sandbox) => () => {
    const records = JSON.stringify({ random: material, seed, current_seed: sandbox.currentSeed() })
    // A copy of the state would take longer.
    return `${records.slice(0, -1)},"state":${sandbox.snapshotText()}}`
  }
  const begin = (saved?: { currentSeed: Seed; state: SandboxState }) => {
    const sandbox = createSandbox({ ...options, seed, ...saved })
    return { sandbox, write: write(sandbox) }
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
    const saved: unknown = JSON.parse(text)
    if (!isJsonObject(saved) || typeof saved['random'] !== 'string') return 'it is not the state of a sandbox'
    return saved as unknown as Saved
  } catch {
    return 'it is not JSON'
  }
}
