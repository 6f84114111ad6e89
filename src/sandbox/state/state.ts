/** The whole state of the sandbox as one plain object: the records of the seed and all later ones. */
import * as v from 'valibot'
import { CHOICES_SCHEMA, type Choices, parseChoices } from '../choices/choices.ts'
import { FAULT } from './injected-fault.ts'
import { flag, parse, text, time, whole } from './parse.ts'
import { LOG_ENTRY, MOST_LOG_ENTRIES } from './request-log.ts'
import { assertLinked, parseSeed, SEED_ENTRIES, type Seed } from './seed.ts'

/** By a secret or an organization id. A record is replaced as a whole: the state file compares the objects. */
const recordOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.record(v.string(), schema as v.GenericSchema<unknown, Readonly<v.InferOutput<Schema>>>)
const records = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(recordOf(schema), () => ({}))
const counter = v.optional(whole(), 0)

const authorization = {
  redirect_uri: text,
  /** Set if the request named no redirect URI and the registered one is used (RFC 6749 4.1.3). */
  is_redirect_uri_optional: flag,
  /** The challenge of PKCE, by S256 (RFC 7636 4.2). */
  code_challenge: v.exactOptional(text),
}
const permission = { client_id: text, person_id: text, organization_id: whole() }
const issued = { grant_id: text, issued_at_ms: time }

/** Open until its reset (2.2). */
const OPEN_WINDOW = v.object({
  /** A fraction in a token bucket. */
  used: time,
  reset_at_seconds: time,
  opened_at_ms: v.exactOptional(time),
  /** The number of requests of another client that were added to the month (`shared`). */
  others_in_month: v.exactOptional(whole()),
  /** The limit and the plan at its opening. A changed limit takes effect with the next window. */
  limit: v.exactOptional(whole()),
  plan: v.exactOptional(v.string()),
  counted_at_ms: v.exactOptional(time),
  /** The times of its requests, in a sliding window. */
  times_ms: v.exactOptional(v.array(time)),
})

/** The limits that operating conditions have changed (8); `null` stands for no limit. */
export const LIMIT_CHANGES = v.strictObject({
  api_keys: v.exactOptional(whole()),
  oauth_applications: v.exactOptional(whole()),
  read_per_minute: v.exactOptional(whole(0, 1e6)),
  update_per_minute: v.exactOptional(whole(0, 1e6)),
  per_month: v.exactOptional(v.nullable(whole(0, 1e9))),
})

/** The requests of one organization in one month (8.3). */
const MONTH_COUNT = v.object({
  starts_at_ms: time,
  ends_at_ms: time,
  count: whole(),
  /** The counts of other months by their start: a clock that is set back finds its month again. */
  others: v.exactOptional(v.record(v.string(), whole())),
  /** The time zone by which the month is determined. */
  zone: v.exactOptional(text),
  /** At the end of earlier minutes, oldest first, as far back as the plan page needs (`lag`). */
  earlier: v.exactOptional(v.array(v.object({ at_ms: time, count: whole() }))),
  /** The count at the last load of the plan page (`lag`). */
  loaded: v.exactOptional(whole()),
})

/** Facts that answers reported, by fingerprint. A request that ignores them gets a verdict. */
const REPORTED = v.object({
  /** Codes that were sent and refresh tokens that were replaced. */
  spent: v.record(v.string(), v.literal(true)),
  /** The 2,000 before those. */
  spent_earlier: v.record(v.string(), v.literal(true)),
  spent_count: whole(),
  /** The end of a used-up minute by credential and class, in UNIX milliseconds. */
  over: v.record(v.string(), time),
})

/** Records that were added since the last sweep, and those that it left. */
const SWEEP = v.object({ added: whole(), left: whole() })
const SWEPT = v.picklist(['sign_ins', 'pending', 'minute_counts', 'windows', 'issued'])

