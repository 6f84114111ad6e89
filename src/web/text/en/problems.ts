import type { ProblemCode } from '../../../contract/problem.ts'

/** Page and server are one build, so hardly anybody meets these. A file of the page may be missing, too. */
const OUTDATED = {
  title: 'This page no longer works',
  message: 'Reload it and try again.',
}

/** For each failure: its name, and what the person can do. */
export const problem = {
  invalid_request: OUTDATED,
  invalid_organization_id: {
    title: 'An organization id is a positive whole number',
    message: 'Look for the number after organization_id= in the address of your project list.',
  },
  state_mismatch: {
    title: 'This sign-in was not started in this browser',
    message: 'It was started in another tab or browser, was finished already, or cookies are blocked here.',
  },
  login_expired: {
    title: 'This sign-in was started too long ago',
    message: 'You have ten minutes to finish a sign-in.',
  },
  authorization_failed: {
    title: 'The service ended the sign-in',
    message: 'The service did not grant access and gave no reason.',
  },
  signed_out: {
    title: 'Your session has ended',
    message: 'It expired, or you ended it in another tab.',
  },
  code_rejected: {
    title: 'The service did not accept the sign-in code',
    message: 'The code was used already, or is too old.',
  },
  key_rejected: {
    title: 'The service did not accept the API key',
    message: 'Check that you copied the whole key, and that the settings of your organization still list it.',
  },
  credential_refused: {
    title: 'The service no longer accepts this session',
    message: 'Sign in again.',
  },
  access_withdrawn: {
    title: 'Access was withdrawn or has expired',
    message: 'Sign in again to grant it once more.',
  },
  access_denied: {
    title: 'Access was not granted',
    message: 'You pressed Deny, or you are not a member of the organization.',
  },
  not_confirmed: {
    title: 'The service has not confirmed this sign-in yet',
    message: 'Read the organization once to confirm that it is yours.',
  },
  organization_refused: {
    title: 'The service does not show you this organization',
    message: 'Its number may be another one, or you may not be a member.',
  },
  forged_request: OUTDATED,
  not_found: {
    title: 'There is nothing at this address',
    message: 'It may be mistyped, or what was here is gone.',
  },
  method_not_allowed: OUTDATED,
  lower_reading: OUTDATED,
  evidence_changed: {
    title: 'The evidence no longer shows this',
    message: 'It changed after you opened the page.',
  },
  too_large: OUTDATED,
  unsupported_media_type: OUTDATED,
  costs_a_request: OUTDATED,
  rate_limited: {
    title: 'The requests of this minute are used up',
    message: 'You can go on within a minute. The button comes back by itself.',
  },
  month_suspected: {
    title: 'The requests of this month seem to be used up',
    message: 'You can try once more. It may use a request.',
  },
  limit_unknown: {
    title: 'A limit is reached, and the service does not name it',
    message: 'You can go on in a minute. The button comes back by itself.',
  },
  too_many_streams: OUTDATED,
  too_many_attempts: {
    title: 'Too many attempts came from your network',
    message: 'Wait a few minutes. No request was used.',
  },
  unknown: {
    title: 'Something went wrong here',
    message: 'This is an error of Plimsoll. A support id leads to its cause in the log.',
  },
  client_rejected: {
    title: 'The service does not accept this application',
    message: 'Only the operator of Plimsoll can fix this: tell them to check its registration.',
  },
  upstream_down: {
    title: 'The service cannot be reached',
    message: 'Try again in a few minutes.',
  },
  upstream_failed: {
    title: 'The service had a problem',
    message: 'It is not your fault; try again in a few minutes.',
  },
  unexpected_reply: {
    title: 'The service’s reply could not be read',
    message: 'Try again in a few minutes.',
  },
  refresh_failed: {
    title: 'The service gives no new access token at present',
    message: 'You stay signed in. Try again in half a minute.',
  },
  store_unavailable: {
    title: 'The database cannot be reached',
    message: 'Nothing is sent that cannot be recorded. Try again in a few minutes.',
  },
  bff_unreachable: {
    title: 'Plimsoll itself cannot be reached',
    message: 'Check your connection; the server may be down too.',
  },
  upstream_timeout: {
    title: 'The service takes too long to answer',
    message: 'Your request may count. Try again in a few minutes.',
  },
} satisfies Record<ProblemCode, { title: string; message: string }>
