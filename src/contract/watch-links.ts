/** Watch links of an organization: what its signed-in people send and get. */

/** Limit of an organization's open links. */
export const MOST_LINKS = 20
/** A link lives this many days. */
export const LINK_DAYS = { least: 1, most: 365, usual: 30 } as const

/** An item of `GET /bff/watch-links`. It does not open anything. */
export interface WatchLink {
  id: string
  name: string
  /** The browser that made it: `Firefox on Linux`. */
  made_by: string
  /** RFC 3339. */
  made_at: string
  /** RFC 3339. */
  ends_at: string
  /** A day of UTC and a coarse browser: `2026-11-26`, `Firefox on Linux`. Absent until it is used. */
  last_use?: { day: string; browser: string }
}

/** The newest first. */
export interface WatchLinks {
  links: WatchLink[]
}

/** The answer of `POST /bff/watch-links`: the only time that the secret leaves the server. */
export interface MadeLink extends WatchLink {
  secret: string
}

/** The body of `POST /bff/watch-links`. */
export interface LinkRequest {
  name: string
  days: number
}
