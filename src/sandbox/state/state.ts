/** The whole state of the sandbox as one plain object: the records of the seed, and those added since. */
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
  /** Set where the request named none, and the registered one is used (`redirmissing`). */
  is_redirect_uri_optional?: true
  state?: string
  organization_id: number
  person_id: string
  /** Of PKCE, by S256 (RFC 7636 4.2). */
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
  /** Set where the authorization request named none (RFC 6749 4.1.3). */
  is_redirect_uri_optional?: true
  code_challenge?: string
  issued_at_ms: number
  /** Its first use. */
  used_at_ms?: number
}

export interface IssuedToken {
  grant_id: string
  issued_at_ms: number
}

export interface IssuedRefreshToken extends IssuedToken {
  /** Its last use. */
  used_at_ms?: number
  /** When a refresh first replaced it. */
  replaced_at_ms?: number
  /** The refresh token that it replaced. */
  replaces?: string
  /** Whether the one that replaced it has been used. */
  is_successor_used?: true
}

/** A count of requests within a minute, see minute-counter.ts. */
export interface MinuteCount {
  count: number
  ends_at_ms: number
}

/** A window of one class, open until its reset (2.2). */
export interface OpenWindow {
  /** A fraction in a token bucket. */
  used: number
  reset_at_seconds: number
  /** When its first request was counted. */
  opened_at_ms?: number
  /** How many requests of another client were added to the month (`shared`). */
  others_in_month?: number
  /** The limit and the plan at its opening; a change may take effect later (`limitchange`). */
  limit?: number
  plan?: PlanName
  /** When the last request was counted. */
  counted_at_ms?: number
  /** When each was counted, in a sliding window. */
  times_ms?: number[]
}

/** Limits that differ from those of the plan, because of operating conditions (8); `null` for no limit. */
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
  /** The count at the end of earlier minutes, oldest first, as far back as the plan page shows (`lag`). */
  earlier?: { at_ms: number; count: number }[]
  /** The count at the last load of the plan page (`lag`). */
  loaded?: number
}

/** The keys of what was issued for one grant, oldest first. */
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

/** How many records were added to a store since its last sweep, and how many that sweep left. */
export interface SweepCount {
  added: number
  left: number
}

/** `issued` are codes, tokens and grants together. */
export type SweptStore = 'sign_ins' | 'pending' | 'minute_counts' | 'windows' | 'issued'

export const NO_SWEEP_YET: Readonly<Record<SweptStore, SweepCount>> = {
  sign_ins: { added: 0, left: 0 },
  pending: { added: 0, left: 0 },
  minute_counts: { added: 0, left: 0 },
  windows: { added: 0, left: 0 },
  issued: { added: 0, left: 0 },
}

/** Records are keyed by their secret: a cookie's value, a code, a token; months by organization id. */
export interface SandboxState extends Omit<Seed, 'random'> {
  /** The chosen values where the document leaves something open; they can be changed while running. */
  choices: Choices
  /** How many random values were made. */
  random_count: number
  sign_ins: Record<string, { person_id: string; signed_in_at_ms: number }>
  pending: Record<string, PendingAuthorization>
  grants: Record<string, Grant>
  codes: Record<string, IssuedCode>
  access_tokens: Record<string, IssuedToken>
  refresh_tokens: Record<string, IssuedRefreshToken>
  /** Counts of requests to the token endpoint, by name of the counter. */
  minute_counts: Record<string, MinuteCount>
  windows: Record<string, { [Class in RequestClass]?: OpenWindow }>
  months: Record<string, MonthCount>
  /** Limits set while running, by organization id (8). */
  limits: Record<string, LimitChanges>
  clock: ClockState
  /** The last entries, oldest first. */
  request_log: RequestLogEntry[]
  /** How many requests there were, also those whose entries are gone. */
  requests: number
  faults: InjectedFault[]
  reported: Reported
  /** Which codes and tokens belong to which grant. */
  index: IssuedIndex
  sweeps: Record<SweptStore, SweepCount>
}

/** What answers have reported to clients, by fingerprint, so that later requests against it can be recognised. */
export interface Reported {
  /** Codes that were sent, and refresh tokens that were replaced. */
  spent: Record<string, true>
  /** The same of the 2,000 before those. */
  spent_earlier: Record<string, true>
  /** How many there are in `spent`. */
  spent_count: number
  /** Until when the minute of a credential and class is used up, in UNIX milliseconds. */
  over: Record<string, number>
}

/** The same type, read-only at every depth: changes go through `Context.change`. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** The state of a new sandbox. */
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

/** Looks up by a key that came over the wire, so that `constructor` and its like find nothing. */
export const ownValue = <T>(record: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
