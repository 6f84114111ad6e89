/** Notices that others use a token: more of its minute is used than this app has sent (8.2). */
import type { Observation } from '../../contract/rate-limit.ts'
import type { Context } from '../core/context.ts'
import type { LimitOwner } from '../session/limit-owner.ts'

/** A window and the clocks that it is measured by. */
const WINDOW_MS = 62_000

/**
 * The observations, with the note `others_on_token` where that is so. All requests of the organization that are younger than a
 * window count as sent with the token, whatever they were for: it is not shown what shares a window (8.2).
 */
export async function markOthers(
  context: Context,
  { organization, claimed }: Pick<LimitOwner, 'organization' | 'claimed'>,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  // The request itself is one.
  const first = observations.find((one) => usedIn(one) > 1)
  if (first === undefined) return observations
  const names = claimed === undefined ? [organization] : [organization, claimed]
  const sinceMs = first.servedAtSeconds * 1000 - WINDOW_MS
  const counts = await Promise.all(names.map((name) => context.store.countByKind(name, sinceMs)))
  const sent = counts.flat().reduce((sum, { count }) => sum + count, 0)
  return observations.map((one) => (usedIn(one) > sent ? { ...one, notes: ['others_on_token'] } : one))
}

/** How many are used by a report that is of this class for sure, and of a window of a minute. */
const usedIn = ({ limit = 0, remaining = limit, notes, assumed }: Observation): number =>
  assumed || notes.length > 0 ? 0 : limit - remaining
