/** What every handler gets: state, choices, random values and the time of the request. */
import { API_KEY_HEADER } from '../../contract/credential.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Cost } from './request-log.ts'
import type { Choices } from '../choices/choices.ts'
import { derive } from './random.ts'
import type { Organization, Seed } from './seed.ts'
import type { DeepReadonly, SandboxState } from './state.ts'

export interface Context {
  readonly state: DeepReadonly<SandboxState>
  /** The chosen values of this request, where the document leaves something open. */
  readonly choices: DeepReadonly<Choices>
  /** UNIX milliseconds, the same for all of one request. */
  readonly nowMs: number
  /** Where the sandbox is mounted: '' or a path such as `/a/b`. */
  readonly basePath: string
  /** The header of an API key. */
  readonly apiKeyHeader: string
  /** Changes the state; the only way to. */
  change(edit: (state: SandboxState) => void): void
  /** The next random value. */
  nextRandom(): string
  /** A random value that is the same for the same seed and label. */
  derived(label: string): string
  /** Waits in real time, or advances the sandbox's clock where no real time was passed in. */
  wait(ms: number): Promise<void>
}

/** The time and the choices on which a lifetime depends. */
export type Instant = Pick<Context, 'nowMs' | 'choices'>

/** The credential of an API request, by which the minute is counted (8.2), and its organization (8.3). */
export interface Holder {
  readonly credential: string
  readonly organization: DeepReadonly<Organization>
  /** Of an access token. */
  readonly grant_id?: string
  readonly client_id?: string
  /** The person who permitted the grant, or issued the key. */
  readonly person_id?: string
}

/** What the handlers of one request pass to each other. */
export interface Variables {
  context: Context
  /** Absent where no valid credential was presented. */
  holder?: Holder
  /** Whether the answer is a page. */
  page?: true
  /** Whether the path belongs to the API; not set for pages and the token endpoint. */
  api?: true
  /** Whether the connection breaks instead of an answer (`slow`). */
  dropped?: true
  /** The parameters of the body that was read; absent where none was. */
  form?: URLSearchParams
  /** The members of the token endpoint's answer. */
  tokenAnswer?: JsonObject
  /** The rule that the request met, for the request log; where none is set, `served` or the word of the refusal. */
  rule?: string
  /** What it cost, for the request log; set where it is counted. */
  cost?: Cost
}

/** @returns a function that makes the context of a time in UNIX milliseconds */
export function createContextAt({
  random,
  state,
  basePath,
  apiKeyHeader = API_KEY_HEADER,
  wait = async () => {},
}: { random: () => Seed['random']; state: SandboxState } & Pick<Context, 'basePath'> &
  Partial<Pick<Context, 'wait' | 'apiKeyHeader'>>): (nowMs: number) => Context {
  const change: Context['change'] = (edit) => edit(state)
  const nextRandom = () => {
    change((known) => {
      known.random_count += 1
    })
    return derive(random(), `random value ${state.random_count}`)
  }
  const derived = (label: string) => derive(random(), label)
  return (nowMs) => ({
    state,
    choices: state.choices,
    basePath,
    apiKeyHeader,
    change,
    nextRandom,
    derived,
    wait,
    nowMs,
  })
}
