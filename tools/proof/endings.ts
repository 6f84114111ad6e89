/** The endings that a person can expect: after an event, and at a service where no sign-in works. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** The problem codes by which a press may end after an event: at a service of defaults, and at any other. */
export const ENDINGS = {
  minute: { default: 'rate_limited', other: 'limit_unknown' },
  // Nothing is known of the month of a key's organization.
  month: {
    default: 'month_suspected limit_unknown',
    other:
      'rate_limited refresh_failed credential_refused organization_refused unexpected_reply key_rejected client_rejected',
  },
  'lost token': { default: '', other: 'organization_refused unexpected_reply' },
  'trouble at a read': { default: 'upstream_failed unexpected_reply upstream_down', other: '' },
  'trouble at a refresh': {
    default: 'refresh_failed access_withdrawn',
    other: 'credential_refused organization_refused limit_unknown client_rejected',
  },
  'permission withdrawn': {
    default: 'access_withdrawn',
    other: 'organization_refused unexpected_reply credential_refused refresh_failed',
  },
  'application deleted': {
    default: 'client_rejected access_withdrawn',
    other: 'refresh_failed credential_refused organization_refused',
  },
  // A refresh token may have a lifetime of its own (5.5); an invariant looks at the age of a session.
  'signed in for a day': {
    default: 'signed_out',
    other: 'access_withdrawn refresh_failed credential_refused organization_refused',
  },
  'another sign-in': {
    default: '',
    other: 'access_withdrawn refresh_failed credential_refused organization_refused unexpected_reply',
  },
}
export type Cause = keyof typeof ENDINGS

/** How a sign-in ends at a service with a value that makes it impossible. */
export const IMPOSSIBLE: Readonly<Partial<Record<keyof Choices, Record<string, string>>>> = {
  redirstatus: { status_307: 'at the service' },
  redir: {
    code_named_authorization_code: 'authorization_failed',
    code_named_auth_code: 'authorization_failed',
    no_state: 'state_mismatch',
  },
  clientauth: { basic_only: 'client_rejected' },
  tokstatus: { form_200: 'unexpected_reply' },
}
