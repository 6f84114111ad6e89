/** The only place that states how each step may end by the choices, and which values prevent a sign-in. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { differences } from './choice-sets.ts'

/** For each choice, in the order of a sign-in: how the sign-in ends. */
export const IMPOSSIBLE_AT_SIGN_IN: readonly [
  keyof Choices,
  { readonly [value: string]: readonly string[] },
][] = [
  ['redirstatus', { status_307: ['at the service'] }],
  [
    'redir',
    {
      code_named_authorization_code: ['authorization_failed'],
      code_named_auth_code: ['authorization_failed'],
      no_state: ['state_mismatch'],
    },
  ],
  ['slow', { seconds_35: ['upstream_timeout'], never: ['upstream_timeout'] }],
  [
    'clientauth',
    {
      // The client takes an unreadable 400 for a refused code (tokerr).
      basic_only: ['client_rejected', 'code_rejected'],
    },
  ],
  ['tokstatus', { form_200: ['unexpected_reply'] }],
]

/**
 * The allowed endings of each step: by default, and in addition if a choice has a value. Any other ending is
 * a fault of the client or of this table. `combined` lists endings that need several values together.
 */
const ENDINGS = {
  'unknown application': {
    default: ['at the service'],
    'authzbad=redirect_error': ['authorization_failed'],
  },
  'all users at once': {
    default: ['ok'],
    'secondgrant=first_revoked': ['access_withdrawn and ok'],
    combined: ['ok and refresh_failed'],
  },
  'minute used up': {
    default: ['rate_limited, not sent'],
    'hdrclass=update': ['limit_unknown, by the service'],
    'remaining=before_request': ['rate_limited, by the service'],
    'shared=yes': ['rate_limited, by the service'],
    combined: [
      'limit_unknown, by the service',
      'rate_limited, by the service',
      'month_suspected, by the service',
    ],
  },
  'access token expired': {
    default: ['ok after 1 refresh'],
  },
  'access token lost': {
    default: ['ok'],
    'invalidcred=status_403': ['organization_refused'],
    'invalidcred=status_404': ['organization_refused'],
  },
  'month used up': {
    default: ['month_suspected'],
    combined: [
      'client_rejected',
      'organization_refused',
      'credential_refused',
      'unexpected_reply',
      'rate_limited',
    ],
  },
  'token endpoint used up': {
    default: ['impossible because toklimit=not_counted: ok'],
    'toklimit=own_limit': ['refresh_failed'],
    'toklimit=counts_as_update': ['impossible because toklimit=counts_as_update: ok'],
  },
  'trouble of the service': {
    default: [
      'server_error: upstream_failed',
      'html: upstream_failed',
      'garbage: unexpected_reply',
      'truncate: upstream_down',
      'lost: upstream_down',
      'refresh lost: refresh_failed',
    ],
    'fivexx=maintenance_200': ['server_error: unexpected_reply'],
  },
  'sessions cannot be written': {
    default: ['ok'],
  },
  'month used up by another key': {
    default: ['month_suspected'],
    'monthly=status_401': ['credential_refused'],
    'monthly=status_403': ['organization_refused'],
    'monthly=error_200': ['unexpected_reply'],
    combined: ['client_rejected', 'rate_limited'],
  },
  'grant withdrawn': {
    default: ['access_withdrawn at once, by the operators'],
    'invalidcred=status_403': [
      'access_withdrawn at expiry, by the operators',
      'access_withdrawn at expiry, on the page',
    ],
    'invalidcred=status_404': [
      'access_withdrawn at expiry, by the operators',
      'access_withdrawn at expiry, on the page',
    ],
    'states=grants_withdrawable': ['access_withdrawn at once, on the page'],
    // Without `invalid_grant` the end of a grant ends no session; after an hour the page offers a new
    // sign-in.
    'tokerr=message': ['credential_refused, by the operators', 'credential_refused, on the page'],
    'tokerr=html_or_empty': ['credential_refused, by the operators', 'credential_refused, on the page'],
    combined: ['refresh_failed, by the operators', 'refresh_failed, on the page'],
  },
  'permission denied': {
    default: ['access_denied'],
    'deny=page': ['at the service'],
    'deny=redirect_bare': ['authorization_failed'],
    'deny=redirect_other_error': ['authorization_failed'],
    'deny=service_home': ['at the service'],
  },
  'organization of others': {
    default: ['access_denied'],
    'orgbad=picker': ['organization_refused'],
    'orgbad=page': ['at the service'],
    'orgbad=default_organization': ['organization_refused'],
    'wrongorg=served_200': ['ok'],
  },
  'application deleted': {
    default: ['client_rejected'],
    // Under tokerr an unreadable 400 does not name the client.
    combined: ['refresh_failed', 'credential_refused'],
  },
  'application registered again': {
    // The refresh that failed while the application was deleted delays the next one.
    default: ['access_withdrawn at once', 'access_withdrawn at expiry'],
    'tokerr=message': ['refresh_failed', 'credential_refused'],
    'tokerr=html_or_empty': ['refresh_failed', 'credential_refused'],
  },
  'key deleted': {
    default: ['credential_refused'],
    'invalidcred=status_403': ['organization_refused'],
    'invalidcred=status_404': ['organization_refused'],
  },
} satisfies Record<
  string,
  {
    default: readonly string[]
    combined?: readonly string[]
    [chosen: `${string}=${string}`]: readonly string[]
  }
