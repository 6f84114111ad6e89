/** The whole state of the sandbox as one plain object: the records of the seed and all later ones. */
import type { Plan, PlanName } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { ClockState } from './clock.ts'
import type { InjectedFault } from './injected-fault.ts'
import type { RequestLogEntry } from './request-log.ts'
import type { Seed } from './seed.ts'
import { DEFAULT_CHOICES, type Choices } from '../choices/choices.ts'

/** An open consent page (4.1). */
export interface PendingAuthorization {
  client_id: string
  redirect_uri: string
  /** Set if the request named no redirect URI and the registered one is used (`redirmissing`). */
  is_redirect_uri_optional?: true
  state?: string
  organization_id: number
  person_id: string
  /** The challenge of PKCE, by S256 (RFC 7636 4.2). */
  code_challenge?: string
  asked_at_ms: number
}

/** The permission of a person for an application to act in one organization. */
export interface Grant {
  client_id: string
  person_id: string
  organization_id: number
  permitted_at_ms: number
}

export interface IssuedCode {
  grant_id: string
  redirect_uri: string
  /** Set if the authorization request named no redirect URI (RFC 6749 4.1.3). */
  is_redirect_uri_optional?: true
  code_challenge?: string
  issued_at_ms: number
  /** The time of its first use. */
  used_at_ms?: number
}

export interface IssuedToken {
  grant_id: string
  issued_at_ms: number
}

export interface IssuedRefreshToken extends IssuedToken {
  /** The time of its last use. */
  used_at_ms?: number
  /** The time at which a refresh first replaced it. */
  replaced_at_ms?: number
  /** The refresh token that it replaced. */
  replaces?: string
  /** Set once the token that replaced it has been used. */
  is_successor_used?: true
}

/** See minute-counter.ts. */
export interface MinuteCount {
  count: number
  ends_at_ms: number
}

/** Open until its reset (2.2). */
export interface OpenWindow {
  /** A fraction in a token bucket. */
  used: number
  reset_at_seconds: number
  /** The time at which its first request was counted. */
  opened_at_ms?: number
  /** The number of requests of another client that were added to the month (`shared`). */
  others_in_month?: number
  /** The limit and the plan at its opening. A change may take effect later (`limitchange`). */
  limit?: number
  plan?: PlanName
  /** The time at which the last request was counted. */
  counted_at_ms?: number
  /** The times of its requests, in a sliding window. */
  times_ms?: number[]
}

/** The limits that operating conditions have changed (8); `null` stands for no limit. */
export type LimitChanges = {
  [Limit in Exclude<keyof Plan, 'name'>]?: number | (Limit extends 'per_month' ? null : never)
}

/** The requests of one organization in one month (8.3). */
export interface MonthCount {
  starts_at_ms: number
  ends_at_ms: number
  count: number
  /** The time zone by which the month is determined. */
  zone?: string
  /** At the end of earlier minutes, oldest first, as far back as the plan page needs (`lag`). */
  earlier?: { at_ms: number; count: number }[]
  /** The count at the last load of the plan page (`lag`). */
  loaded?: number
}

/** Oldest first. */
export interface IssuedKeys {
  codes: string[]
  access_tokens: string[]
  refresh_tokens: string[]
}

/** Derived from the records, and rebuilt when a snapshot is read. */
export interface IssuedIndex {
  /** By grant id. */
  by_grant: Record<string, IssuedKeys>
  /** Grant ids by permission, oldest first. */
  grants: Record<string, string[]>
}

/** Records that were added since the last sweep, and those that it left. */
export interface SweepCount {
  added: number
  left: number
}

/** `issued` stands for codes, tokens and grants together. */
export type SweptStore = 'sign_ins' | 'pending' | 'minute_counts' | 'windows' | 'issued'

export const NO_SWEEP_YET: Readonly<Record<SweptStore, SweepCount>> = {
  sign_ins: { added: 0, left: 0 },
  pending: { added: 0, left: 0 },
  minute_counts: { added: 0, left: 0 },
  windows: { added: 0, left: 0 },
  issued: { added: 0, left: 0 },
}

/** The key of a record is its secret, for example a token; the key of a month is an organization id. */
export interface SandboxState extends Omit<Seed, 'random'> {
  /** They can change at any time. */
  choices: Choices
  /** The number of random values made so far. */
  random_count: number
  sign_ins: Record<string, { person_id: string; signed_in_at_ms: number }>
  pending: Record<string, PendingAuthorization>
  grants: Record<string, Grant>
  codes: Record<string, IssuedCode>
  access_tokens: Record<string, IssuedToken>
  refresh_tokens: Record<string, IssuedRefreshToken>
  /** Requests to the token endpoint, by name of the counter. */
  minute_counts: Record<string, MinuteCount>
  windows: Record<string, { [Class in RequestClass]?: OpenWindow }>
  months: Record<string, MonthCount>
  /** By organization id (8). */
  limits: Record<string, LimitChanges>
  clock: ClockState
  /** The newest entries, oldest first. */
  request_log: RequestLogEntry[]
  /** Includes requests whose entries were dropped. */
  requests: number
  faults: InjectedFault[]
  reported: Reported
  /** Codes and tokens by grant. */
  index: IssuedIndex
  sweeps: Record<SweptStore, SweepCount>
}

/** Facts that answers reported, by fingerprint. A request that ignores them gets a verdict. */
export interface Reported {
  /** Codes that were sent and refresh tokens that were replaced. */
  spent: Record<string, true>
  /** The 2,000 before those. */
  spent_earlier: Record<string, true>
  spent_count: number
  /** The end of a used-up minute by credential and class, in UNIX milliseconds. */
  over: Record<string, number>
}

/** Changes go through `Context.change`. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

export function firstState({ organizations, people, applications, api_keys }: Seed): SandboxState {
  return structuredClone({
    organizations,
    people,
    applications,
    api_keys,
    choices: DEFAULT_CHOICES,
    random_count: 0,
    sign_ins: {},
    pending: {},
    grants: {},
    codes: {},
    access_tokens: {},
    refresh_tokens: {},
    minute_counts: {},
    windows: {},
    months: {},
    limits: {},
    clock: { offset_ms: 0 },
    request_log: [],
    requests: 0,
    faults: [],
    reported: { spent: {}, spent_earlier: {}, spent_count: 0, over: {} },
    index: { by_grant: {}, grants: {} },
    sweeps: NO_SWEEP_YET,
  })
}

/** For a key from outside: `constructor` and the like find nothing. */
export const ownValue = <T>(record: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
