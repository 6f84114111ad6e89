/** Why a limit is taken for reached, as a code and the numbers that it is about; the page has the words (8.3, 8.4.3). */
import { count, listOf, members, oneOf } from './json.ts'

export const REASONS = [
  /** The service asks to wait, for longer than a minute or not. */
  'long_wait_asked',
  'short_wait_asked',
  /** The headers of the refusal: requests are left; the reset is too far away for a minute; none are left. */
  'minute_has_requests_left',
  'reset_is_far',
  'minute_used_up',
  'few_were_sent',
  'refused_again',
  'limit_not_named',
  'payment_asked',
  'refused_near_the_end_of_the_month',
  /** No requests were left before the access token was refreshed. */
  'minute_used_up_before_refresh',
  /** Another request finds out whether the minute was reset. */
  'reset_is_tried',
  /** `count` of `limit` may have been sent by this app. */
  'month_used_by_app',
  /** `count` of `limit` were used by a reading of the age `age_ms`, and `since` may have been sent after it. */
  'month_used_by_reading',
  /** The last `count` are for signing in, or for what a person asks for. */
  'reserved_for_sign_in',
  'reserved_for_person',
  /** What is sent all the same: one try a minute, and none within 5 seconds of another request; or one request a minute. */
  'one_try_a_minute',
  'one_request_a_minute',
] as const

export type ReasonCode = (typeof REASONS)[number]

export interface Reason {
  code: ReasonCode
  count?: number
  limit?: number
  since?: number
  age_ms?: number
}

export const readReason = members(
  { code: oneOf(REASONS) },
  { count, limit: count, since: count, age_ms: count },
)
export const readReasons = listOf(readReason)
