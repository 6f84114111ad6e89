/** What every handler is handed: the state, the one way to change it, the choices, chance, and the instant of the request. */
import type { Context } from 'hono'
import type { Choices } from './choices.ts'
import { derive } from './random.ts'
import type { Frozen, Organization, SandboxState, Seed } from './state.ts'

export interface World {
  readonly state: Frozen<SandboxState>
  readonly choices: Choices
  /** UNIX milliseconds, the same for all of one request. */
  readonly nowMs: number
  /** Where the sandbox is mounted: '' or a path such as `/a/b`. */
  readonly basePath: string
  /** Changes the state; the only way to. */
  change(edit: (state: SandboxState) => void): void
  /** The next random value. */
  draw(): string
}

/** Whose API request it is: the credential, by which the minute is counted (8.2), and its organization (8.3). */
export interface Holder {
  readonly credential: string
  readonly organization: Frozen<Organization>
}

export interface Env {
  Variables: {
    world: World
    /** Absent where no valid credential was presented. */
    holder?: Holder
    /** Whether a person is reading. */
    page?: true
  }
}
export type Visit = Context<Env>

/**
 * @param changed called with every change
 * @returns the world as it is at an instant
 */
export function createWorld(
  {
    random,
    state,
    choices,
    basePath,
  }: { random: Seed['random']; state: SandboxState } & Pick<World, 'choices' | 'basePath'>,
  changed: () => void,
): (nowMs: number) => World {
  const change: World['change'] = (edit) => {
    edit(state)
    changed()
  }
  const draw = () => {
    change((known) => {
      known.drawn += 1
    })
    return derive(random, `drawn ${state.drawn}`)
  }
  return (nowMs) => ({ state, choices, basePath, change, draw, nowMs })
}
