/** Opens a sandbox on what an earlier one left behind, and writes down what is to be left behind. */
import { isJsonObject } from '../contract/json.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import type { SandboxState, Seed } from './state/state.ts'

interface Kept {
  sandbox: Sandbox
  seed: Seed
  /** All that the next one needs, secrets included. */
  write: () => string
}

interface Keeping extends Omit<SandboxOptions, 'seed' | 'state'> {
  /** What was written, if anything was. */
  text: string | undefined
  /** Random material, where there is none yet. */
  random: () => string
  seedFor: (random: string) => Seed
}

/**
 * Time, choices and history go on. What was registered for other settings does not fit these, and what an older version
 * left may not fit this one: then only the random material stays.
 */
export function openKept({ text, random, seedFor, ...options }: Keeping): Kept {
  const kept = read(text)
  const material = typeof kept.random === 'string' ? kept.random : random()
  const seed = seedFor(material)
  const fits = JSON.stringify(kept.seed) === JSON.stringify(seed)
  const begin = (state?: SandboxState) => createSandbox({ ...options, seed, ...(state && { state }) })
  const goOn = () => {
    try {
      return begin(fits ? (kept.state as SandboxState) : undefined)
    } catch {
      return begin()
    }
  }
  const sandbox = goOn()
  return {
    sandbox,
    seed,
    write: () => JSON.stringify({ random: material, seed, state: sandbox.snapshot() }),
  }
}

function read(text: string | undefined): { random?: unknown; seed?: unknown; state?: unknown } {
  try {
    const kept: unknown = JSON.parse(text ?? '{}')
    return isJsonObject(kept) ? kept : {}
  } catch {
    return {}
  }
}
