/** The model is a person: who is signed in, and which endings they have reason to expect. */
import { changedChoices, type Choices } from '../../src/sandbox/choices/choices.ts'
import type { Ending, Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const NAMES = ['ada', 'ada on her phone', 'ben', 'cleo', 'key'] as const
export type Name = (typeof NAMES)[number]

/** The problem codes by which a press may end after an event: at a service of defaults, and at any other. */
const ENDINGS = {
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
    other: 'credential_refused organization_refused limit_unknown',
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
    other: 'access_withdrawn refresh_failed credential_refused organization_refused',
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

const DAY_MS = 86_400_000

export class Model {
  readonly people: Record<Name, Visitor>
  readonly choices: Choices
  /** Who is signed in, as far as they know. */
  readonly signedIn = new Set<Name>()
  readonly #signedInAtMs = new Map<Name, number>()
  readonly #proven = new Map<Name, boolean>()
  readonly #causes = new Map<Name, Set<Cause>>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.choices = world.recording.choices
    const [ada, phone, ben, cleo, key] = ['Ada', 'Ada', 'Ben', 'Cleo', 'Ada'].map((one) => world.visitor(one))
    this.people = { ada, 'ada on her phone': phone, ben, cleo, key } as Record<Name, Visitor>
    this.people.key.path = '/organizations'
    // The client does not know the organization of a key, so a key has a month of its own.
    this.people.key.organization = `key of ${world.standard}`
  }

  /** From now on, until a press works or a sign-in succeeds, it may be the reason for a refusal. */
  because(cause: Cause, names: readonly Name[] = NAMES): void {
    for (const name of names) this.#causes.set(name, new Set([...(this.#causes.get(name) ?? []), cause]))
  }

  /** Takes in how a press or a sign-in ended. */
  async ended(name: Name, what: string, { code }: Ending): Promise<void> {
    const { recording, saw } = this.#world
    recording.endings.push(`${what}: ${code}`)
    if (code === 'ok') {
      if (!this.signedIn.has(name)) this.#signedInAtMs.set(name, this.#world.now())
      this.signedIn.add(name)
      this.#proven.set(name, this.#world.isProven(this.people[name]))
      this.#causes.delete(name)
      return
    }
    if (!(await this.#isExpected(name, code)))
      saw('every ending has a reason', `${name}, ${what}: ended with ${code}`)
    if (['access_withdrawn', 'signed_out'].includes(code)) this.signedIn.delete(name)
    // An error that says nothing of a grant may be one of the token endpoint, which all then leave alone.
    if (['refresh_failed', 'credential_refused'].includes(code)) this.because('trouble at a refresh')
    // Whatever the problem is, there is a way on: a session, or a place to sign in.
    const { body } = await this.people[name].session()
    if (!body.signed_in && !body.authorize.authorization_endpoint.endsWith('/oauth2/login'))
      saw('every ending has a reason', `${name}, ${what}: there is no way on`)
  }

  async #isExpected(name: Name, code: string): Promise<boolean> {
    if (code === 'signed_out' && !this.signedIn.has(name)) return true
    // Such a session has no first screen and no readings, and soon ends.
    const isUnproven = this.#proven.get(name) === false
    if (isUnproven && ['costs_a_request', 'not_confirmed', 'signed_out'].includes(code)) return true
    const causes = new Set(this.#causes.get(name))
    if (this.#world.now() - (this.#signedInAtMs.get(name) ?? Infinity) >= DAY_MS)
      causes.add('signed in for a day')
    if (await this.isMonthOver(name)) causes.add('month')
    const isOther = changedChoices(this.choices).length > 0
    return [...causes]
      .map((cause) => ENDINGS[cause])
      .some((one) => `${one.default} ${isOther ? one.other : ''}`.split(' ').includes(code))
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
