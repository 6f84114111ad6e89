/** Credentials, failures, bodies, browsers; headers, minute, month and plans (U36 to U82). */
import { choice } from './choice.ts'

export const API_CHOICES = {
  invalidcred: choice(36, {
    invalid_token_401: '401 with invalid_token in the challenge',
    bare_401: '401 without a challenge',
    status_403: '403',
    status_404: '404',
  }),
  expired: choice(37, {
    invalid_token_401: '401 with invalid_token',
    token_expired_401: '401 with its own error word, token_expired',
    status_403: '403',
    status_440: '440',
  }),
  revoked: choice(38, {
    at_once: 'the next request is refused',
    at_expiry: 'access tokens stay valid until they expire',
  }),
  methodpath: choice(40, {
    both_everywhere: 'either credential on every path',
    as_in_examples: 'the list by key, one organization by token',
  }),
  wrongorg: choice(41, {
    status_404: '404, as if it did not exist',
    status_403: '403 insufficient_scope',
    served_200: 'served, which is a vulnerability',
  }),
  errbody: choice(42, {
    error_description: 'error and error_description',
    message: 'message',
    code_message: 'code and message',
    errors_list: 'errors, a list of code and message',
    problem_json: 'problem+json of RFC 9457',
    not_json: 'a page, plain text, nothing, or broken JSON',
  }),
  orgbody: choice(45, {
    object: 'one object',
    array: 'a list',
    in_organizations: 'a list in organizations',
    in_organization: 'an object in organization',
    in_data: 'a list in data, with meta beside it',
  }),
  orgid: choice(46, {
    number: 'a number',
    digit_string: 'a string of digits',
    beyond_2_53: 'a number that a double cannot hold',
  }),
  scope: choice(48, {
    none: 'no scopes',
    in_token_response: 'scope in the token response',
    read_only: 'updates answer 403 insufficient_scope',
  }),
  resources: choice(52, {
    none: 'no others',
    echo: 'an invented path that accepts updates, /_choice/echo',
  }),
  cors: choice(81, {
    none: 'no CORS headers',
    any_origin: '*, but no rate-limit header can be read',
    any_origin_exposed: '*, and the rate-limit headers can be read',
    missing_on_refusals: 'missing on 401 and 429',
    key_header_refused: 'the preflight refuses X-Service-Api-Key',
  }),
  skew: choice(82, {
    none: 'the right time',
    plus_5_minutes: 'five minutes fast',
    minus_5_minutes: 'five minutes slow',
    plus_1_day: 'a day fast',
    no_date: 'no Date header',
  }),
}

export const LIMIT_CHOICES = {
  hdrclass: choice(53, {
    of_request: 'the class of the request',
    read: 'reads, always',
    update: 'updates, always',
    fewer_remaining: 'the class with fewer left',
  }),
  hdrscope: choice(54, {
    all: 'every answer, also 401, 404, 405 and 429',
    authenticated: 'only answers to a valid credential',
    only_2xx: 'only successes',
    not_on_429: 'all but 429',
    also_token: 'the token endpoint as well',
  }),
  resetunit: choice(55, {
    epoch_seconds: 'UNIX seconds',
    epoch_milliseconds: 'UNIX milliseconds',
    seconds_left: 'seconds from now',
    iso_date: 'a date of ISO 8601',
  }),
  window: choice(56, {
    first_request: 'opens with the first counted request',
    idle_reset_zero: 'the same; while nothing is counted, its reset is 0',
    idle_reset_past: 'the same; while nothing is counted, its reset is in the past',
    wall_clock: 'the minute of the clock',
    sliding: 'the last sixty seconds, always',
    token_bucket: 'a token bucket, refilled continuously',
  }),
  remaining: choice(58, {
    after_request: 'this request is subtracted',
    before_request: 'it is not subtracted',
  }),
  refusedcount: choice(60, {
    none: 'neither in the minute nor in the month',
    minute: 'in the minute only',
    month: 'in the month only',
    minute_and_month: 'in both',
  }),
  ratelimitcount: choice(61, {
    minute_and_month: 'in both',
    none: 'in neither',
    minute: 'in the minute only',
  }),
  failcount: choice(62, {
    valid_credential: 'every request with a valid credential',
    all: 'every request, also one with a refused credential',
    only_2xx: 'only those that succeed',
  }),
  preflight: choice(63, {
    not_counted: 'neither is counted',
    head_as_read: 'HEAD is a read',
    both_count: 'both are reads',
  }),
  retryafter: choice(64, {
    absent: 'none',
    seconds: 'in seconds',
    http_date: 'as a date',
    zero_or_negative: 'zero, or less',
    conflicts_with_reset: 'another time than reset',
  }),
  monthly: choice(66, {
    status_429: '429',
    status_403: '403',
    status_402: '402',
    error_200: '200 with an error as body',
    status_401: '401',
  }),
  monthlyhdr: choice(67, {
    minute_values: 'the minute, with requests left',
    zero_until_month: 'none left, reset at the next month',
    absent: 'no headers',
  }),
  tz: choice(68, {
    utc: 'UTC',
    asia_tokyo: 'Asia/Tokyo',
    america_new_york: 'America/New_York, with summer time',
    organization: 'the zone of the organization',
  }),
  lag: choice(69, {
    live: 'the current count',
    delayed_40_minutes: '40 minutes old',
    cached_per_load: 'that of the last load of the page',
  }),
  pertoken: choice(70, {
    credential: 'each access token, each key',
    grant: 'the grant, through every refresh',
    application: 'the application',
    user: 'the person',
  }),
  shared: choice(71, {
    no: 'no other client',
    yes: 'another client uses a quarter to a half of each open minute: remaining falls with time',
  }),
}
