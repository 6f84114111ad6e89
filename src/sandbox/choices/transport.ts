/** Transport and browser (U81 to U84). */
import { choice } from './choice.ts'

export const TRANSPORT_CHOICES = {
  cors: choice(81, 'none', {
    statement: 'Nothing on pages of other origins.',
    why: 'Browsers forbid what the service does not allow.',
    values: {
      none: 'no CORS headers',
      any_origin: '*, but no rate-limit header can be read',
      any_origin_exposed: '*, and the rate-limit headers can be read',
      missing_on_refusals: 'missing on 401 and 429',
      key_header_refused: 'the preflight refuses X-Service-Api-Key',
    },
  }),
  skew: choice(82, 'none', {
    statement: 'Nothing on the clock of the service.',
    why: 'The default is a right clock.',
    values: {
      none: 'the right time',
      plus_5_minutes: 'five minutes fast',
      minus_5_minutes: 'five minutes slow',
      plus_1_day: 'a day fast',
      no_date: 'no Date header',
    },
  }),
  cache: choice(83, 'none', {
    statement: 'Nothing on caching.',
    why: 'RFC 6749 5.1, RFC 6585 4.',
    values: {
      no_store: 'Cache-Control: no-store',
      none: 'no caching header',
      etag: 'ETag, and 304 for an unchanged answer',
    },
  }),
  slow: choice(84, 'none', {
    statement: 'Nothing on how long an answer takes.',
    why: 'No delay by default.',
    values: {
      none: 'at once',
      seconds_2: 'after 2 seconds',
      seconds_35: 'after 35 seconds',
      never: 'never',
    },
  }),
}
