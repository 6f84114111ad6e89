/** The snapshots of the quota of sessions at one instant: what several of them need is read once, and the month of an organization serialized once. */
import type { Assumptions } from '../contract/assumptions.ts'
import type { QuotaSnapshot, RefreshSnapshot } from '../contract/quota.ts'
import { type Context, serviceNowMs, type Tokens } from './context.ts'
import { readAssumptions } from './findings.ts'
import { type LimitOwner, limitNoteNames, parseLimitNotes } from './limit-note.ts'
import { type Measurement, measureMonth } from './measurement.ts'
import { readMonth } from './month.ts'
import { countInFlight } from './rate-limit-admission.ts'
import { limitsAt } from './rate-limit-snapshot.ts'
import { refreshName, refreshNoteOf } from './refresh-note.ts'
import { needOf } from './refresh-state.ts'
import { type LoadedSession, limitOwner } from './session-record.ts'

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
interface SharedMonth {
  snapshot: QuotaSnapshot['month']
  text: string
  measurement: Measurement | undefined
}

export interface ReadQuota {
  own: Omit<QuotaSnapshot, 'month'>
  month: SharedMonth
}

/** A snapshot as JSON. */
export const snapshotText = ({ own, month: { text } }: ReadQuota): string =>
  `${JSON.stringify(own).slice(0, -1)},"month":${text}}`

/**
 * Reads what the snapshots need, all at one instant.
 * @returns makes the snapshot of one of the holders, of its own token and organization, or throws why it could not be read
 */
export async function readQuotas(
  context: Context,
  holders: readonly QuotaHolder[],
): Promise<(holder: QuotaHolder) => ReadQuota> {
  const nowMs = serviceNowMs(context)
  // Before the rest: what is read then has all up to this change.
  const version = await context.store.readVersion()
  const assumed = await readAssumptions(context)
  const [own, monthOf] = await Promise.all([
    readOwn(context, holders),
    readMonths(context, holders, nowMs, assumed),
  ])
  return (holder) => {
    const month = monthOf(holder.organization)
    const { windows, pauses } = limitsAt(nowMs, own.limitNotes(holder), own.inFlight(holder))
    const refresh = refreshOf(context, holder, own.refreshNote(holder), assumed)
    if (month.measurement !== undefined) context.measure(month.measurement)
    const { token } = holder
    return { own: { version, token, ...(refresh && { refresh }), ...windows, pauses }, month }
  }
}

/** What is stored of the token, the organization and the refresh of each. */
async function readOwn(context: Context, holders: readonly QuotaHolder[]) {
  const tokens = [...new Set(holders.map(({ token }) => token))]
  const names = [
    ...new Set(holders.flatMap((holder) => [...limitNoteNames(holder), refreshName({ id: holder.session })])),
  ]
  const [stored, read, update] = await Promise.all([
    context.store.readNotes(names),
    countInFlight(context, tokens, 'read'),
    countInFlight(context, tokens, 'update'),
  ])
  const notes = new Map(names.map((name, nth) => [name, stored[nth]]))
  const counts = new Map(
    tokens.map((token, nth) => [token, { read: read[nth] ?? 0, update: update[nth] ?? 0 }]),
  )
  const noteOf = (name: string) => notes.get(name)
  return {
    limitNotes: (holder: QuotaHolder) => parseLimitNotes(limitNoteNames(holder).map(noteOf)),
    refreshNote: ({ session, token }: QuotaHolder) =>
      refreshNoteOf(noteOf(refreshName({ id: session })), token),
    inFlight: ({ token }: QuotaHolder) => counts.get(token) ?? { read: 0, update: 0 },
  }
}

/** @returns gives the month of an organization, or throws what it could not be read for */
async function readMonths(
  context: Context,
  holders: readonly QuotaHolder[],
  nowMs: number,
  assumed: Assumptions,
): Promise<(organization: string) => SharedMonth> {
  const organizations = [...new Set(holders.map(({ organization }) => organization))]
  const read = await Promise.allSettled(
    organizations.map(async (organization) => {
      const month = await readMonth(context, organization, nowMs, assumed)
      return { snapshot: month, text: JSON.stringify(month), measurement: measureMonth({ month }) }
    }),
  )
  const months = new Map(organizations.map((organization, nth) => [organization, read[nth]]))
  return (organization) => {
    const month = months.get(organization)
    if (month?.status !== 'fulfilled') throw month?.reason
    return month.value
  }
}

/** When a press refreshes the access token first (5.4), and whether that counts in the month; `undefined` for an API key. */
function refreshOf(
  { now }: Context,
  { tokens }: QuotaHolder,
  note: ReturnType<typeof refreshNoteOf>,
  { counts_in_month }: Assumptions,
): RefreshSnapshot | undefined {
  if (tokens === undefined) return undefined
  const nowMs = now()
  const leftMs = needOf(note, tokens, nowMs) === 'none' ? tokens.staleAtMs - nowMs : 0
  return { due_in_ms: Math.max(0, Math.ceil(leftMs)), counts: counts_in_month['token.refresh'] }
}
