/** The layout of a session's record in the store and in memory. */
import { DAY_MS } from '../../contract/duration.ts'
import type { OrganizationId } from '../../contract/organization.ts'
import type { BffConfig, Tokens } from '../core/context.ts'
import { UNPROVEN_MS } from './limit-owner.ts'

/** Raise it when the layout changes. A record of another version is left alone, and opens no session. */
export const FORMAT = 5

export interface OAuthCredential {
  method: 'oauth'
  organizationId: OrganizationId
  tokens: Tokens
}

/** One of the two methods of section 5. */
export type Credential =
  | OAuthCredential
  /** `name` replaces the key except in requests to the service. */
  | { method: 'api_key'; apiKey: string; name: string }

export interface SessionRecord {
  format: typeof FORMAT
  /** It is in the row of the grant, and not in that of the session. */
  credential: Credential
  /** A read has proven that the credential is good for its organization. An unproven session ends soon. */
  proven: boolean
  startedAtMs: number
  seenAtMs: number
  /** Names the browser among several of one person; absent if the person is the browser. */
  browserId?: string
  /** In a paired session: the owner of the session that opened it. Absent if it is the same. */
  person?: string
  /** When the sign-in was, in another browser, UNIX milliseconds. The session ends as if opened then. */
  signedInAtMs?: number
}

/** The time when a session ends by itself, UNIX milliseconds. */
export const endOf = ({ sessionDays, sessionIdleDays }: BffConfig, record: SessionRecord): number =>
  Math.min(
    (record.signedInAtMs ?? record.startedAtMs) + (record.proven ? sessionDays * DAY_MS : UNPROVEN_MS),
    record.seenAtMs + sessionIdleDays * DAY_MS,
  )
