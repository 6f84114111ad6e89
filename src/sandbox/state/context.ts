/** The context of a request: the state, the choices, random values, and the time of a clock that can be moved. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import { LAST_TO_SET_MS, parse, whole } from './parse.ts'
import type { Cost } from './request-log.ts'
import { derive, type Organization, type Seed } from './seed.ts'
import type { SandboxState } from './state.ts'

export interface Context {
  readonly state: SandboxState
  readonly choices: Choices
  /** UNIX milliseconds. One request has one time. */
  readonly nowMs: number
  /** '' or, for example, `/a/b`. */
  readonly basePath: string
  readonly apiKeyHeader: string
  nextRandom: () => string
  derived: (label: string) => string
}

export type Instant = Pick<Context, 'nowMs' | 'choices'>

/** `reset` is in UNIX seconds of the right clock. */
export interface ReportedWindow {
  limit: number
  remaining: number
  reset: number
}

/** Credential and organization decide the minute (8.2) and the month (8.3). */
export interface Holder {
  readonly credential: string
  readonly organization: Organization
  /** Set for an access token, as `client_id` is. */
  readonly grant_id?: string
  readonly client_id?: string
  /** The person who permitted the grant, or issued the key. */
  readonly person_id?: string
}

/** The handlers of one request pass these to each other. */
export interface Variables {
  context: Context
  /** The time of a context is that of its request; after a wait, this makes one of the present. */
  contextNow: () => Context
  holder?: Holder
  page?: true
  /** Set if the path belongs to the API; pages and the token endpoint do not. */
  api?: true
  unknown?: true
  /** The windows just after this request was counted: what the headers report (8.4). */
  windows?: Record<RequestClass, ReportedWindow>
  /** The parameters of the body; absent if no body was read. */
  form?: URLSearchParams
  tokenAnswer?: JsonObject
  /** For the request log. If it is not set, the log has `served` or the word of the refusal. */
  rule?: string
  /** For the request log. The code that counts the request sets it. */
  cost?: Cost
  /** Its month counts the request, unless that fails (U62). */
  admittedFor?: Organization
}

type ContextParts = Pick<Context, 'state' | 'basePath' | 'apiKeyHeader'> & { random: () => Seed['random'] }

export function createContextAt({ random, ...parts }: ContextParts) {
  const { state } = parts
  const derived = (label: string) => derive(random(), label)
  const nextRandom = () => {
    state.random_count += 1
    return derived(`random value ${state.random_count}`)
  }
  return (nowMs: number): Context => ({ ...parts, choices: state.choices, nextRandom, derived, nowMs })
}

export type Clock = ReturnType<typeof createClock>

/** `state` is called each time, so a restored state has its own time. `now` is in UNIX milliseconds. */
export function createClock(state: () => SandboxState['clock'], now: () => number) {
  const nowMs = () => state().frozen_at_ms ?? now() + state().offset_ms
  /** Also to an earlier time. A frozen clock stays frozen. */
  const set = (ms: number): void => {
    const [clock, time] = [state(), parse(whole(0, LAST_TO_SET_MS), ms, 'time')]
    if (clock.frozen_at_ms === undefined) clock.offset_ms = time - now()
    else clock.frozen_at_ms = time
  }
  return {
    nowMs,
    set,
    advance: (ms: number) => set(nowMs() + ms),
    freeze: () => void (state().frozen_at_ms = nowMs()),
    /** A frozen clock runs again from its time. */
    run: () => {
      const clock = state()
      clock.offset_ms = nowMs() - now()
      delete clock.frozen_at_ms
    },
  }
}

/** U82: the clock in answers may be wrong; lifetimes and windows use the right time. `undefined`: no Date. */
const AHEAD_MS: Record<Choices['skew'], number | undefined> = {
  none: 0,
  plus_5_minutes: 5 * MINUTE_MS,
  minus_5_minutes: -5 * MINUTE_MS,
  plus_1_day: DAY_MS,
  no_date: undefined,
}

export const reportedNowMs = ({ choices, nowMs }: Context): number => nowMs + (AHEAD_MS[choices.skew] ?? 0)

/** In UNIX seconds; 0 stays 0. */
export const reportedSeconds = ({ choices }: Context, seconds: number): number =>
  seconds === 0 ? 0 : seconds + (AHEAD_MS[choices.skew] ?? 0) / SECOND_MS

/** RFC 9110 6.6.1. */
export const reportedDate = (context: Context): string | undefined =>
  AHEAD_MS[context.choices.skew] === undefined ? undefined : new Date(reportedNowMs(context)).toUTCString()
