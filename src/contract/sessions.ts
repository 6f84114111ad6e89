/** The answer of `GET /bff/sessions`: a person's own sessions. */

/** One session. It holds no secret. */
export interface OwnSession {
  /** The `id` in the answer of `GET /bff/session`. */
  id: string
  /** RFC 3339. */
  opened_at: string
  /** RFC 3339. It is stored about once an hour. */
  seen_at: string
  /** The name that its person chose, or for example `Firefox on Linux`. */
  browser: string
  /** It is the session of the browser that asks. */
  current: boolean
  /** A code of another browser has opened it. */
  paired?: boolean
}

/** The newest first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** Limit of one owner's open sessions. When another one is opened, the oldest ends. */
export const MAX_OWN_SESSIONS = 20
