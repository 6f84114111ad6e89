/** The snapshot of the quota of one session, out of what was read for it alone or for many. */
import type { Assumptions } from '../../contract/assumptions.ts'
import type { QuotaSnapshot, RefreshSnapshot } from '../../contract/quota.ts'
import type { Context, Tokens } from '../core/context.ts'
import type { LimitOwner } from '../session/limit-owner.ts'
import { type Measurement, measureMonth } from '../core/measurement.ts'
import { readMonth } from '../limits/month.ts'
import type { LimitSnapshot } from '../limits/snapshot.ts'
import type { RefreshNote } from '../token/refresh-note.ts'
import { needOf } from '../token/refresh-state.ts'
import { type LoadedSession, limitOwner } from '../session/record.ts'

/** What the snapshot of a session depends on beside the store: small, since every stream has one. */
export interface QuotaHolder extends Pick<LimitOwner, 'token' | 'organization' | 'session'> {
  /** Absent for an API key. */
  tokens?: Pick<Tokens, 'staleAtMs' | 'expiresAtMs'>
}

export function quotaHolder(session: LoadedSession): QuotaHolder {
  const { token, organization, session: id } = limitOwner(session)
  const { credential } = session.record
  if (credential.method === 'api_key') return { token, organization, session: id }
  const { staleAtMs, expiresAtMs } = credential.tokens
  return { token, organization, session: id, tokens: { staleAtMs, expiresAtMs } }
}

/** What all sessions of an organization have in common. */
export interface SharedMonth {
  snapshot: QuotaSnapshot['month']
  text: string
  measurement: Measurement | undefined
}

/** @param nowMs the service's time */
export async function readSharedMonth(
  context: Context,
  organization: string,
  nowMs: number,
  assumed: Assumptions,
): Promise<SharedMonth> {
  const month = await readMonth(context, organization, nowMs, assumed)
  return { snapshot: month, text: JSON.stringify(month), measurement: measureMonth({ month }) }
}

/** What was read for a session, apart from the month. */
export interface KnownOfHolder {
  version: number
  limits: LimitSnapshot
  refresh: RefreshNote
  assumed: Assumptions
}

export interface ReadQuota {
  own: Omit<QuotaSnapshot, 'month'>
  month: SharedMonth
}

/** Puts a snapshot together, and measures its month. */
export function quotaAt(
  context: Context,
  holder: QuotaHolder,
  { version, limits: { windows, pauses }, refresh: note, assumed }: KnownOfHolder,
  month: SharedMonth,
): ReadQuota {
  const refresh = refreshOf(context, holder, note, assumed)
  if (month.measurement !== undefined) context.measure(month.measurement)
  return { own: { version, token: holder.token, ...(refresh && { refresh }), ...windows, pauses }, month }
}

/** A snapshot as JSON. */
export const snapshotText = ({ own, month: { text } }: ReadQuota): string =>
  `${JSON.stringify(own).slice(0, -1)},"month":${text}}`

/** When a press refreshes the access token first (5.4), and whether that counts in the month; `undefined` for an API key. */
function refreshOf(
  { now }: Context,
  { tokens }: QuotaHolder,
  note: RefreshNote,
  { counts_in_month }: Assumptions,
): RefreshSnapshot | undefined {
  if (tokens === undefined) return undefined
  const nowMs = now()
  const leftMs = needOf(note, tokens, nowMs) === 'none' ? tokens.staleAtMs - nowMs : 0
  return { due_in_ms: Math.max(0, Math.ceil(leftMs)), counts: counts_in_month['token.refresh'] }
}
