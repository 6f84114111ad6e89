/** The layout of a session's record, and what it is read into. */
import {
  flag,
  isJsonObject,
  number,
  oneOf,
  onlyMembers,
  type Reader,
  recordOf,
  text,
} from '../../contract/json.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'
import type { Context, Tokens } from '../core/context.ts'
import { nameApiKey } from '../core/server-key.ts'

/** A change of the layout gets a higher number. A record with a higher number was written by a newer version, and is left alone. */
export const FORMAT = 1 as const

/** The last successful answer to a path. */
export interface Copy {
  text: string
  atMs: number
}

export interface OAuthCredential {
  method: 'oauth'
  organizationId: OrganizationId
  tokens: Tokens
}

/** With which of the two methods of section 5 a session authenticates. */
export type Credential =
  | OAuthCredential
  /** `name` stands for the key everywhere but in requests to the service. It is derived when the session is read. */
  | { method: 'api_key'; apiKey: string; name: string }

export interface SessionRecord {
  format: typeof FORMAT
  credential: Credential
  /** Whether a read has shown that the credential is good for its organization. Until then the session is short. */
  proven: boolean
  startedAtMs: number
  seenAtMs: number
  /** By path of the service. */
  copies: { readonly [path: string]: Copy }
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
    format: oneOf([FORMAT]),
    credential: (value): StoredCredential =>
      isJsonObject(value) && value['method'] === 'api_key' ? readApiKey(value) : readOauth(value),
    proven: flag,
    startedAtMs: number,
    seenAtMs: number,
    copies: recordOf(onlyMembers({ text, atMs: number }, {})),
  },
  {},
)

/** Reads a record. `newer` when a newer version of this program wrote it, `undefined` when it is none. */
export async function parseRecord(
  context: Context,
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

/** The record as it is stored: without the name of its key, which earlier versions, that may run beside this one, do not know. */
export function formatRecord(record: SessionRecord): unknown {
  if (record.credential.method === 'oauth') return record
  const { name: _, ...credential } = record.credential
  return { ...record, credential }
}
