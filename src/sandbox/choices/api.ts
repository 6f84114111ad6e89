/** Credentials, failures, bodies and further features (U35 to U52). */
import { choice } from './choice.ts'

export const API_CHOICES = {
  missingcred: choice(35, '5.5', {
    statement: 'The answer without a credential is not shown.',
    why: 'RFC 6750 3 and 3.1: 401, a challenge, no error word.',
    values: {
      challenge_401: '401 with WWW-Authenticate: Bearer',
      bare_401: '401 without a challenge',
      status_403: '403',
      status_400: '400',
      redirect_302: '302 to a page for signing in',
      error_200: '200 with an error as body',
    },
  }),
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
  bothcred: choice(39, '5', {
    statement: 'Nothing on a request with a key and a token.',
    why: 'RFC 6750 2: one method for each request.',
    values: {
      refused_400: '400 invalid_request',
      bearer_wins: 'the token is used',
      key_wins: 'the key is used',
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
  notfound: choice(43, '7', {
    statement: 'Nothing on unknown paths and methods.',
    why: 'RFC 9110 15.5.5 and 15.5.6.',
    values: {
      json_404_405: '404, or 405 with Allow, as JSON',
      html_404: '404 as a page',
      credential_first_401: '401 before 404 where no credential is sent',
    },
  }),
  fivexx: choice(44, '7', {
    statement: 'Nothing on outages of the service.',
    why: 'RFC 9110 15.6.4 and 10.2.3.',
    values: {
      retry_503: '503 with Retry-After',
      json_500: '500 as JSON',
      proxy_502: '502 as a page of a proxy',
      maintenance_200: '200 as a maintenance page',
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
  orgpath: choice(47, '4', {
    statement: 'Nothing on an id in the path that is not a number, or unknown.',
    why: 'RFC 9110 15.5.5.',
    values: { status_404: '404', status_400: '400' },
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
  version: choice(49, '9', {
    statement: 'Versioning is not shown.',
    why: 'No path and no header in the document has one.',
    values: {
      none: 'no versions',
      response_header: 'a header that names the version',
      old_path_410: 'an old path answers 410',
    },
  }),
  events: choice(50, '6', {
    statement: 'Events, webhooks and notifications are not shown.',
    why: 'The document has no address to send them to.',
    values: { none: 'no events' },
    fixed: 'No address for events can be registered.',
  }),
  states: choice(51, '3', {
    statement: 'States and transitions are not shown.',
    why: 'The screens mention adding, editing and deleting (5.1).',
    values: {
      exist_or_deleted: 'existing or deleted',
      can_be_disabled: 'keys and applications can be disabled and enabled again',
      grants_withdrawable: 'people can revoke their grants, on a page',
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
}
