/** The authorization page and the redirect back (U1 to U15). */
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
