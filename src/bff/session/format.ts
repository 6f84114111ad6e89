/** The layout of a session's record in the store and in memory. */
import { flag, isJsonObject, number, oneOf, onlyMembers, type Reader, text } from '../../contract/json.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'
import type { BffConfig, Tokens, Within } from '../core/context.ts'
import { nameApiKey } from '../core/server-key.ts'
import { UNPROVEN_MS } from './limit-owner.ts'

/** Raise it when the layout changes. A record of a newer version has a higher number and is left alone. */
export const FORMAT = 3 as const

/** A record without the members of a later format keeps the earlier one, which earlier versions read. */
export const formatFor = ({
  browserId,
  grant,
  signedInAtMs,
}: Pick<SessionRecord, 'browserId' | 'grant' | 'signedInAtMs'>): SessionRecord['format'] =>
  grant || signedInAtMs !== undefined ? FORMAT : browserId === undefined ? 1 : 2

export interface OAuthCredential {
  method: 'oauth'
  organizationId: OrganizationId
  tokens: Tokens
}

/** One of the two methods of section 5. */
export type Credential =
  | OAuthCredential
  /** `name` replaces the key except in requests to the service. It is derived when the session is read. */
  | { method: 'api_key'; apiKey: string; name: string }

export interface SessionRecord {
  format: 1 | 2 | typeof FORMAT
  credential: Credential
  /** A read has proven that the credential is good for its organization. An unproven session ends soon. */
  proven: boolean
  startedAtMs: number
  seenAtMs: number
  /** Names the browser among several of one person; absent if the person is the browser. */
  browserId?: string
  /** In a paired session: the owner of the session that opened it. Absent if it is the same. */
  person?: string
  /** Present if the session shares its tokens with those of paired browsers. */
  grant?: Grant
  /** When the sign-in was, in another browser, UNIX milliseconds. The session ends as if opened then. */
  signedInAtMs?: number
}

/** The entry in the store that has the tokens of paired sessions. */
export interface Grant {
  id: string
  /** Base64url. */
  key: string
}

const readOauth = onlyMembers(
  {
    method: oneOf(['oauth']),
    organizationId: (value) => parseOrganizationId(text(value)),
    tokens: onlyMembers(
      { accessToken: text, staleAtMs: number, expiresAtMs: number },
      { refreshToken: text },
    ),
  },
  {},
)
const readApiKey = onlyMembers({ method: oneOf(['api_key']), apiKey: text }, {})
type StoredCredential = OAuthCredential | { method: 'api_key'; apiKey: string }
type StoredRecord = Omit<SessionRecord, 'credential'> & { credential: StoredCredential }
const readRecord: Reader<StoredRecord> = onlyMembers(
  {
    format: oneOf([1, 2, FORMAT]),
    credential: (value): StoredCredential =>
      isJsonObject(value) && value['method'] === 'api_key' ? readApiKey(value) : readOauth(value),
    proven: flag,
    startedAtMs: number,
    seenAtMs: number,
  },
  { browserId: text, person: text, grant: onlyMembers({ id: text, key: text }, {}), signedInAtMs: number },
)

/** @returns `newer` if a newer version of this program wrote it, `undefined` if it is not a record */
export async function parseRecord(
  context: Within,
  value: unknown,
): Promise<SessionRecord | 'newer' | undefined> {
  const record = readStored(value)
  if (record === undefined || record === 'newer') return record
  const { credential } = record
  if (credential.method === 'oauth') return { ...record, credential }
  return { ...record, credential: { ...credential, name: await nameApiKey(context, credential.apiKey) } }
}

function readStored(value: unknown): StoredRecord | 'newer' | undefined {
  try {
    return readRecord(value)
  } catch {
    const format = isJsonObject(value) ? value['format'] : undefined
    return typeof format === 'number' && format > FORMAT ? 'newer' : undefined
  }
}

/** Leaves out the name of the API key: an earlier version may run at the same time and refuse it. */
export function formatRecord(record: SessionRecord): unknown {
  if (record.credential.method === 'oauth') return record
  const { name: _, ...credential } = record.credential
  return { ...record, credential }
}

/** The time when a session ends by itself, UNIX milliseconds. */
export const endOf = ({ sessionDays, sessionIdleDays }: BffConfig, record: SessionRecord): number =>
  Math.min(
    (record.signedInAtMs ?? record.startedAtMs) + (record.proven ? sessionDays * DAY_MS : UNPROVEN_MS),
    record.seenAtMs + sessionIdleDays * DAY_MS,
  )
