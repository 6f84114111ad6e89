/** The switches of the token endpoint and of the tokens' lives (U18 to U34). */
import { choice } from './choice.ts'

export const TOKEN = {
  enc: choice(18, '4.2', {
    statement: 'Whether the request is a form or JSON is not shown.',
    why: 'RFC 6749 4.1.3 and 6: a form.',
    values: {
      form_only: 'a form; JSON answers 415',
      json_only: 'JSON; a form answers 400',
      both: 'either',
    },
  }),
  clientauth: choice(19, '5.3', {
    statement: 'Id and secret are parameters of the body; HTTP Basic is not mentioned.',
    why: 'RFC 6749 2.3.1: Basic must be understood, the body may be.',
    values: {
      body_and_basic: 'either one',
      body_only: 'the body; Basic answers invalid_client',
      basic_only: 'Basic; the body answers invalid_client',
      both_at_once_refused: 'either one, and both together answer invalid_request',
    },
  }),
  tokstatus: choice(20, '4.2', {
    statement: 'A success has a body; its status and type are not said.',
    why: 'RFC 6749 5.1.',
    values: {
      json_200: '200 with application/json',
      json_201: '201 with application/json',
      html_200: '200 with JSON that calls itself text/html',
      form_200: '200 with a form as body',
    },
  }),
  tokenfields: choice(21, '2.1', {
    statement: 'Four fields with their types; nothing on more, fewer or others.',
    why: 'The plain reading of 2.1; RFC 6749 5.1.',
    values: {
      as_documented: 'the four fields of 2.1',
      expires_in_string: 'expires_in is "3600"',
      expires_in_missing: 'no expires_in',
      token_type_lowercase: 'token_type is bearer',
      extra_fields: 'fields that the document has not',
      refresh_token_missing_on_refresh: 'a refresh gives no refresh_token; the one that was sent stays valid',
    },
  }),
  tokerr: choice(22, '7', {
    statement: 'Neither status nor body of a token error is shown.',
    why: 'RFC 6749 5.2.',
    values: {
      json_400: '400 with error and error_description',
      json_401: '401 with error and error_description',
      json_200: '200 with error',
      message: '400 with message',
      errors_list: '400 with errors, a list of code and message',
      html_or_empty: '400 with a page, or with nothing',
    },
  }),
  badclient: choice(23, '7', {
    statement: 'Nothing on a wrong client_secret.',
    why: 'RFC 6749 5.2.',
    values: { status_401: '401 invalid_client', status_400: '400 invalid_client' },
  }),
  rotation: choice(24, '5.4', {
    statement: 'A refresh gives a refresh token; whether it is a new one is not said.',
    why: 'RFC 9700 4.14.2, and the hardest on a client: one that loses the new token fails at once.',
    values: {
      new_old_revoked: 'a new one; the old one ends',
      same: 'the same one again',
      new_old_valid: 'a new one; the old one lives on',
      new_old_valid_30_seconds: 'a new one; the old one lives for 30 seconds more',
      new_old_valid_until_new_used: 'a new one; the old one lives until the new one is used',
    },
  }),
  reuse: choice(25, '5.4', {
    statement: 'Nothing on a refresh token that was replaced.',
    why: 'RFC 9700 4.14.2; the mildest answer that still refuses.',
    values: {
      refused: 'invalid_grant',
      refused_family_revoked: 'invalid_grant, and every token of that grant ends',
      accepted: 'served as if it were the newest',
    },
  }),
  rtlife: choice(26, '5.5', {
    statement: 'How long a refresh token lives is not shown.',
    why: 'No end is named anywhere. RFC 9700 4.14.2 would have one after idleness.',
    values: {
      unlimited: 'no end',
      days_30_absolute: '30 days from the permission on',
      days_14_idle: '14 days without use',
      hours_24: 'one day',
    },
  }),
  oldaccess: choice(27, '5.4', {
    statement: 'Nothing on the earlier access token after a refresh.',
    why: 'The document ends it by age alone (5.4.2).',
    values: { until_expiry: 'lives to its own end', revoked: 'ends with the refresh' },
  }),
  secondgrant: choice(28, '5.3', {
    statement: 'Nothing on permitting the same application twice.',
    why: 'Nothing ends a grant in the document.',
    values: {
      both_live: 'both live',
      first_revoked: 'the first one ends',
      oldest_evicted: 'a few live; beyond them the oldest ends',
    },
  }),
  boundary: choice(29, '5.4', {
    statement: 'It ends 3600 seconds after generation; that very second is not placed.',
    why: 'RFC 6749 5.1: one hour from the response on, and no longer.',
    values: {
      refused_from_3600: 'refused at an age of 3600 seconds',
      refused_after_3600: 'refused beyond an age of 3600 seconds',
      tolerance_15_seconds: 'served for 15 seconds more',
    },
  }),
  tokformat: choice(30, '2.1', {
    statement: 'A token is a string, of no said length or alphabet.',
    why: 'RFC 6749 5.1: a client assumes no size.',
    values: {
      opaque_43: '43 characters of base64url',
      jwt_like: 'three parts with dots, like a JWT',
      base64_symbols: 'with + / and = in it',
      long_4096: '4096 characters',
    },
  }),
  toklimit: choice(31, '8', {
    statement: 'Limits are counted by token; a token request has none yet.',
    why: 'The plain reading of 8.2.',
    values: {
      not_counted: 'neither counted nor limited',
      counts_as_update: 'an update of the application, and one of the month',
      own_limit: 'a limit of its own: 429 with Retry-After',
    },
  }),
  dupparam: choice(32, '4.2', {
    statement: 'Nothing on parameters that are repeated or unknown.',
    why: 'RFC 6749 3.2.',
    values: {
      repeated_refused: 'repeated ones answer invalid_request, unknown ones are ignored',
      first_wins: 'the first one counts',
      last_wins: 'the last one counts',
    },
  }),
  revocation: choice(33, '4', {
    statement: 'No endpoint ends a token.',
    why: 'The five endpoints of section 4 are all there are.',
    values: { none: 'no such address', rfc_7009: 'POST /oauth2/revoke as in RFC 7009' },
  }),
  metadata: choice(34, '4', {
    statement: 'No endpoint describes the server.',
    why: 'The five endpoints of section 4 are all there are.',
    values: {
      none: 'no such address',
      rfc_8414: 'a document as in RFC 8414',
      wrong_issuer: 'that document with another issuer',
    },
  }),
}
