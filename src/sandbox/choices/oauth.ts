/** The authorization page, the redirect back, the token endpoint and lifetimes (U1 to U34). */
import { choice } from './choice.ts'

export const AUTHORIZATION_CHOICES = {
  redir: choice(1, {
    query: 'code and state in the query',
    code_named_authorization_code: 'the code is named authorization_code',
    code_named_auth_code: 'the code is named auth_code',
    no_state: 'the code without the state',
    fragment: 'code and state behind # instead of ?',
    extra_parameters: 'also iss, session_state and organization_id',
    iss_right: 'also the issuer of the sandbox (RFC 9207)',
    iss_wrong: 'also another issuer',
  }),
  deny: choice(2, {
    redirect_access_denied: 'back with error=access_denied and the state',
    redirect_no_state: 'back with error=access_denied alone',
    redirect_other_error: 'back with another error word and the state',
    page: 'a page of the service, no redirect',
    service_home: 'redirect to the start page of the service',
    redirect_bare: 'redirect to the registered URI without parameters',
  }),
  authzbad: choice(3, {
    page_400: 'an error page with status 400',
    page_200: 'an error page with status 200',
    page_404: 'an error page with status 404',
    redirect_error: 'a redirect with an error, which no RFC allows',
  }),
  statechars: choice(8, {
    vschar_2048: 'printable ASCII, at most 2048 characters',
    vschar_255: 'printable ASCII, at most 255 characters',
    alphanumeric: 'letters and digits only',
    plus_for_space: 'returned with + for each space',
  }),
  consent: choice(9, {
    always_asked: 'asked every time',
    remembered: 'asked once, later redirected at once',
  }),
  orgbad: choice(10, {
    redirect_error: 'back with invalid_request, or access_denied where the person is not a member',
    page: 'an error page',
    picker: 'a page that asks which organization',
    default_organization: 'the first organization of the person is used',
  }),
  codelife: choice(11, { seconds_600: 'ten minutes', seconds_60: 'one minute', seconds_30: 'half a minute' }),
  codereplay: choice(12, {
    refused_and_revoked: 'invalid_grant, and the tokens of that code are revoked',
    refused: 'invalid_grant, the tokens stay valid',
    accepted_10_seconds: 'accepted again within ten seconds',
  }),
  pkce: choice(13, {
    ignored: 'ignored',
    enforced: 'a code with a challenge (S256) needs its verifier',
    rejected: 'a request with it is refused, which no RFC allows',
    required: 'a request without it is refused',
  }),
  redirstatus: choice(15, {
    status_302: '302 Found',
    status_303: '303 See Other',
    page_200: 'a page that redirects by itself',
    status_307: '307, with which a browser repeats the POST',
  }),
}

export const TOKEN_CHOICES = {
  enc: choice(18, {
    form_only: 'a form; JSON answers 415',
    json_only: 'JSON; a form answers 400',
    both: 'either',
  }),
  clientauth: choice(19, {
    body_and_basic: 'either one',
    body_only: 'the body; Basic answers invalid_client',
    basic_only: 'Basic; the body answers invalid_client',
    both_at_once_refused: 'either one, and both together answer invalid_request',
  }),
  tokstatus: choice(20, {
    json_200: '200 with application/json',
    json_201: '201 with application/json',
    html_200: '200 with JSON of type text/html',
    form_200: '200 with a form as body',
  }),
  tokenfields: choice(21, {
    as_documented: 'the four fields of 2.1',
    expires_in_string: 'expires_in is "3600"',
    expires_in_missing: 'no expires_in',
    token_type_lowercase: 'token_type is bearer',
    extra_fields: 'fields that the document does not have',
    refresh_token_missing_on_refresh: 'a refresh gives no refresh_token; the one that was sent stays valid',
  }),
  tokerr: choice(22, {
    json_400: '400 with error and error_description',
    json_401: '401 with error and error_description',
    json_200: '200 with error',
    message: '400 with message',
    errors_list: '400 with errors, a list of code and message',
    html_or_empty: '400 with a page, or with nothing',
  }),
  rotation: choice(24, {
    new_old_revoked: 'a new one; the old one is revoked',
    same: 'the same one again',
    new_old_valid: 'a new one; the old one stays valid',
    new_old_valid_30_seconds: 'a new one; the old one stays valid for 30 seconds',
    new_old_valid_until_new_used: 'a new one; the old one stays valid until the new one is used',
  }),
  reuse: choice(25, {
    refused: 'invalid_grant',
    refused_family_revoked: 'invalid_grant, and every token of that grant is revoked',
    accepted: 'served as if it were the newest',
  }),
  rtlife: choice(26, {
    unlimited: 'unlimited',
    days_30_absolute: '30 days from the permission on',
    days_14_idle: '14 days without use',
    hours_24: 'one day',
  }),
  oldaccess: choice(27, { until_expiry: 'valid until it expires', revoked: 'revoked by the refresh' }),
  secondgrant: choice(28, {
    both_live: 'both stay valid',
    first_revoked: 'the first one is revoked',
    oldest_evicted: 'three stay valid; of more the oldest is revoked',
  }),
  boundary: choice(29, {
    refused_from_3600: 'refused at an age of 3600 seconds',
    refused_after_3600: 'refused beyond an age of 3600 seconds',
    tolerance_15_seconds: 'accepted for 15 seconds more',
  }),
  tokformat: choice(30, {
    opaque_43: '43 characters of base64url',
    jwt_like: 'three parts with dots, like a JWT',
    base64_symbols: 'with the characters + / and =',
    long_4096: '4096 characters',
  }),
  toklimit: choice(31, {
    not_counted: 'neither counted nor limited',
    counts_as_update: 'an update of the application, and one of the month',
    own_limit: 'a limit of its own: 429 with Retry-After',
  }),
  revocation: choice(33, { none: 'no such path', rfc_7009: 'POST /oauth2/revoke as in RFC 7009' }),
  metadata: choice(34, {
    none: 'no such path',
    rfc_8414: 'a document as in RFC 8414',
    wrong_issuer: 'that document with another issuer',
  }),
}
