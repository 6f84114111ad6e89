/** The switches of the limits: headers, minute, month, and plans (U53 to U75). */
import { choice } from './choice.ts'

export const LIMITS = {
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
    why: 'The words of 8.4.2, taken as they are.',
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
    statement: 'There is a window of one minute; when it opens is not said.',
    why: 'The plain reading of a current window whose count is reset.',
    values: {
      first_request: 'opens with the first counted request',
      wall_clock: 'the minute of the clock',
      sliding: 'the last sixty seconds, always',
      token_bucket: 'refills little by little',
    },
  }),
  resetidle: choice(57, '2.2', {
    statement: 'Nothing on reset while nothing is counted.',
    why: 'A window opened now would end then.',
    values: {
      now_plus_60: 'a minute from now',
      next_minute: 'the next full minute',
      zero: '0',
      past: 'a time that is over',
    },
  }),
  remaining: choice(58, '2.2', {
    statement: 'What is still available; whether this request is taken off is not said.',
    why: 'What is still available once the answer is read.',
    values: { after_request: 'this request is taken off', before_request: 'it is not yet' },
  }),
  remneg: choice(59, '2.2', {
    statement: 'remaining is an integer; whether it goes below zero is not said.',
    why: 'Fewer than none cannot be available.',
    values: {
      never: 'zero at the least',
      negative_after_cut: 'negative after a limit was cut',
      string: 'a string of digits',
    },
  }),
  refusedcount: choice(60, '8', {
    statement: 'Whether requests answered 429 count is not said.',
    why: 'What was not served used nothing up.',
    values: {
      none: 'neither in the minute nor in the month',
      minute: 'in the minute only',
      month: 'in the month only',
      minute_and_month: 'in both',
    },
  }),
  ratelimitcount: choice(61, '4.3, 8', {
    statement: 'Whether asking for the limits counts is not said.',
    why: 'It is a GET with a token, like any other (8.2, 8.3).',
    values: {
      minute_and_month: 'in both',
      none: 'in neither',
      minute: 'in the minute only',
    },
  }),
  failcount: choice(62, '8.3', {
    statement: 'Whether failed requests count in the month is not said.',
    why: 'A request is one whatever its answer; without a credential it is of no organization.',
    values: {
      valid_credential: 'every request with a valid credential',
      all: 'every request, also one with a refused credential',
      only_2xx: 'only those that succeed',
    },
  }),
  preflight: choice(63, '8.2', {
    statement: 'Five methods have a class; OPTIONS and HEAD are not among them.',
    why: 'The list of 8.2 is taken as whole.',
    values: {
      not_counted: 'neither counts',
      head_as_read: 'HEAD is a read',
      both_count: 'both are reads',
    },
  }),
  retryafter: choice(64, '7', {
    statement: 'Nothing on Retry-After with 429.',
    why: 'RFC 6585 4 allows it; the document has three headers, and not this one.',
    values: {
      absent: 'none',
      seconds: 'in seconds',
      http_date: 'as a date',
      zero_or_negative: 'zero, or less',
      conflicts_with_reset: 'another time than reset',
    },
  }),
  body429: choice(65, '7', {
    statement: 'Nothing on the body of 429.',
    why: 'An error like the others; RFC 6585 4 asks for words.',
    values: { as_errbody: 'like any error', empty: 'nothing', html: 'a page' },
  }),
  monthly: choice(66, '8.3, 7, 8.4', {
    statement: 'Over the month: not shown in 8.3, yet 7 and 8.4.3 have 429 for any limit.',
    why: 'What two sections promise is kept.',
    values: {
      status_429: '429',
      status_403: '403',
      status_402: '402',
      error_200: '200 with an error as body',
      status_401: '401',
    },
  }),
  monthlyhdr: choice(67, '8.4', {
    statement: 'The headers are by the minute; nothing on them once the month is over.',
    why: 'They go on describing the minute.',
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
    statement: 'The plan page shows the current count; how fresh it is is not said.',
    why: 'Current means now.',
    values: {
      live: 'at the instant',
      delayed_40_minutes: '40 minutes old',
      cached_per_load: 'kept from the last load of the page',
    },
  }),
  pertoken: choice(70, '8.2', {
    statement: 'Counted per token, a word that 8.1 has for keys too.',
    why: 'The words of 8.2, taken as they are.',
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
  limitchange: choice(72, '8', {
    statement: 'Limits can change; how a change arrives is not said.',
    why: 'A window keeps the limit that it began with.',
    values: {
      next_window: 'with the next window',
      at_once: 'at once',
      at_once_below_used: 'at once, below what is used already',
    },
  }),
  planchange: choice(73, '8', {
    statement: 'Nothing on a plan that changes within a month.',
    why: 'Limits depend on the plan, counts do not.',
    values: {
      at_once_count_kept: 'new limits at once, the count goes on',
      at_once_count_restarted: 'new limits at once, the count from zero',
      next_month: 'new limits with the next month',
    },
  }),
  downgrade: choice(74, '8.1', {
    statement: 'Nothing on more credentials than a smaller plan allows.',
    why: 'The limit is on issuing (8.1), so what is issued stays.',
    values: {
      kept: 'all stay, none can be added',
      newest_disabled: 'the newest are disabled',
      all_disabled: 'all are disabled',
      refused: 'the plan cannot be changed',
    },
  }),
  concurrency: choice(75, 'none', {
    statement: 'Nothing on many requests in one instant.',
    why: 'A count without gaps: a limit is a limit.',
    values: { exact: 'as many as the limit', few_over: 'a few more slip through' },
  }),
}
