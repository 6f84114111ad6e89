import type { ProblemCode } from '../../../../contract/problem.ts'

/** For each failure: its name, and what it means for the person. */
export const problem = {
  invalid_request: {
    title: 'The request is not understood',
    message: 'The server did not accept what the page sent. A fresh copy of the page may help.',
  },
  invalid_organization_id: {
    title: 'An organization id is a positive whole number',
    message: 'Look for the number behind organization_id in the address of your project list.',
  },
  state_mismatch: {
    title: 'This sign-in was not started in this browser',
    message:
      'It was started in another tab or browser, or was finished already, or this browser stores no cookies. Nothing was opened.',
  },
  login_expired: {
    title: 'This sign-in was started too long ago',
    message: 'For safety a sign-in has to be finished within ten minutes.',
  },
  authorization_failed: {
    title: 'The service ended the sign-in',
    message: 'It sent you back without a permission, and without a reason that Plimsoll knows.',
  },
  signed_out: {
    title: 'Your session has ended',
    message: 'It ended by itself, or in another tab.',
  },
  code_rejected: {
    title: 'The service did not accept the sign-in code',
    message: 'The code was used already or has become too old. No session was opened.',
  },
  key_rejected: {
    title: 'The service did not accept the API key',
    message:
      'Check that the whole key was copied, and that it is still listed in the organization’s settings.',
  },
  credential_refused: {
    title: 'The service no longer accepts this connection',
    message: 'The permission of this session is no longer valid. Sign in again.',
  },
  access_withdrawn: {
    title: 'Access was withdrawn or has expired',
    message: 'Sign in again to permit it once more.',
  },
  access_denied: {
    title: 'Permission was not given',
    message: 'The service gave no access: you pressed Deny, or you are not a member of the organization.',
  },
  not_confirmed: {
    title: 'The service has not confirmed this sign-in yet',
    message: 'Read the organization once, so that the service can confirm that it is yours.',
  },
  organization_refused: {
    title: 'The service does not show this organization to you',
    message: 'The organization may have another number, or you may not be a member of it.',
  },
  forged_request: {
    title: 'The request did not come from this page',
    message: 'The server takes requests from its own page alone. A fresh copy of the page may help.',
  },
  not_found: {
    title: 'There is nothing at this address',
    message: 'The address may be mistyped, or what was here is gone.',
  },
  method_not_allowed: {
    title: 'This address does not take that method',
    message: 'The page and the server are of different versions. A fresh copy of the page may help.',
  },
  lower_reading: {
    title: 'An earlier reading of this month was higher',
    message: 'The number of a month only rises, so the month was reset, or one of the two is wrong.',
  },
  evidence_changed: {
    title: 'The evidence does not show this',
    message: 'What was observed has changed since the page was loaded.',
  },
  too_large: {
    title: 'The request is too large',
    message: 'What was entered is too long to be right.',
  },
  unsupported_media_type: {
    title: 'The request has to be JSON',
    message: 'The page and the server are of different versions. A fresh copy of the page may help.',
  },
  costs_a_request: {
    title: 'This costs a request, which was not asked for yet',
    message: 'No copy is stored, so only the service can answer. The price is on the button.',
  },
  rate_limited: {
    title: 'The requests of this minute are used up',
    message: 'The count starts again within a minute. The button comes back by itself.',
  },
  month_suspected: {
    title: 'The requests of this month seem to be used up',
    message: 'It may be a false alarm: you may try once more, which may use requests.',
  },
  limit_unknown: {
    title: 'A limit is reached, and the service does not name it',
    message: 'To be safe, nothing is sent for a minute. The button comes back by itself.',
  },
  too_many_streams: {
    title: 'Too many pages of this session are open',
    message: 'Close some of the pages of Plimsoll that are open in this browser.',
  },
  too_many_attempts: {
    title: 'Too many attempts came from your network',
    message:
      'Too many sign-ins were tried from the same network address within minutes. Nothing was sent to the service.',
  },
  unknown: {
    title: 'Something went wrong here',
    message: 'This is an error of Plimsoll. If there is a support id, the log has the cause.',
  },
  client_rejected: {
    title: 'The service does not accept this application',
    message:
      'The application is not registered as it is set up here. Only the operator of Plimsoll can correct that.',
  },
  upstream_down: {
    title: 'The service cannot be reached',
    message: 'The request did not arrive, or no answer came. Try again in a while.',
  },
  upstream_failed: {
    title: 'The service failed',
    message: 'The request arrived, and the service failed at it. Try again in a while.',
  },
  unexpected_reply: {
    title: 'The service answered something unexpected',
    message: 'The answer makes no sense to Plimsoll, so it is not shown.',
  },
  refresh_failed: {
    title: 'The service gives no new access token at present',
    message:
      'You stay signed in, and nothing was used up. The request can be sent in half a minute at the latest.',
  },
  store_unavailable: {
    title: 'The database cannot be reached',
    message: 'Nothing is sent that cannot be recorded. Try again in a while.',
  },
  bff_unreachable: {
    title: 'Plimsoll itself cannot be reached',
    message: 'Your connection or the server may be down.',
  },
  upstream_timeout: {
    title: 'The service takes too long to answer',
    message: 'The request may have arrived, so it may count. Try again in a while.',
  },
} satisfies Record<ProblemCode, { title: string; message: string }>
