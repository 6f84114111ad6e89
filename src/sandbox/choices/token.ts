/** The token endpoint and lifetimes (U18 to U34). */
import { choice } from './choice.ts'

export const TOKEN_CHOICES = {
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
    statement: 'A success has a body; its status and type are not stated.',
    why: 'RFC 6749 5.1.',
    values: {
      json_200: '200 with application/json',
      json_201: '201 with application/json',
      html_200: '200 with JSON of type text/html',
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
      extra_fields: 'fields that the document does not have',
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
  rotation: choice(24, '5.4', {
    statement: 'A refresh gives a refresh token; whether it is a new one is not stated.',
    why: 'RFC 9700 4.14.2, and the strictest: a client that loses the new token fails at once.',
    values: {
      new_old_revoked: 'a new one; the old one is revoked',
      same: 'the same one again',
      new_old_valid: 'a new one; the old one stays valid',
      new_old_valid_30_seconds: 'a new one; the old one stays valid for 30 seconds',
      new_old_valid_until_new_used: 'a new one; the old one stays valid until the new one is used',
    },
  }),
  reuse: choice(25, '5.4', {
    statement: 'Nothing on a refresh token that was replaced.',
    why: 'RFC 9700 4.14.2; the mildest answer that still refuses.',
    values: {
      refused: 'invalid_grant',
      refused_family_revoked: 'invalid_grant, and every token of that grant is revoked',
      accepted: 'served as if it were the newest',
    },
  }),
  rtlife: choice(26, '5.5', {
    statement: 'The lifetime of a refresh token is not shown.',
    why: 'No lifetime is stated. RFC 9700 4.14.2 recommends one after inactivity.',
    values: {
      unlimited: 'unlimited',
      days_30_absolute: '30 days from the permission on',
      days_14_idle: '14 days without use',
      hours_24: 'one day',
    },
  }),
  oldaccess: choice(27, '5.4', {
    statement: 'Nothing on the earlier access token after a refresh.',
    why: 'In the document it expires by age alone (5.4.2).',
    values: { until_expiry: 'valid until it expires', revoked: 'revoked by the refresh' },
  }),
  secondgrant: choice(28, '5.3', {
    statement: 'Nothing on permitting the same application twice.',
    why: 'The document does not revoke grants.',
    values: {
      both_live: 'both stay valid',
      first_revoked: 'the first one is revoked',
      oldest_evicted: 'three stay valid; of more the oldest is revoked',
    },
  }),
  boundary: choice(29, '5.4', {
    statement: 'It expires 3600 seconds after generation; whether it is valid at exactly 3600 is not stated.',
    why: 'RFC 6749 5.1: one hour from the response on, and no longer.',
    values: {
      refused_from_3600: 'refused at an age of 3600 seconds',
      refused_after_3600: 'refused beyond an age of 3600 seconds',
      tolerance_15_seconds: 'accepted for 15 seconds more',
    },
  }),
  tokformat: choice(30, '2.1', {
    statement: 'A token is a string; its length and alphabet are not stated.',
    why: 'RFC 6749 5.1: a client assumes no size.',
    values: {
      opaque_43: '43 characters of base64url',
      jwt_like: 'three parts with dots, like a JWT',
      base64_symbols: 'with the characters + / and =',
      long_4096: '4096 characters',
    },
  }),
  toklimit: choice(31, '8', {
    statement: 'Limits are counted by token; a token request has no token yet.',
    why: 'The plain reading of 8.2.',
    values: {
      not_counted: 'neither counted nor limited',
      counts_as_update: 'an update of the application, and one of the month',
      own_limit: 'a limit of its own: 429 with Retry-After',
    },
  }),
  revocation: choice(33, '4', {
    statement: 'There is no endpoint to revoke a token.',
    why: 'Section 4 has five endpoints.',
    values: { none: 'no such path', rfc_7009: 'POST /oauth2/revoke as in RFC 7009' },
  }),
  metadata: choice(34, '4', {
    statement: 'There is no endpoint for server metadata.',
    why: 'Section 4 has five endpoints.',
    values: {
      none: 'no such path',
      rfc_8414: 'a document as in RFC 8414',
      wrong_issuer: 'that document with another issuer',
    },
  }),
}
