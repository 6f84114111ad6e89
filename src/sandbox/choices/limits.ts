/** Headers, minute, month and plans (U53 to U75). */
import { choice } from './choice.ts'

export const LIMIT_CHOICES = {
  hdrclass: choice(53, '8.4', {
    statement: 'Whether the headers describe reads or updates is not shown.',
    why: 'The reading that makes them useful.',
    values: {
      of_request: 'the class of the request',
      read: 'reads, always',
      update: 'updates, always',
      fewer_remaining: 'the class with fewer left',
    },
  }),
  hdrscope: choice(54, '8.4', {
    statement: 'Every response has the headers, even one without a token to describe.',
    why: 'The literal reading of 8.4.2.',
    values: {
      all: 'every answer, also 401, 404, 405 and 429',
      authenticated: 'only answers to a valid credential',
      only_2xx: 'only successes',
      not_on_429: 'all but 429',
      also_token: 'the token endpoint as well',
    },
  }),
  resetunit: choice(55, '8.4, 2.2', {
    statement: 'The record has seconds (2.2); the header is only called UNIX time.',
    why: 'UNIX time counts seconds, as in 2.2.',
    values: {
      epoch_seconds: 'UNIX seconds',
      epoch_milliseconds: 'UNIX milliseconds',
      seconds_left: 'seconds from now',
      iso_date: 'a date of ISO 8601',
    },
  }),
  window: choice(56, '2.2', {
    statement: 'There is a window of one minute; when it opens is not stated.',
    why: 'The literal reading of a current window whose count is reset.',
    values: {
      first_request: 'opens with the first counted request',
      idle_reset_zero: 'the same; while nothing is counted, its reset is 0',
      idle_reset_past: 'the same; while nothing is counted, its reset is in the past',
      wall_clock: 'the minute of the clock',
      sliding: 'the last sixty seconds, always',
      token_bucket: 'a token bucket, refilled continuously',
    },
  }),
  remaining: choice(58, '2.2', {
    statement: 'What is still available; whether this request is subtracted is not stated.',
    why: 'What is still available once the answer is read.',
    values: { after_request: 'this request is subtracted', before_request: 'it is not subtracted' },
  }),
  refusedcount: choice(60, '8', {
    statement: 'Whether requests answered 429 are counted is not stated.',
    why: 'A request that was not served used nothing.',
    values: {
      none: 'neither in the minute nor in the month',
      minute: 'in the minute only',
      month: 'in the month only',
      minute_and_month: 'in both',
    },
  }),
  ratelimitcount: choice(61, '4.3, 8', {
    statement: 'Whether GET /rate_limit is counted is not stated.',
    why: 'It is a GET with a token, like any other (8.2, 8.3).',
    values: {
      minute_and_month: 'in both',
      none: 'in neither',
      minute: 'in the minute only',
    },
  }),
  failcount: choice(62, '8.3', {
    statement: 'Whether failed requests are counted in the month is not stated.',
    why: 'A request is counted whatever its answer; one without a credential has no organization.',
    values: {
      valid_credential: 'every request with a valid credential',
      all: 'every request, also one with a refused credential',
      only_2xx: 'only those that succeed',
    },
  }),
  preflight: choice(63, '8.2', {
    statement: 'Five methods have a class; OPTIONS and HEAD are not among them.',
    why: 'The list of 8.2 is read as complete.',
    values: {
      not_counted: 'neither is counted',
      head_as_read: 'HEAD is a read',
      both_count: 'both are reads',
    },
  }),
  retryafter: choice(64, '7', {
    statement: 'Nothing on Retry-After with 429.',
    why: 'RFC 6585 4 allows it; the document has three other headers.',
    values: {
      absent: 'none',
      seconds: 'in seconds',
      http_date: 'as a date',
      zero_or_negative: 'zero, or less',
      conflicts_with_reset: 'another time than reset',
    },
  }),
  monthly: choice(66, '8.3, 7, 8.4', {
    statement: 'Over the month: not shown in 8.3, yet 7 and 8.4.3 have 429 for any limit.',
    why: 'Two sections promise it.',
    values: {
      status_429: '429',
      status_403: '403',
      status_402: '402',
      error_200: '200 with an error as body',
      status_401: '401',
    },
  }),
  monthlyhdr: choice(67, '8.4', {
    statement: 'The headers are by the minute; nothing on them when the month is used up.',
    why: 'They still describe the minute.',
    values: {
      minute_values: 'the minute, with requests left',
      zero_until_month: 'none left, reset at the next month',
      absent: 'no headers',
    },
  }),
  tz: choice(68, '8.3', {
    statement: 'The time zone of the monthly reset is not shown.',
    why: 'The zone of UNIX time, the only clock in the document.',
    values: {
      utc: 'UTC',
      asia_tokyo: 'Asia/Tokyo',
      america_new_york: 'America/New_York, with summer time',
      organization: 'the zone of the organization',
    },
  }),
  lag: choice(69, '8.3', {
    statement: 'The plan page shows the current count; its age is not stated.',
    why: 'Current means now.',
    values: {
      live: 'the current count',
      delayed_40_minutes: '40 minutes old',
      cached_per_load: 'that of the last load of the page',
    },
  }),
  pertoken: choice(70, '8.2', {
    statement: 'Counted per token; 8.1 calls keys tokens too.',
    why: 'The literal reading of 8.2.',
    values: {
      credential: 'each access token, each key',
      grant: 'the grant, through every refresh',
      application: 'the application',
      user: 'the person',
    },
  }),
  shared: choice(71, '8.2', {
    statement: 'Nothing on other clients with the same key or token.',
    why: 'Only requests that were sent are counted.',
    values: {
      no: 'no other client',
      yes: 'another client uses a quarter to a half of each open minute: remaining falls with time',
    },
  }),
}
