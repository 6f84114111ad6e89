/** The records of a seed as a schema, which documents their format, and the built-in seed. */
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { isApiKey } from '../../contract/credential.ts'
import { isJsonObject, isTooDeep, type JsonObject } from '../../contract/json.ts'
import { parse, text, time, whole } from './parse.ts'
import { BUSINESS_ID, ORGANIZATIONS, PEOPLE, STANDARD_ID } from './seed-data.ts'

// RFC 6749 3.1.2: a redirect URI is absolute and has no fragment. In a network of containers it may be http.
export const redirectUri = v.pipe(
  v.string(),
  v.check(
    (uri) => /^https?:/i.test(uri) && URL.canParse(uri) && !uri.includes('#'),
    'It must be an address with http or https, without #',
  ),
)
const unique = <Item>(key: (item: Item) => unknown, name: string) =>
  v.check(
    (items: Item[]) => new Set(items.map(key)).size === items.length,
    `Two of them have the same ${name}`,
  )
/** `structuredClone` fails on what is nested much deeper. */
const isShallowObject = (value: unknown) => isJsonObject(value) && !isTooDeep(JSON.stringify(value))

export const SEED_ENTRIES = {
  organizations: v.pipe(
    v.array(
      v.strictObject({
        id: whole(),
        name: text,
        plan: v.picklist(['standard', 'business']),
        /** Further fields, which answers have unchanged. The document shows none (2.3). */
        details: v.custom<JsonObject>(isShallowObject, 'It must be an object of at most 100 levels'),
        projects: v.array(
          v.strictObject({ name: text, lead: text, open_tasks: whole(), done_tasks: whole(), due_on: text }),
        ),
      }),
    ),
    unique(({ id }) => id, 'id'),
  ),
  people: v.pipe(
    v.array(
      v.strictObject({
        id: text,
        name: text,
        organizations: v.array(
          v.strictObject({ organization_id: whole(), role: v.picklist(['administrator', 'member']) }),
        ),
      }),
    ),
    unique(({ id }) => id, 'id'),
  ),
  /** Sections 2.3 and 5.2. Others than its organization can use an application too (5.2). */
  applications: v.pipe(
    v.array(
      v.strictObject({
        client_id: text,
        client_secret: text,
        name: text,
        description: v.exactOptional(v.string()),
        redirect_uri: redirectUri,
        organization_id: whole(),
      }),
    ),
    unique(({ client_id }) => client_id, 'client_id'),
  ),
  api_keys: v.pipe(
    v.array(
      v.strictObject({
        value: v.pipe(v.string(), v.check(isApiKey, 'It must fit into a header field')),
        description: v.exactOptional(v.string()),
        organization_id: whole(),
        issued_by: text,
        /** Set on a deleted key that stays active for a while (`revoked`). */
        deleted_at_ms: v.exactOptional(time),
      }),
    ),
    unique(({ value }) => value, 'value'),
  ),
}

/** @param random is the source of all random values */
const SEED = v.strictObject({ ...SEED_ENTRIES, random: text })

export type Seed = v.InferOutput<typeof SEED>
export type Organization = Seed['organizations'][number]
export type Person = Seed['people'][number]
export type Application = Seed['applications'][number]
export type ApiKey = Seed['api_keys'][number]

/** `base` fills in missing members. @throws Error that names the wrong fields */
export function parseSeed(value: unknown, base: Seed): Seed {
  const records = parse(v.partial(SEED), value, 'seed')
  const seed = { ...base, ...records } as Seed
  assertLinked(seed)
  return structuredClone(seed)
}

/** Each reference has its record. @throws Error that names the field */
export function assertLinked({ organizations, people, applications, api_keys }: Omit<Seed, 'random'>): void {
  const known = (id: number) => organizations.some((one) => one.id === id)
  const check = (path: string, { organization_id }: { organization_id: number }) => {
    if (!known(organization_id)) throw new Error(`${path}.organization_id: There is no such organization`)
  }
  for (const [at, one] of applications.entries()) check(`applications[${at}]`, one)
  for (const [at, person] of people.entries())
    for (const [nth, one] of person.organizations.entries()) check(`people[${at}].organizations[${nth}]`, one)
  for (const [at, key] of api_keys.entries()) {
    check(`api_keys[${at}]`, key)
    const issuer = people.find(({ id }) => id === key.issued_by)
    if (!issuer?.organizations.some(({ organization_id }) => organization_id === key.organization_id))
      throw new Error(`api_keys[${at}].issued_by: This person is not a member of the organization`)
  }
}

interface SeedOptions {
  /** Origin of the application, without a trailing slash. */
  publicUrl: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The key of the Standard organization. */
  apiKey?: string | undefined
  /** Values that are not passed in are derived from it. */
  random: string
}

/** Business has the application, so Standard can still register its only one (8.1). */
export function seedFor({ publicUrl, clientId, clientSecret, apiKey, random }: SeedOptions): Seed {
  parse(v.object({ publicUrl: text, random: text }), { publicUrl, random }, 'options')
  const seeded = (what: string) => derive(random, `seeded ${what}`)
  return {
    organizations: parse(SEED_ENTRIES.organizations, structuredClone(ORGANIZATIONS), 'organizations'),
    people: parse(SEED_ENTRIES.people, structuredClone(PEOPLE), 'people'),
    applications: [
      {
        client_id: clientId ?? seeded('client_id').slice(0, 20),
        client_secret: clientSecret ?? seeded('client_secret'),
        name: 'Plimsoll',
        description: 'Shows your organization, and how many requests are left before they run out.',
        redirect_uri: `${publicUrl}${CALLBACK_PATH}`,
        organization_id: BUSINESS_ID,
      },
    ],
    api_keys: [
      {
        value: apiKey ?? seeded('api_key of Standard'),
        description: 'Nightly export',
        organization_id: STANDARD_ID,
        issued_by: 'ada',
      },
      {
        value: seeded('api_key of Business'),
        description: 'Timetable board',
        organization_id: BUSINESS_ID,
        issued_by: 'cleo',
      },
    ],
    random,
  }
}

/** The only source of random values: 256 bits, where RFC 6749 10.10 asks for 128, better 160. */
export const derive = (random: string, label: string): string =>
  createHmac('sha256', random).update(label).digest('base64url')
