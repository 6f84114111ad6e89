/** All that the sandbox knows, as one plain object: what it was seeded with, and what has happened since. */
import type { JsonObject } from '../../contract/json.ts'
import type { Plan, PlanName } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { ClockState } from './clock.ts'
import type { Fault } from './injected-fault.ts'
import type { RequestLogEntry } from './request-log.ts'
import { DEFAULT_CHOICES, type Choices } from '../choices/choices.ts'

export interface Project {
  name: string
  lead: string
  open_tasks: number
  done_tasks: number
  /** A day, as 2026-11-30. */
  due_on: string
}

export interface Organization {
  id: number
  name: string
  plan: PlanName
  /** The plan that takes the place of this one at an instant, where plans change with the month (`planchange`). */
  next_plan?: { plan: PlanName; from_ms: number }
  /** Further fields of the record, answered as they are; which there are is not shown (2.3). */
  details: JsonObject
  projects: Project[]
}

export interface Person {
  id: string
  name: string
  organizations: { organization_id: number; role: 'administrator' | 'member' }[]
}

/** A registered OAuth application (2.3, 5.2). */
export interface Application {
  client_id: string
  client_secret: string
  name: string
  description?: string
  redirect_uri: string
  /** Further ones, where an application may have several (`redircount`); all of them: `redirectUrisOf` in standing.ts. */
  more_redirect_uris?: string[]
  /** Refused while it is set (`states`, `downgrade`), with its codes and tokens; asked by `isActive` in standing.ts. */
  disabled_by?: 'person' | 'plan'
  /** Set until the secret has been shown, where it is shown once (`visibility`). */
  secret_unseen?: true
  /** Where it is registered; whom it serves is another question, see `application_reach`. */
  organization_id: number
}

/** An issued API key (2.3, 5.1). */
export interface ApiKey {
  value: string
  description?: string
  organization_id: number
  /** A person's id. */
  issued_by: string
  /** Refused while it is set (`states`, `downgrade`). */
  disabled_by?: 'person' | 'plan'
  /** Kept only where a deleted key goes on for a while (`revoked`); whether it still does: `isActive` in standing.ts. */
  deleted_at_ms?: number
}

/** What a sandbox begins with. */
export interface Seed {
  organizations: Organization[]
  people: Person[]
  applications: Application[]
  api_keys: ApiKey[]
  /** From which everything is derived that nobody may guess. */
  random: string
}

/** A question on the permission page that is not answered yet (4.1). */
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

/** What a person permitted: this application, in their name, in this organization. */
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
  /** When a refresh first answered another one in its place. */
  replaced_at_ms?: number
  /** The one in whose place it was answered. */
  replaces?: string
  /** Whether one that was answered in its place has been used. */
  is_successor_used?: true
}

/** Requests of one kind within a minute, see token-limit.ts. */
export interface MinuteCount {
  count: number
  ends_at_ms: number
}

/** A minute of one class: over when its reset is reached (2.2). */
export interface OpenWindow {
  /** A fraction where it is refilled little by little. */
  used: number
  reset_at_seconds: number
  /** When its first request was counted. */
  opened_at_ms?: number
  /** How many requests of another client were added to the month (`shared`). */
  others_in_month?: number
  /** The limit and the plan that it opened with; a change of either may have to wait (`limitchange`). */
  limit?: number
  plan?: PlanName
  /** When the last request was counted. */
  counted_at_ms?: number
  /** When each was, where the window is always the last minute. */
  times_ms?: number[]
}

/** Limits of section 8 that have another value than the plan's, as conditions have it; `null` for no limit at all. */
export type LimitChanges = {
  [Limit in Exclude<keyof Plan, 'name'>]?: number | (Limit extends 'per_month' ? null : never)
}

/** The requests of one organization in one month (8.3). */
export interface MonthCount {
  starts_at_ms: number
  ends_at_ms: number
  count: number
  /** The zone whose month it is. */
  zone?: string
  /** What the count was at the end of earlier minutes, oldest first, as far back as a page may show it (`lag`). */
  earlier?: { at_ms: number; count: number }[]
  /** What the plan page was last going to show (`lag`). */
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

/** The records are keyed by what nobody may guess: a cookie's value, a code, a token; months by organization id. */
export interface SandboxState extends Omit<Seed, 'random'> {
  /** What is chosen where the document is silent; it can be changed while running. */
  choices: Choices
  /** How many random values were drawn. */
  drawn: number
  sign_ins: Record<string, { person_id: string; signed_in_at_ms: number }>
  pending: Record<string, PendingAuthorization>
  grants: Record<string, Grant>
  codes: Record<string, IssuedCode>
  access_tokens: Record<string, IssuedToken>
  refresh_tokens: Record<string, IssuedRefreshToken>
  /** What came to the token endpoint in the last minute, by what is counted. */
  minute_counts: Record<string, MinuteCount>
  windows: Record<string, { [Class in RequestClass]?: OpenWindow }>
  months: Record<string, MonthCount>
  /** By organization id: set while running, by whoever plays the operating conditions (8). */
  limits: Record<string, LimitChanges>
  clock: ClockState
  /** The last lines, oldest first. */
  ledger: RequestLogEntry[]
  /** How many requests there were, also those whose lines are gone. */
  requests: number
  faults: Fault[]
  reported: Reported
  /** Which codes and tokens belong to which grant. */
  index: IssuedIndex
  sweeps: Record<SweptStore, SweepCount>
}

/** What clients were told, by fingerprint, so that it can be said when they know better. */
export interface Reported {
  /** Codes that came, and refresh tokens in whose place another was answered. */
  spent: Record<string, true>
  /** The same of the 2,000 before those. */
  spent_earlier: Record<string, true>
  /** How many there are in `spent`. */
  spent_count: number
  /** Until when a credential's class is over, in UNIX milliseconds. */
  over: Record<string, number>
}

/** The same without a way to write: whoever wants to change something goes through `Context.change`. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The state in which nothing has happened yet. */
export function firstState({ organizations, people, applications, api_keys }: Seed): SandboxState {
  return structuredClone({
    organizations,
    people,
    applications,
    api_keys,
    choices: DEFAULT_CHOICES,
    drawn: 0,
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
    ledger: [],
    requests: 0,
    faults: [],
    reported: { spent: {}, spent_earlier: {}, spent_count: 0, over: {} },
    index: { by_grant: {}, grants: {} },
    sweeps: NO_SWEEP_YET,
  })
}

/** Looks up by a key that came over the wire, so that `constructor` and its like find nothing. */
export const lookUp = <T>(record: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
