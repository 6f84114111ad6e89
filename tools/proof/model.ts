/** The model is a person: who is signed in, and which endings they have reason to expect. */
import { type Choices, changedChoices } from '../../src/sandbox/choices/choices.ts'
import { DAY_MS } from '../../src/contract/duration.ts'
import type { Ending, Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const NAMES = ['ada', 'ada on her phone', 'ben', 'cleo', 'key', 'key of business'] as const
export type Name = (typeof NAMES)[number]

/** The problem codes by which each event may end a press: by default, and in addition if a choice has a value. */
const ENDINGS = {
  minute: { default: 'rate_limited', 'hdrclass=update': 'limit_unknown', combined: 'limit_unknown' },
  month: {
    default: 'month_suspected',
    'monthly=status_401': 'credential_refused',
    'monthly=status_403': 'organization_refused',
    'monthly=error_200': 'unexpected_reply',
    'toklimit=counts_as_update': 'refresh_failed limit_unknown',
    combined: 'client_rejected organization_refused credential_refused unexpected_reply rate_limited',
  },
  // Nothing is known of the month of a key's organization.
  'month of a key': {
    default: 'limit_unknown',
    'monthly=status_401': 'key_rejected',
    'monthly=status_403': 'key_rejected',
  },
  'token endpoint': { default: '', 'toklimit=own_limit': 'refresh_failed' },
  'lost token': {
    default: '',
    'invalidcred=status_403': 'organization_refused unexpected_reply',
    'invalidcred=status_404': 'organization_refused unexpected_reply',
  },
  'trouble at a read': {
    default: 'upstream_failed unexpected_reply upstream_down',
  },
  'trouble at a refresh': {
    default: 'refresh_failed access_withdrawn',
    'tokerr=message': 'credential_refused',
    'tokerr=html_or_empty': 'credential_refused',
    combined: 'credential_refused organization_refused',
  },
  // Its lease is held until the tokens are stored, so a second refresh in the same press waits in vain.
  'no writes': { default: '', 'monthly=status_401': 'upstream_timeout', combined: 'upstream_timeout' },
  'permission withdrawn': {
    default: 'access_withdrawn',
    'invalidcred=status_403': 'organization_refused unexpected_reply',
    'invalidcred=status_404': 'organization_refused unexpected_reply',
    'tokerr=message': 'credential_refused refresh_failed',
    'tokerr=html_or_empty': 'credential_refused refresh_failed',
    combined: 'refresh_failed',
  },
  'application deleted': {
    default: 'client_rejected access_withdrawn',
    'tokerr=message': 'refresh_failed credential_refused',
    'tokerr=html_or_empty': 'refresh_failed credential_refused',
    combined: 'refresh_failed credential_refused organization_refused',
  },
  // A refresh token may have a lifetime of its own (5.5); an invariant looks at the age of a session.
  'signed in for a day': {
    default: 'signed_out',
    'rtlife=days_14_idle': 'access_withdrawn',
    'rtlife=days_30_absolute': 'access_withdrawn',
    'rtlife=hours_24': 'access_withdrawn',
    combined: 'access_withdrawn refresh_failed credential_refused organization_refused',
  },
  'key deleted': {
    default: 'credential_refused',
    'invalidcred=status_403': 'organization_refused unexpected_reply',
    'invalidcred=status_404': 'organization_refused unexpected_reply',
  },
  'another sign-in': {
    default: '',
    'secondgrant=first_revoked': 'access_withdrawn',
    'secondgrant=oldest_evicted': 'access_withdrawn',
    combined: 'access_withdrawn refresh_failed credential_refused organization_refused',
  },
  'an impossible value': { default: 'upstream_timeout client_rejected refresh_failed unexpected_reply' },
} satisfies Record<string, { default: string; combined?: string; [chosen: `${string}=${string}`]: string }>

export type Cause = keyof typeof ENDINGS

/** For each choice, in the order of a sign-in: how the sign-in ends if it has this value. */
export const IMPOSSIBLE: readonly [keyof Choices, Record<string, readonly string[]>][] = [
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
  // The client takes an unreadable 400 for a refused code (tokerr).
  ['clientauth', { basic_only: ['client_rejected', 'code_rejected'] }],
  ['tokstatus', { form_200: ['unexpected_reply'] }],
]

export class Model {
  readonly people: Record<Name, Visitor>
  readonly choices: Choices
  /** Who is signed in, as far as they know. */
  readonly signedIn = new Set<Name>()
  readonly #signedInAtMs = new Map<Name, number>()
  /** Values that were set back because they make a sign-in impossible. */
  readonly setBack: Partial<Choices> = {}
  readonly #causes = new Map<Name, Set<Cause>>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.choices = world.recording.choices
    const browser = (name: string) => world.visitor(name)
    this.people = {
      ada: browser('Ada'),
      'ada on her phone': browser('Ada'),
      ben: browser('Ben'),
      cleo: browser('Cleo'),
      key: browser('Ada'),
      'key of business': browser('Cleo'),
    }
    for (const name of ['key', 'key of business'] as const) {
      const person = this.people[name]
      person.path = '/organizations'
      // The client does not know the organization of a key, so a key has a month of its own.
      person.organization = `key of ${person.organization}`
    }
  }

  /** From now on, until a press works or a sign-in succeeds, it may be the reason for a refusal. */
  because(cause: Cause, names: readonly Name[] = NAMES): void {
    for (const name of names) this.#causes.set(name, new Set([...(this.#causes.get(name) ?? []), cause]))
  }

  may = (name: Name, cause: Cause): boolean => this.#causes.get(name)?.has(cause) === true

  /** Takes in how a press or a sign-in ended. */
  async ended(name: Name, what: string, { code }: Ending): Promise<void> {
    const { recording } = this.#world
    recording.endings.push(`${what}: ${code}`)
    if (code === 'ok') {
      if (!this.signedIn.has(name)) this.#signedInAtMs.set(name, this.#world.now())
      this.signedIn.add(name)
      this.#causes.delete(name)
      return
    }
    if (!(await this.#isExpected(name, code))) recording.faults.push(`${name}, ${what}: ended with ${code}`)
    if (['access_withdrawn', 'signed_out'].includes(code)) this.signedIn.delete(name)
    // Whatever the problem is, there is a way on: a session, or a place to sign in.
    const { body } = await this.people[name].session()
    if (!body.signed_in && !body.authorize.authorization_endpoint.endsWith('/oauth2/login'))
      recording.faults.push(`${name}, ${what}: there is no way on`)
  }

  async #isExpected(name: Name, code: string): Promise<boolean> {
    if (code === 'signed_out' && !this.signedIn.has(name)) return true
    const causes = new Set(this.#causes.get(name))
    if (this.#world.now() - (this.#signedInAtMs.get(name) ?? Infinity) >= DAY_MS)
      causes.add('signed in for a day')
    if (await this.isMonthOver(name))
      causes.add('month').add(name.startsWith('key') ? 'month of a key' : 'month')
    const changed = changedChoices(this.choices).map((key) => `${key}=${this.choices[key]}`)
    return [...causes].some((cause) => {
      const endings: Record<string, string> = ENDINGS[cause]
      const keys = ['default', ...changed, ...(changed.length > 1 ? ['combined'] : [])]
      return keys.some((key) => endings[key]?.split(' ').includes(code))
    })
  }

  /** The client's own count may be ahead of the service's, which it then asks once a minute. */
  async isMonthOver(name: Name): Promise<boolean> {
    const month = (await this.people[name].quotaIfAny())?.month
    return (
      this.#world.isMonthOver() ||
      month?.suspected !== undefined ||
      (month?.high ?? 0) >= 88 ||
      (month?.organization?.high ?? 0) >= 88
    )
  }
}
