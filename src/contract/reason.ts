/** Why a limit is taken as reached: a code and its numbers. The page has the words (8.3, 8.4.3). */

export type ReasonCode =
  /** The service asks to wait, for more than a minute or less. */
  | 'long_wait_asked'
  | 'short_wait_asked'
  /** The refusal's headers say: requests are left; the reset is too far away for a minute; none are left. */
  | 'minute_has_requests_left'
  | 'reset_is_far'
  | 'minute_used_up'
  | 'few_were_sent'
  | 'refused_again'
  | 'limit_not_named'
  | 'payment_asked'
  | 'refused_near_the_end_of_the_month'
  /** No requests were left before the access token was refreshed. */
  | 'minute_used_up_before_refresh'
  /** Another request is finding out if the minute was reset. */
  | 'reset_is_tried'
  /** This app may have sent `count` of `limit`. */
  | 'month_used_by_app'
  /** A reading of the age `age_ms` says `count` of `limit`; `since` may have been sent after it. */
  | 'month_used_by_reading'
  /** The last `count` are for signing in, or for what a person asks for. */
  | 'reserved_for_sign_in'
  | 'reserved_for_person'
  /** Exceptions: one try a minute, but not within 5 seconds of another request; or one request a minute. */
  | 'one_try_a_minute'
  | 'one_request_a_minute'

export interface Reason {
  code: ReasonCode
  count?: number
  limit?: number
  since?: number
  age_ms?: number
}
