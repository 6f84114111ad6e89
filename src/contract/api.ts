/** The routes between web and bff, and the headers that carry the price. */

export const BFF = {
  session: '/bff/session',
  /** One of them is at this path followed by `/` and its id: POST uses it, DELETE ends it. */
  sessions: '/bff/sessions',
  login: '/bff/login',
  quota: '/bff/quota',
  events: '/bff/events',
  ledger: '/bff/ledger',
  /** The same requests, counted by day and kind. */
  ledgerDays: '/bff/ledger/days',
  /** One of them is at this path followed by `/` and its id. */
  readings: '/bff/readings',
  /** One finding is at this path followed by `/` and its name. */
  evidence: '/bff/evidence',
} as const
/** Followed by a path of the service: `/api/organizations`, `/api/rate_limit`. */
export const API_PREFIX = '/api'

/** On every request, so that no form and no link of another page can make one. */
export const CSRF_HEADER = 'X-CSRF'
/** On requests of a page with a session: its id. With the cookie of another one they are refused, so that no page gets what is not its own. */
export const SESSION_HEADER = 'X-Plimsoll-Session'
/** `1` on a request that may spend one request of the quota, because a person pressed something. */
export const SPEND_HEADER = 'X-Plimsoll-Spend'
/** On every answer of `/api`: how many requests of the quota it cost. */
export const SPENT_HEADER = 'X-Plimsoll-Spent'
/** With the three headers of the service on an answer of `/api`: the service's time when it left, RFC 3339, so that a reset is a delay. */
export const SERVICE_TIME_HEADER = 'X-Plimsoll-Service-Time'
/** With them: the name of the token that they belong to, as in the snapshot. */
export const TOKEN_HEADER = 'X-Plimsoll-Token'