const STATE = v.strictObject({
  ...SEED_ENTRIES,
  choices: v.optional(CHOICES_SCHEMA, () => ({})),
  random_count: counter,
  sign_ins: records(v.object({ person_id: text, signed_in_at_ms: time })),
  pending: records(
    v.object({ ...permission, ...authorization, state: v.exactOptional(text), asked_at_ms: time }),
  ),
  grants: records(v.object({ ...permission, permitted_at_ms: time })),
  codes: records(
    v.object({ ...issued, ...authorization, /** Its first use. */ used_at_ms: v.exactOptional(time) }),
  ),
  access_tokens: records(v.object(issued)),
  refresh_tokens: records(
    v.object({
      ...issued,
      used_at_ms: v.exactOptional(time),
      /** The time at which a refresh first replaced it. */
      replaced_at_ms: v.exactOptional(time),
      replaces: v.exactOptional(text),
      /** Set once the token that replaced it has been used. */
      is_successor_used: flag,
    }),
  ),
  /** Requests to the token endpoint, by name of the counter. */
  minute_counts: records(v.object({ count: whole(), ends_at_ms: time })),
  windows: records(v.object({ read: v.exactOptional(OPEN_WINDOW), update: v.exactOptional(OPEN_WINDOW) })),
  months: records(MONTH_COUNT),
  /** By organization id (8). */
  limits: records(LIMIT_CHANGES),
  clock: v.optional(v.object({ offset_ms: time, frozen_at_ms: v.exactOptional(time) }), { offset_ms: 0 }),
  /** The newest entries, oldest first. */
  request_log: v.optional(v.pipe(v.array(LOG_ENTRY), v.maxLength(MOST_LOG_ENTRIES)), () => []),
  /** Includes requests whose entries were dropped. */
  requests: counter,
  faults: v.optional(v.array(FAULT), () => []),
  reported: v.optional(REPORTED, () => ({ spent: {}, spent_earlier: {}, spent_count: 0, over: {} })),
  /** `issued` stands for codes, tokens and grants together. */
  sweeps: v.optional(v.record(SWEPT, SWEEP), () => ({})),
})

export type SandboxState = v.InferOutput<typeof STATE>
type Records<Name extends keyof SandboxState> = SandboxState[Name][keyof SandboxState[Name]]
export type PendingAuthorization = Records<'pending'>
export type Grant = Records<'grants'>
export type IssuedCode = Records<'codes'>
export type IssuedToken = Records<'access_tokens'>
export type IssuedRefreshToken = Records<'refresh_tokens'>
export type MinuteCount = Records<'minute_counts'>
export type MonthCount = Records<'months'>
export type OpenWindow = v.InferOutput<typeof OPEN_WINDOW>
export type LimitChanges = v.InferOutput<typeof LIMIT_CHANGES>
export type Reported = SandboxState['reported']
export type SweptStore = v.InferOutput<typeof SWEPT>

export const firstState = ({ organizations, people, applications, api_keys }: Seed): SandboxState =>
  structuredClone(parse(STATE, { organizations, people, applications, api_keys }, 'seed'))

/** The records of a seed must be there; other members may be missing. @throws Error that names wrong fields */
export function parseState(value: unknown): SandboxState {
  const parsed = parse(STATE, value, 'snapshot')
  assertLinked(parsed)
  // The members keep the order that they had, so the same calls still give the same bytes.
  const { choices, faults } = parsed
  return structuredClone({ ...parsed, ...(value as SandboxState), choices, faults })
}

/** For a key from outside: `constructor` and the like find nothing. */
export const ownValue = <T>(record: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

export interface SeededStateOptions {
  seed: Seed
  /** The seed that a reset goes back to, if it is not the first. */
  currentSeed?: Seed
  /** An earlier snapshot to continue from, in place of the seed's records. */
  state?: SandboxState
  /** Those that differ from their defaults, now and after each reset. */
  choices?: Partial<Choices>
  /** The clock stands there at the start and after each reset, UNIX milliseconds. */
  frozenAtMs?: number | undefined
}

/** Holds the state, and replaces it as a whole: by a snapshot, or by the records of a seed. */
export function createSeededState({ seed, choices = {}, frozenAtMs, ...stored }: SeededStateOptions) {
  let current = stored.currentSeed === undefined ? seed : parseSeed(stored.currentSeed, seed)
  const clock = frozenAtMs === undefined ? {} : { clock: { offset_ms: 0, frozen_at_ms: frozenAtMs } }
  const begin = (from = current) => Object.assign(firstState(from), structuredClone(clock))
  const state = stored.state === undefined ? begin() : parseState(stored.state)
  state.choices = parseChoices(choices, state.choices)
  // What was issued before is not issued again, to another person.
  const reset = (to = current) => {
    const { random_count } = state
    Object.assign(state, begin(to), { choices: parseChoices(choices), random_count })
    current = to
  }
  return {
    /** Always the same object; its members are replaced. */
    state,
    /** The last seed of `seed`, or that of the first start. */
    currentSeed: () => current,
    restore: (snapshot: unknown) => void Object.assign(state, parseState(snapshot)),
    reset: () => reset(),
    /** The first seed fills in the members that are missing. @throws Error that names the first mistake */
    seed: (records: unknown) => reset(parseSeed(records, seed)),
  }
}
