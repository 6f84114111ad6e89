/** Parses seeds, snapshots and limits from outside. An invalid one changes nothing. */
import { isApiKey } from '../../contract/credential.ts'
import { isJsonObject, type JsonObject } from '../../contract/json.ts'
import { PLANS } from '../../contract/plan.ts'
import { isInstant } from './clock.ts'
import { parseFault } from './injected-fault.ts'
import { indexIssued } from './issued.ts'
import { MOST_LOG_ENTRIES } from './request-log.ts'
import { parseChoices } from '../choices/choices.ts'
import type { Seed } from './seed.ts'
import { firstState, type DeepReadonly, type LimitChanges, NO_SWEEP_YET, type SandboxState } from './state.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isTime: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isPlan: Check = (value) => typeof value === 'string' && Object.hasOwn(PLANS, value)
const isRole: Check = (value) => value === 'administrator' || value === 'member'
const isAddress: Check = (value) => typeof value === 'string' && URL.canParse(value)
// RFC 6749 3.1.2: a redirect URI has no fragment.
const isRegistrableUri: Check = (value) => isAddress(value) && !(value as string).includes('#')
const isKeyValue: Check = (value) => typeof value === 'string' && isApiKey(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const shape =
  (members: Record<string, Check>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([name, check]) => check(value[name]))
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const recordOf =
  (check: Check): Check =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(check)

const SEED_CHECKS: Record<keyof Omit<Seed, 'random'>, Check> = {
  organizations: listOf(
    shape({
      id: isWhole,
      name: isText,
      plan: isPlan,
      details: isJsonObject,
      projects: listOf(
        shape({ name: isText, lead: isText, open_tasks: isWhole, done_tasks: isWhole, due_on: isText }),
      ),
    }),
  ),
  people: listOf(
    shape({
      id: isText,
      name: isText,
      organizations: listOf(shape({ organization_id: isWhole, role: isRole })),
    }),
  ),
  applications: listOf(
    shape({
      client_id: isText,
      client_secret: isText,
      name: isText,
      redirect_uri: isRegistrableUri,
      more_redirect_uris: optional(listOf(isRegistrableUri)),
      organization_id: isWhole,
    }),
  ),
  api_keys: listOf(shape({ value: isKeyValue, organization_id: isWhole, issued_by: isText })),
}

const LIMIT_CHECKS: Record<keyof LimitChanges, Check> = {
  api_keys: optional(isWhole),
  oauth_applications: optional(isWhole),
  read_per_minute: optional(isWhole),
  update_per_minute: optional(isWhole),
  per_month: optional((value) => value === null || isWhole(value)),
}
const isLimits: Check = (value) =>
  shape(LIMIT_CHECKS)(value) &&
  Object.keys(value as object).every((name) => Object.hasOwn(LIMIT_CHECKS, name))

const issued = { grant_id: isText, issued_at_ms: isTime }
const isSweepCount = shape({ added: isWhole, left: isWhole })
const counted = optional(shape({ used: isTime, reset_at_seconds: isTime }))
const HISTORY_CHECKS: Record<keyof Omit<SandboxState, keyof Seed | 'choices'>, Check> = {
  random_count: isWhole,
  requests: isWhole,
  sign_ins: recordOf(shape({ person_id: isText, signed_in_at_ms: isTime })),
  pending: recordOf(
    shape({
      client_id: isText,
      redirect_uri: isAddress,
      organization_id: isWhole,
      person_id: isText,
      asked_at_ms: isTime,
    }),
  ),
  grants: recordOf(shape({ client_id: isText, person_id: isText, organization_id: isWhole })),
  codes: recordOf(shape({ ...issued, redirect_uri: isAddress })),
  access_tokens: recordOf(shape(issued)),
  refresh_tokens: recordOf(shape(issued)),
  minute_counts: recordOf(shape({ count: isWhole, ends_at_ms: isTime })),
  windows: recordOf(shape({ read: counted, update: counted })),
  months: recordOf(shape({ starts_at_ms: isTime, ends_at_ms: isTime, count: isWhole })),
  limits: recordOf(isLimits),
  clock: shape({ offset_ms: isTime, frozen_at_ms: optional(isInstant) }),
  request_log: (value) => listOf(isJsonObject)(value) && (value as unknown[]).length <= MOST_LOG_ENTRIES,
  faults: listOf((value) => parseFault(value) !== undefined),
  reported: shape({
    spent: recordOf((value) => value === true),
    spent_earlier: recordOf((value) => value === true),
    spent_count: isWhole,
    over: recordOf(isTime),
  }),
  // The index is always built again.
  index: isJsonObject,
  sweeps: shape(Object.fromEntries(Object.keys(NO_SWEEP_YET).map((name) => [name, isSweepCount]))),
}

/** `base` fills in missing members. @throws Error that names the first mistake */
export function parseSeed(value: unknown, base: Seed): Seed {
  const { random, ...records } = objectOf(value, 'A seed')
  refuseUnknown(records, SEED_CHECKS, 'a seed')
  if (random !== undefined && !isText(random)) throw new Error('random must be a text')
  const seed = { ...base, ...records, ...(random !== undefined && { random }) } as Seed
  assertAll(seed, SEED_CHECKS)
  assertLinked(seed)
  return structuredClone(seed)
}

/** `beginning` fills in missing members. @throws Error that names the first mistake */
export function parseState(value: unknown, beginning: SandboxState): SandboxState {
  const { choices = {}, ...others } = objectOf(value, 'A snapshot')
  const missing = Object.keys(SEED_CHECKS).find((name) => !Object.hasOwn(others, name))
  if (missing !== undefined) throw new Error(`The snapshot has no ${missing}`)
  refuseUnknown(others, { ...SEED_CHECKS, ...HISTORY_CHECKS }, 'a snapshot')
  const state = { ...beginning, ...others }
  assertAll(state, { ...SEED_CHECKS, ...HISTORY_CHECKS })
  assertLinked(state)
  return structuredClone({ ...state, choices: parseChoices(choices), index: indexIssued(state) })
}

/** By organization id. @throws Error that names the first mistake */
export function parseLimits(
  value: unknown,
  { organizations }: DeepReadonly<Pick<SandboxState, 'organizations'>>,
): SandboxState['limits'] {
  const limits = objectOf(value, 'The value of the limits')
  for (const [id, changes] of Object.entries(limits)) {
    if (!organizations.some((known) => String(known.id) === id))
      throw new Error('The limits name an organization that does not exist')
    if (!isLimits(changes))
      throw new Error(
        `Limits must be whole numbers named ${Object.keys(LIMIT_CHECKS).join(', ')}; per_month may be null`,
      )
  }
  return structuredClone(limits) as SandboxState['limits']
}

export const initialState = (seed: Seed, choices: unknown = {}): SandboxState => {
  const first = firstState(seed)
  return { ...first, choices: parseChoices(choices, first.choices) }
}

function objectOf(value: unknown, what: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${what} must be an object`)
  return value
}

function refuseUnknown(members: JsonObject, known: Record<string, Check>, what: string): void {
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a member of ${what}`)
}

