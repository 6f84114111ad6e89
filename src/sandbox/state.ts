/** All that the sandbox knows, as one plain object: what it was seeded with, and what has happened since. */
import type { JsonObject } from '../contract/json.ts'
import type { PlanName } from '../contract/plan.ts'
import type { RequestClass } from '../contract/rate-limit.ts'

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
  state?: string
  organization_id: number
  person_id: string
  asked_at_ms: number
}

/** What a person permitted: this application, in their name, in this organization. */
export interface Grant {
  client_id: string
  person_id: string
  organization_id: number
}

export interface IssuedCode {
  grant_id: string
  redirect_uri: string
  issued_at_ms: number
  used: boolean
}

export interface IssuedToken {
  grant_id: string
  issued_at_ms: number
}

/** A minute of one class: over when its reset is reached (2.2). */
export interface OpenWindow {
  used: number
  reset_at_seconds: number
}

/** The requests of one organization in one month (8.3). */
export interface MonthCount {
  starts_at_ms: number
  ends_at_ms: number
  count: number
}

/** The records are keyed by what nobody may guess: a cookie's value, a code, a token; months by organization id. */
export interface SandboxState extends Omit<Seed, 'random'> {
  /** How many random values were drawn. */
  drawn: number
  sign_ins: Record<string, { person_id: string; signed_in_at_ms: number }>
  pending: Record<string, PendingAuthorization>
  grants: Record<string, Grant>
  codes: Record<string, IssuedCode>
  access_tokens: Record<string, IssuedToken>
  refresh_tokens: Record<string, IssuedToken>
  windows: Record<string, { [Class in RequestClass]?: OpenWindow }>
  months: Record<string, MonthCount>
}

/** The same without a way to write: whoever wants to change something goes through `World.change`. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The state in which nothing has happened yet. */
export function firstState({ organizations, people, applications, api_keys }: Seed): SandboxState {
  return structuredClone({
    organizations,
    people,
    applications,
    api_keys,
    drawn: 0,
    sign_ins: {},
    pending: {},
    grants: {},
    codes: {},
    access_tokens: {},
    refresh_tokens: {},
    windows: {},
    months: {},
  })
}

/** Looks up by a key that came over the wire, so that `constructor` and its like find nothing. */
export const lookUp = <T>(record: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** Takes out of a record what is no longer of use, so that a long life does not fill the memory. */
export function forget<T>(record: Record<string, T>, isOver: (value: T) => boolean): void {
  for (const [key, value] of Object.entries(record)) if (isOver(value)) delete record[key]
}
