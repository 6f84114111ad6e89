/**
 * The client's assumptions where the document says "not shown". Change {@link ASSUMED} if the service behaves
 * otherwise. The function named beside a row reads it from its last parameter, whose default is ASSUMED. The
 * bff passes `assumptionsOf` (bff/evidence/findings.ts): ASSUMED with evidence in its place. The fold of the
 * ledger and the search for the zone need the zones without evidence: they read `ASSUMED.month_zones`.
 * Statuses and error words are in answer-meaning.ts; open points that no code depends on, in docs/service.md.
 */
export interface Assumptions {
  /** The names of the parameters on the redirect (4.1), as in RFC 6749 4.1.2. Read by readCallback. */
  redirect_parameters: { code: string; state: string; error: string }
  /** The `error` when the person denies access (4.1), as in RFC 6749 4.1.2.1. Read by readCallback. */
  denial_error: string
  /** Encoding of the token request (4.2) without a setting, as in RFC 6749 4.1.3. Read by readSettings. */
  token_encoding: 'form' | 'json'
  /** Members of an error (7); an error has at least one (RFC 6749 5.2, RFC 9457 3.1). Read by isErrorBody. */
  error_members: readonly string[]
  /** Further members of an error, which a record may have too (4.4, 7). Read by isErrorBody. */
  other_error_members: readonly string[]
  /**
   * Status of the answer over the month (8.3). While unknown, 402 may mean the month; if it is nearly used
   * up, so may 401, 403 and a success with an error as its body. Read by answerMeaning.
   */
  month_status: number | 'unknown'
  /** `GET /rate_limit` counts in the minute (4.3), as a GET with a token (8.2). Read by kindsInReadMinute. */
  rate_limit_read_counts_in_minute: boolean
  /** Says for each kind if a successful request counts (4.3, 8.3). Read by countRequests. */
  counts_in_month: Readonly<
    Record<'api.read' | 'api.update' | 'rate_limit' | 'token.code' | 'token.refresh', Counts>
  >
  /** Says if a refused or failed request counts in the month (8.3). Read by countRequests. */
  failed_requests_count_in_month: Counts
  /**
   * Zones in which the month may be reset (8.3): UTC and the zones furthest ahead and behind. The page shows
   * the reset as a span over all of them. Read by monthsAt.
   */
  month_zones: readonly string[]
  /** Path of the plan page below {base_url}, which shows the monthly access count (8.3). Read by planPage. */
  plan_page: string
}

export type Counts = (typeof COUNTS)[number]
export const COUNTS = ['yes', 'unknown', 'no'] as const

export const ASSUMED: Assumptions = {
  redirect_parameters: { code: 'code', state: 'state', error: 'error' },
  denial_error: 'access_denied',
  token_encoding: 'form',
  error_members: ['error', 'errors', 'message', 'detail'],
  other_error_members: ['error_description', 'error_uri', 'code', 'status', 'type', 'title', 'instance'],
  month_status: 'unknown',
  rate_limit_read_counts_in_minute: true,
  counts_in_month: {
    'api.read': 'yes',
    'api.update': 'yes',
    rate_limit: 'unknown',
    'token.code': 'unknown',
    'token.refresh': 'unknown',
  },
  failed_requests_count_in_month: 'unknown',
  month_zones: ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'],
  plan_page: '/plan',
}
