/** Notices that others use a token: its minute has more used requests than this app sent (8.2). */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Observation } from '../../contract/rate-limit.ts'
import type { Context } from '../core/context.ts'
import type { LimitOwner } from '../session/limit-owner.ts'

/** A window, and the inaccuracy of two clocks. */
const WINDOW_MS = MINUTE_MS + 2 * SECOND_MS

/**
 * Adds the note `others_on_token`. All requests of the organization in the last window count as sent with the
 * token, whatever their kind: the document does not show what shares a window (8.2).
 */
export async function markOthers(
  context: Context,
  { organization, claimed }: Pick<LimitOwner, 'organization' | 'claimed'>,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  // The request that was answered is one of them.
  const first = observations.find((one) => usedIn(one) > 1)
  if (first === undefined) return observations
  const names = claimed === undefined ? [organization] : [organization, claimed]
  const sinceMs = first.servedAtSeconds * SECOND_MS - WINDOW_MS
  const counts = await Promise.all(names.map((name) => context.store.countByKind(name, sinceMs)))
  const sent = counts.flat().reduce((sum, { count }) => sum + count, 0)
  return observations.map((one) => (usedIn(one) > sent ? { ...one, notes: ['others_on_token'] } : one))
}

/** 0 for a report that is not certainly about this class and a window of a minute. */
const usedIn = ({ limit = 0, remaining = limit, notes, assumed }: Observation): number =>
  assumed || notes.length > 0 ? 0 : limit - remaining
