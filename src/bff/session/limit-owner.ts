/** The owner of the limits of a request: the minute is per token (8.2), the month per organization (8.3). */
import { MINUTE_MS } from '../../contract/duration.ts'
import type { Within } from '../core/context.ts'

/** An unproven session, and each note on its limits, lasts this long. Every pause of a minute is shorter. */
export const UNPROVEN_MS = 10 * MINUTE_MS

/** Names an organization's note, the topic of its changes, and the lock of its writers. */
export const organizationTopic = (organization: string): `organization ${string}` =>
  `organization ${organization}`

export interface LimitOwner {
  /** Fingerprint of the token or key. */
  token: string
  /** An organization's id, an API key's name, or the name under which an unproven session counts. */
  organization: string
  /** The organization that a success would prove; absent if it is proven already. */
  claimed?: string
  session: string
}

/** The sessions of an API key share its minute, also one that is not proven and counts under its own name. */
export const lockClaimed = async ({ store }: Within, { claimed }: LimitOwner): Promise<void> => {
  if (claimed !== undefined) await store.lock(organizationTopic(claimed))
}
