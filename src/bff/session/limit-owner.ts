/** Names whose limits a request uses: the minute is per token (8.2), the month per organization (8.3). */

/** An unproven session, and each note on its limits, lasts this long. Every pause of a minute is shorter. */
export const UNPROVEN_MS = 600_000

export interface LimitOwner {
  /** Fingerprint of the token or key. */
  token: string
  /** An organization's id, an API key's name, or the name under which an unproven session counts. */
  organization: string
  /** Whose a success proves the credential to be; absent where one has. */
  claimed?: string
  /** The session's name in the store. */
  session: string
}
