/** Credentials, failures, bodies, further features, and what browsers see (U36 to U52, U81, U82). */
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
