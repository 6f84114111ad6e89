/** Credentials, failures, bodies, further features, and what browsers see (U36 to U52, U81, U82). */
import { choice } from './choice.ts'

export const API_CHOICES = {
  invalidcred: choice(36, '5.5', {
    statement: 'The answer to a wrong credential is not shown.',
    why: 'RFC 6750 3.1.',
    values: {
      invalid_token_401: '401 with invalid_token in the challenge',
      bare_401: '401 without a challenge',
      status_403: '403',
      status_404: '404',
    },
  }),
  expired: choice(37, '5.5', {
    statement: 'The answer to an access token past its hour is not shown.',
    why: 'RFC 6750 3.1.',
    values: {
      invalid_token_401: '401 with invalid_token',
      token_expired_401: '401 with its own error word, token_expired',
      status_403: '403',
      status_440: '440',
    },
  }),
  revoked: choice(38, '5.1, 5.2', {
    statement: 'Keys can be deleted; when they are refused is not stated.',
    why: 'RFC 7009 2.1: at once.',
    values: {
      at_once: 'the next request is refused',
      at_expiry: 'access tokens stay valid until they expire',
    },
  }),
  methodpath: choice(40, '4, 5.1, 5.4', {
    statement: 'Either credential is for every request, yet the example of each path has one of them.',
    why: '5.1.5 and 5.4.1 say every request; section 4 calls the rest examples.',
    values: {
      both_everywhere: 'either credential on every path',
      as_in_examples: 'the list by key, one organization by token',
    },
  }),
  wrongorg: choice(41, '5.3', {
    statement: 'Nothing on a token of one organization that reads another.',
    why: 'RFC 9110 15.5.4: a resource that may not be seen can be answered as missing.',
    values: {
      status_404: '404, as if it did not exist',
      status_403: '403 insufficient_scope',
      served_200: 'served, which is a vulnerability',
    },
  }),
  errbody: choice(42, '7', {
    statement: 'The body of an error is not shown.',
    why: 'RFC 6749 7.2 asks for the member error.',
    values: {
      error_description: 'error and error_description',
      message: 'message',
      code_message: 'code and message',
      errors_list: 'errors, a list of code and message',
      problem_json: 'problem+json of RFC 9457',
      not_json: 'a page, plain text, nothing, or broken JSON',
    },
  }),
  orgbody: choice(45, '4.4', {
    statement: 'The body of GET /organizations is not shown.',
    why: 'The path is plural, its purpose singular (section 4): a thing, not a list.',
    values: {
      object: 'one object',
      array: 'a list',
      in_organizations: 'a list in organizations',
      in_organization: 'an object in organization',
      in_data: 'a list in data, with meta beside it',
    },
  }),
  orgid: choice(46, '4', {
    statement: 'The id is a number; its type in a body is not stated.',
    why: 'RFC 8259 6: an integer that every parser reads exactly.',
    values: {
      number: 'a number',
      digit_string: 'a string of digits',
      beyond_2_53: 'a number that a double cannot hold',
    },
  }),
  scope: choice(48, '5.5', {
    statement: 'Scopes are not shown.',
    why: 'No request in the document has one (5.3, 5.4).',
    values: {
      none: 'no scopes',
      in_token_response: 'scope in the token response',
      read_only: 'updates answer 403 insufficient_scope',
    },
  }),
  resources: choice(52, '1, 2.3', {
    statement: 'Further resources are not shown, nor any PATCH, PUT or DELETE.',
    why: 'Section 4 has five endpoints.',
    values: {
      none: 'no others',
      echo: 'an invented path that accepts updates, /_choice/echo',
    },
  }),
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
}