>

export type StepName = keyof typeof ENDINGS

export function expectedFor(step: StepName, choices: Choices): readonly string[] {
  const endings: { readonly [chosen: string]: readonly string[] } = ENDINGS[step]
  const chosen = Object.entries(choices).flatMap(([key, value]) => endings[`${key}=${value}`] ?? [])
  const several = differences(choices).length > 1 ? (endings['combined'] ?? []) : []
  return [...(endings['default'] ?? []), ...chosen, ...several]
}

/** The share of all journeys in which a step must end with such a beginning, or too little is proven. */
export const LEAST: readonly { step: string; beginning: string; share: number }[] = [
  { step: 'sign-in', beginning: 'signed in', share: 1 },
  { step: 'sign-in', beginning: 'ended at the sign-in', share: 0.6 },
  { step: 'replay', beginning: 'callback: state_mismatch', share: 1 },
  { step: 'replay', beginning: 'state: state_mismatch', share: 1 },
  { step: 'made-up code', beginning: '', share: 1 },
  { step: 'all users at once', beginning: 'ok', share: 1 },
  { step: 'minute used up', beginning: '', share: 1 },
  { step: 'minute used up', beginning: 'rate_limited', share: 0.8 },
  { step: 'access token expired', beginning: 'ok after 1 refresh', share: 0.7 },
  { step: 'month used up', beginning: 'month_suspected', share: 0.7 },
  { step: 'month used up by another key', beginning: 'month_suspected', share: 0.4 },
  { step: 'sessions cannot be written', beginning: 'ok', share: 0.7 },
  { step: 'grant withdrawn', beginning: '', share: 1 },
  { step: 'grant withdrawn', beginning: 'access_withdrawn', share: 0.8 },
  { step: 'application registered again', beginning: 'access_withdrawn', share: 0.7 },
  { step: 'old cookie', beginning: 'after revocation', share: 1 },
  { step: 'old cookie', beginning: 'after revocation: signed_out', share: 0.8 },
  { step: 'old cookie', beginning: 'after sign-out: signed_out', share: 1 },
]

/** Endings that every journey must reach if a choice has a value. */
export const REACHED_WHERE: readonly { chosen: `${string}=${string}`; step: string; beginning: string }[] = [
  { chosen: 'toklimit=own_limit', step: 'token endpoint used up', beginning: 'refresh_failed' },
  {
    chosen: 'toklimit=counts_as_update',
    step: 'token endpoint used up',
    beginning: 'impossible because toklimit=counts_as_update',
  },
  { chosen: 'states=grants_withdrawable', step: 'grant withdrawn', beginning: '' },
  {
    chosen: 'slow=never',
    step: 'impossible value while signed in',
    beginning: 'slow=never: upstream_timeout',
  },
  {
    chosen: 'slow=seconds_35',
    step: 'impossible value while signed in',
    beginning: 'slow=seconds_35: upstream_timeout',
  },
  {
    chosen: 'clientauth=basic_only',
    step: 'impossible value while signed in',
    beginning: 'clientauth=basic_only:',
  },
  {
    chosen: 'tokstatus=form_200',
    step: 'impossible value while signed in',
    beginning: 'tokstatus=form_200:',
  },
  ...IMPOSSIBLE_AT_SIGN_IN.flatMap(([key, values]) =>
    Object.keys(values).map((value) => ({
      chosen: `${key}=${value}` as const,
      step: 'sign-in',
      beginning: `ended at the sign-in because ${key}=${value}:`,
    })),
  ),
]
