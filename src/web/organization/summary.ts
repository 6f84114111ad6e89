/** The members of a record that the card shows. One that is not as expected is left out (2.3, 4.4). */
import type { JsonObject } from '../../contract/json.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type PlanName, PLANS } from '../../contract/plan.ts'
import type { OtherSession, SignedIn } from '../../contract/session.ts'
import { organizationQuery } from '../lib/query.ts'
import { rememberOrganization, useLastOrganizations } from '../session/last-organizations.ts'
import { words } from '../text/text.ts'

// The one in contract/json.ts would become a separate chunk that every page loads.
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Never a member that every object inherits. */
const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

const WRAPS = ['organization', 'organizations', 'data'] as const
const MOST_LEVELS = 3

/** The object itself, or the one in `[{…}]`, `{"organization": {…}}` or `{"data": [{…}], "meta": {…}}`. */
export function recordIn(value: unknown, level = 0): JsonObject | undefined {
  const isDeeper = level < MOST_LEVELS
  if (Array.isArray(value)) return value.length === 1 && isDeeper ? recordIn(value[0], level + 1) : undefined
  if (!isJsonObject(value)) return undefined
  // An object with its own `name` wraps nothing.
  const wrap = Object.hasOwn(value, 'name') ? undefined : WRAPS.find((name) => Object.hasOwn(value, name))
  return (wrap !== undefined && isDeeper ? recordIn(value[wrap], level + 1) : undefined) ?? value
}

/** The names of the record's members that differ. An answer that is no record has no members. */
export function changedFields(before: string, after: string): string[] {
  const [former, present] = [fieldsIn(before), fieldsIn(after)]
  const names = new Set([...Object.keys(former), ...Object.keys(present)])
  return [...names].filter((name) => JSON.stringify(own(former, name)) !== JSON.stringify(own(present, name)))
}

function fieldsIn(text: string): JsonObject {
  try {
    return recordIn(JSON.parse(text)) ?? {}
  } catch {
    return {}
  }
}

/** Characters that turn the direction of the text around them. */
export const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export interface Person {
  name: string
  isAdministrator: boolean
}

export interface Summary {
  name?: string | undefined
  plan?: string | undefined
  members?: readonly Person[] | undefined
  /** On one line. */
  address?: string | undefined
  /** A day or an instant, as the service wrote it. */
  created?: string | undefined
}

/** The names that a member may have. */
const PLAN = ['plan', 'plan_name']
const MEMBERS = ['members', 'users', 'people']
const CREATED = ['created_at', 'created', 'created_on']

/** A longer name would fill a title. */
const LONGEST_NAME = 80
const LONGEST_ADDRESS = 160

/** @param text the service's answer */
export function summaryIn(text: string): Summary {
  try {
    const record = recordIn(JSON.parse(text)) ?? {}
    const first = (names: readonly string[]): unknown =>
      names.map((name) => own(record, name)).find((value) => value !== undefined)
    const created = lineOf(first(CREATED))
    return {
      name: lineOf(own(record, 'name')),
      plan: lineOf(first(PLAN)),
      members: peopleIn(first(MEMBERS)),
      address: addressIn(own(record, 'address')),
      created: created !== undefined && isDated(created) ? created : undefined,
    }
  } catch {
    return {}
  }
}

const isDated = (written: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/.test(written) &&
  !Number.isNaN(Date.parse(written))

/** One line of text with something to see; `undefined` for every other value. */
function lineOf(value: unknown, longest = LONGEST_NAME): string | undefined {
  if (typeof value !== 'string' || value.length > 2 * longest) return undefined
  const line = value.replaceAll(DIRECTION_MARKS, '').replaceAll(/\s+/g, ' ').trim()
  return line.length <= longest && /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : undefined
}

/** All of them or none, so that the number of people is right. */
function peopleIn(value: unknown): readonly Person[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const people = value.map(personIn)
  return people.every((person) => person !== undefined) ? people : undefined
}

function personIn(value: unknown): Person | undefined {
  const record = isJsonObject(value) ? value : { name: value }
  const name = lineOf(own(record, 'name'))
  const role = own(record, 'role')
  return name === undefined
    ? undefined
    : { name, isAdministrator: role === 'administrator' || role === 'admin' }
}

/** "3 East Quay, Port Ellery PE4 2RW". */
function addressIn(value: unknown): string | undefined {
  if (!isJsonObject(value)) return lineOf(value, LONGEST_ADDRESS)
  const parts = ['street', 'city', 'postal_code'].map((name) => own(value, name) ?? '')
  const lines = parts.map((part) => (part === '' ? '' : lineOf(part)))
  if (lines.includes(undefined)) return undefined
  const [street, ...town] = lines
  return [street, town.filter(Boolean).join(' ')].filter(Boolean).join(', ') || undefined
}

/** Each answer is parsed once, because it may have megabytes. */
const known = new WeakMap<{ text: string }, Summary>()

export function summaryOf(answer: { text: string }): Summary {
  const found = known.get(answer) ?? summaryIn(answer.text)
  known.set(answer, found)
  return found
}

/** Reads the page's own copy, and asks for none. */
export function useSummary(session: SignedIn): Summary {
  const { data: answer } = useQuery({ ...organizationQuery(session), enabled: false })
  return answer ? summaryOf(answer) : {}
}

/** The plan of the document (8.1) that a record names. */
export function planNamed(plan = ''): PlanName | undefined {
  const name = plan.toLowerCase()
  return Object.hasOwn(PLANS, name) ? (name as PlanName) : undefined
}

export const useKnownPlan = (session: SignedIn): PlanName | undefined => planNamed(useSummary(session).plan)

/** Names an organization as this browser remembers it, or by its number. */
export function useNames(): (of: Pick<OtherSession, 'organization_id'>) => string {
  const last = useLastOrganizations()
  const t = words().organization
  return ({ organization_id: id }) =>
    id === undefined ? t.ofKey : (last.find((one) => one.id === id)?.name ?? t.numbered(id))
}

export function useOrganizationName(session: SignedIn): string {
  const nameOf = useNames()
  return useSummary(session).name ?? nameOf(session)
}

/** For the sign-in page: at once, and again when the name is known. An API key names no organization. */
export function useRememberedOrganization(session: SignedIn): void {
  const { organization_id: id } = session
  const { name } = useSummary(session)
  useEffect(() => {
    if (id !== undefined) rememberOrganization(name === undefined ? { id } : { id, name })
  }, [id, name])
}
