/** What every handler is handed: the state, the one way to change it, the choices, chance, and the instant of the request. */
import type { Context as ContextOf } from 'hono'
import type { Cost } from './request-log.ts'
import type { Choices } from '../choices/choices.ts'
import { derive } from './random.ts'
import type { Frozen, Organization, SandboxState, Seed } from './state.ts'

export interface Context {
  readonly state: Frozen<SandboxState>
  /** What is chosen where the document is silent, as it stands at this request. */
  readonly choices: Frozen<Choices>
  /** UNIX milliseconds, the same for all of one request. */
  readonly nowMs: number
  /** Where the sandbox is mounted: '' or a path such as `/a/b`. */
  readonly basePath: string
  /** Changes the state; the only way to. */
  change(edit: (state: SandboxState) => void): void
  /** The next random value. */
  nextRandom(): string
  /** A random value that is the same for the same seed and label. */
  derived(label: string): string
  /** Passes time: that of whoever opened the sandbox, or where none was handed in, the sandbox's own clock. */
  wait(ms: number): Promise<void>
}

/** Whose API request it is: the credential, by which the minute is counted (8.2), and its organization (8.3). */
export interface Holder {
  readonly credential: string
  readonly organization: Frozen<Organization>
  /** Of an access token. */
  readonly grant_id?: string
  readonly client_id?: string
  /** Who permitted the grant, or issued the key. */
  readonly person_id?: string
}

export interface Env {
  Variables: {
    context: Context
    /** Absent where no valid credential was presented. */
    holder?: Holder
    /** Whether a person is reading. */
    page?: true
    /** Whether the API answers, not a page and not the token endpoint. */
    api?: true
    /** Whether the answer is never sent: the connection breaks in its place (`slow`). */
    dropped?: true
    /** The rule that the request met, for the ledger; where nobody says one, `served` or the word of the refusal. */
    rule?: string
    /** What it cost, for the ledger; whoever counts says it. */
    cost?: Cost
  }
}
export type HonoContext = ContextOf<Env>

/** @returns the context as it is at an instant */
export function createContextAt({
  random,
  state,
  basePath,
  wait = async () => {},
}: { random: () => Seed['random']; state: SandboxState } & Pick<Context, 'basePath'> &
  Partial<Pick<Context, 'wait'>>): (nowMs: number) => Context {
  const change: Context['change'] = (edit) => edit(state)
  const nextRandom = () => {
    change((known) => {
      known.drawn += 1
    })
    return derive(random(), `drawn ${state.drawn}`)
  }
  const derived = (label: string) => derive(random(), label)
  return (nowMs) => ({ state, choices: state.choices, basePath, change, nextRandom, derived, wait, nowMs })
}
