/** The routes between web and bff, and the headers that carry the price. */

export const BFF = {
  session: '/bff/session',
  /** A single session is at this path, `/` and its id: POST uses it, DELETE ends it. */
  sessions: '/bff/sessions',
  login: '/bff/login',
  /** Answers what the cookie of a sign-in keeps. */
  startedLogin: '/bff/login/started',
  quota: '/bff/quota',
  events: '/bff/events',
  ledger: '/bff/ledger',
  /** The requests of the ledger, counted by day and kind. */
  ledgerDays: '/bff/ledger/days',
  /** The same by the name of the browser. */
  ledgerBrowsers: '/bff/ledger/browsers',
  /** The browser that asks: PUT names it. */
  browser: '/bff/browser',
  /** The requests of the last months. */
  months: '/bff/months',
  /** A single reading is at this path, `/` and its id. */
  readings: '/bff/readings',
  /** A single finding is at this path, `/` and its name. */
  evidence: '/bff/evidence',
  /** A single link is at this path, `/` and its id. */
  watchLinks: '/bff/watch-links',
} as const

/** A path of the service follows it: `/api/organizations`, `/api/rate_limit`. */
export const API_PREFIX = '/api'

/** Every request carries it, so that no form or link of another page can make one. */
export const CSRF_HEADER = 'X-CSRF'
/** The id of the page's session. The bff refuses a request whose cookie belongs to another session. */
export const SESSION_HEADER = 'X-Plimsoll-Session'
/** `1` allows a request to spend one request of the quota, because a person pressed something. */
export const SPEND_HEADER = 'X-Plimsoll-Spend'
/** Every answer of `/api` says how many reads were sent for it. */
export const SPENT_HEADER = 'X-Plimsoll-Spent'
/** The number of token requests sent for it, which may count too (8.3); absent if there was none. */
export const REFRESHED_HEADER = 'X-Plimsoll-Refreshed'
/** The answer to a press carries the quota that it leaves, as JSON. Absent while the store fails. */
export const QUOTA_HEADER = 'X-Plimsoll-Quota'
/**
 * The build of the server: when it was made, and a name of its sources, as `20261128T0041-3f9a01c2`. A page
 * of an older build loads anew.
 */
export const BUILD_HEADER = 'X-Plimsoll-Build'