function assertAll(members: object, checks: Record<string, Check>): void {
  const wrong = Object.entries(checks).find(([name, check]) => !check((members as JsonObject)[name]))
  if (wrong) throw new Error(`${wrong[0]} is not valid`)
}

/** Each id is unique, and each reference has its record. */
function assertLinked({ organizations, people, applications, api_keys }: Omit<Seed, 'random'>): void {
  const ids = {
    organizations: organizations.map(({ id }) => id),
    people: people.map(({ id }) => id),
    applications: applications.map(({ client_id }) => client_id),
    api_keys: api_keys.map(({ value }) => value),
  }
  for (const [name, known] of Object.entries(ids))
    if (new Set<unknown>(known).size < known.length) throw new Error(`${name} has a duplicate`)
  const named = [...applications, ...api_keys, ...people.flatMap((person) => person.organizations)]
  if (named.some(({ organization_id }) => !ids.organizations.includes(organization_id)))
    throw new Error('organization_id is not the id of an organization')
  const isIssued = ({ issued_by, organization_id }: Seed['api_keys'][number]) =>
    people.some(
      ({ id, organizations: member }) =>
        id === issued_by && member.some((one) => one.organization_id === organization_id),
    )
  if (!api_keys.every(isIssued))
    throw new Error('issued_by names a person who is not a member of the organization')
}
