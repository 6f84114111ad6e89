/** The snapshots of many sessions at one instant: what several of them need is read once, and the month of an organization serialized once. */
import type { Assumptions } from '../../contract/assumptions.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { limitNoteNames, parseLimitNotes } from '../limits/note.ts'
import { type QuotaHolder, quotaAt, type ReadQuota, readSharedMonth, type SharedMonth } from './snapshot.ts'
import { countEachInFlight } from '../limits/admission.ts'
import { limitsAt } from '../limits/snapshot.ts'
import { refreshName, refreshNoteOf } from '../token/refresh-note.ts'

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
    const limits = limitsAt(nowMs, own.limitNotes(holder), own.inFlight(holder))
    const known = { version, limits, refresh: own.refreshNote(holder), assumed }
    return quotaAt(context, holder, known, monthOf(holder.organization))
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
    countEachInFlight(context, tokens, 'read'),
    countEachInFlight(context, tokens, 'update'),
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
    organizations.map((organization) => readSharedMonth(context, organization, nowMs, assumed)),
  )
  const months = new Map(organizations.map((organization, nth) => [organization, read[nth]]))
  return (organization) => {
    const month = months.get(organization)
    if (month?.status !== 'fulfilled') throw month?.reason
    return month.value
  }
}
