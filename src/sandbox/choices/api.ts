/** Credentials, failures, bodies, further features, and what browsers see (U36 to U52, U81, U82). */
import { choice } from './choice.ts'

export const API_CHOICES = {
  /** 5.5. The default: RFC 6750 3.1. */
  invalidcred: choice(36, {
    invalid_token_401: '401 with invalid_token in the challenge',
    bare_401: '401 without a challenge',
    status_403: '403',
    status_404: '404',
  }),
  /** 5.5. The default: RFC 6750 3.1. */
  expired: choice(37, {
    invalid_token_401: '401 with invalid_token',
    token_expired_401: '401 with its own error word, token_expired',
    status_403: '403',
    status_440: '440',
  }),
  /** 5.1, 5.2. The default: RFC 7009 2.1: at once. */
  revoked: choice(38, {
    at_once: 'the next request is refused',
    at_expiry: 'access tokens stay valid until they expire',
  }),
  /** 4, 5.1, 5.4. The default: 5.1.5 and 5.4.1 say every request; section 4 calls the rest examples. */
  methodpath: choice(40, {
    both_everywhere: 'either credential on every path',
    as_in_examples: 'the list by key, one organization by token',
  }),
  /** 5.3. The default: RFC 9110 15.5.4: a resource that may not be seen can be answered as missing. */
  wrongorg: choice(41, {
    status_404: '404, as if it did not exist',
    status_403: '403 insufficient_scope',
    served_200: 'served, which is a vulnerability',
  }),
  /** 7. The default: RFC 6749 7.2 asks for the member error. */
  errbody: choice(42, {
    error_description: 'error and error_description',
    message: 'message',
    code_message: 'code and message',
    errors_list: 'errors, a list of code and message',
    problem_json: 'problem+json of RFC 9457',
    not_json: 'a page, plain text, nothing, or broken JSON',
  }),
  /** 4.4. The default: The path is plural, its purpose singular (section 4): a thing, not a list. */
  orgbody: choice(45, {
    object: 'one object',
    array: 'a list',
    in_organizations: 'a list in organizations',
    in_organization: 'an object in organization',
    in_data: 'a list in data, with meta beside it',
  }),
  /** 4. The default: RFC 8259 6: an integer that every parser reads exactly. */
  orgid: choice(46, {
    number: 'a number',
    digit_string: 'a string of digits',
    beyond_2_53: 'a number that a double cannot hold',
  }),
  /** 5.5. The default: No request in the document has one (5.3, 5.4). */
  scope: choice(48, {
    none: 'no scopes',
    in_token_response: 'scope in the token response',
    read_only: 'updates answer 403 insufficient_scope',
  }),
  /** 1, 2.3. The default: Section 4 has five endpoints. */
  resources: choice(52, {
    none: 'no others',
    echo: 'an invented path that accepts updates, /_choice/echo',
  }),
  /** The default: Browsers forbid what the service does not allow. */
  cors: choice(81, {
    none: 'no CORS headers',
    any_origin: '*, but no rate-limit header can be read',
    any_origin_exposed: '*, and the rate-limit headers can be read',
    missing_on_refusals: 'missing on 401 and 429',
    key_header_refused: 'the preflight refuses X-Service-Api-Key',
  }),
  /** The default: The default is a right clock. */
  skew: choice(82, {
    none: 'the right time',
    plus_5_minutes: 'five minutes fast',
    minus_5_minutes: 'five minutes slow',
    plus_1_day: 'a day fast',
    no_date: 'no Date header',
  }),
}
