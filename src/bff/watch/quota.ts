/** The quota as a watch link shows it: without the requests, prices and names of a session's snapshot. */
import type { WatchedQuota } from '../../contract/watch.ts'
import type { Context } from '../core/context.ts'
import { readRecent } from '../quota/recent.ts'
import { type QuotaHolder, readSnapshots } from '../quota/snapshot.ts'

/** The minute is that of the token that the organization used last (8.2: each token has its own). */
export async function readHolders(
  context: Context,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, QuotaHolder>> {
  const holders = [...new Set(organizations)].map(async (organization) => {
    const { token } = await readRecent(context, organization)
    return [organization, { token, organization, session: '', grant: '', person: '' }] as const
  })
  return new Map(await Promise.all(holders))
}

export async function readWatched(
  context: Context,
  holders: readonly QuotaHolder[],
): Promise<(holder: QuotaHolder) => WatchedQuota> {
  const snapshotOf = await readSnapshots(context, holders)
  return (holder) => {
    const { own, shared } = snapshotOf(holder)
    const { version, epoch, read, update, pauses } = own
    return { version, ...(epoch && { epoch }), token: '', read, update, month: shared.month, pauses }
  }
}
