import { plural } from '../plural.ts'

export const reason = {
  whyWeThinkSo: (reasons: string) => `Why we think so: ${reasons}`,
  long_wait_asked: 'The service asks to wait for longer than a minute.',
  short_wait_asked: 'The service asks to wait for a minute at most.',
  minute_has_requests_left:
    'Refused although this minute has requests left, so the month is probably used up.',
  reset_is_far: 'The reset is further away than a minute.',
  minute_used_up: 'No requests of this minute are left.',
  few_were_sent: 'Far fewer requests were sent than a minute allows.',
  refused_again: 'It was refused again after a pause of a minute.',
  limit_not_named: 'The answer does not name the limit that is reached.',
  payment_asked: 'The service asks for payment.',
  refused_near_the_end_of_the_month: 'It was refused when nearly all requests of the month were sent.',
  minute_used_up_before_refresh:
    'No requests of this minute were left before the access token was refreshed.',
  reset_is_tried: 'Another request is finding out whether the minute has been reset.',
  month_used_by_app: (count: number, limit: number) =>
    `Of the ${limit} requests of the month ${count} may have been sent by this app.`,
  month_used_by_reading: (count: number, limit: number, since: number, age: string) =>
    `Of the ${limit} requests of the month ${count} were used by a reading ${age} ago, and ${since} may have been sent since.`,
  reserved_for_sign_in: (count: number) => `The last ${plural(count, 'request')} are for signing in.`,
  reserved_for_person: (count: number) =>
    `The last ${plural(count, 'request')} are for what a person asks for.`,
  one_try_a_minute:
    'While that is so, one try a minute is sent, and none within 5 seconds of another request.',
  one_request_a_minute: 'While that is so, one request a minute is sent.',
}
