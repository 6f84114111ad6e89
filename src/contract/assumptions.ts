/**
 * What the client assumes where the document has "not shown": the one place to change when the service answers otherwise.
 * Each row is read by the function named beside it, as its last parameter. What a status or an error word means is the table
 * in answer-meaning.ts; open points that no code depends on are in docs/service.md.
 */
export interface Assumptions {
  /** The names of the parameters on the redirect (4.1). Those of RFC 6749 4.1.2. Read by readCallback. */
  redirect_parameters: { code: string; state: string; error: string }
  /** The `error` when the person denies access (4.1). That of RFC 6749 4.1.2.1. Read by readCallback. */
  denial_error: string
  /** Encoding of the token request (4.2), unless a setting names the other one. That of RFC 6749 4.1.3. Read by readSettings. */
  token_encoding: 'form' | 'json'
  /** Members that only an error has (7), of which one has to be there. From RFC 6749 5.2 and RFC 9457 3.1. Read by isErrorBody. */
  error_members: readonly string[]
  /** Members that an error may have beside those, and a record may have too (4.4, 7). Read by isErrorBody. */
  other_error_members: readonly string[]
  /**
   * Which class the rate-limit headers describe (8.4.4) where their limit does not show it: that of the request, which is then
   * marked as assumed, or what is known of the service. Read by attribute.
   */
  headers_describe: 'class_of_limit' | 'class_of_request' | 'update'
  /**
   * Status of the answer over the month (8.3); while it is not known, 402 may be one, and where the month is nearly used up 401,
   * 403 and a success with an error as its body. Read by answerMeaning.
   */
  month_status: number | 'unknown'
  /** Whether `GET /rate_limit` counts in the minute (4.3): it is a GET with a token (8.2). Read by kindsInReadMinute. */
  rate_limit_read_counts_in_minute: boolean
  /** Whether a request that succeeds counts in the month (4.3, 8.3), by what it was for. Read by countRequests. */
  counts_in_month: Readonly<
    Record<'api.read' | 'api.update' | 'rate_limit' | 'token.code' | 'token.refresh', Counts>
  >
  /** Whether a request counts in the month that was refused or failed (8.3). Read by countRequests. */
  failed_requests_count_in_month: Counts
  /**
   * Time zones in which the month may be reset (8.3). UTC, the one furthest ahead of it and the one furthest behind: the reset
   * is shown as a span over all of them. Read by monthsAt.
   */
  month_zones: readonly string[]
  /** Path of the organization's plan page below {base_url}, which has the monthly access count (8.3). Read by planPage. */
  plan_page: string
}

export type Counts = 'yes' | 'unknown' | 'no'

export const ASSUMED: Assumptions = {
  redirect_parameters: { code: 'code', state: 'state', error: 'error' },
  denial_error: 'access_denied',
  token_encoding: 'form',
  error_members: ['error', 'errors', 'message', 'detail'],
  other_error_members: ['error_description', 'error_uri', 'code', 'status', 'type', 'title', 'instance'],
  headers_describe: 'class_of_limit',
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
