import type { OrganizationId } from './organization.ts'
import type { PriceFacts } from './price.ts'

/** The public data of the application, which the browser needs to start a sign-in. */
export interface Application {
  authorization_endpoint: string
  client_id: string
  redirect_uri: string
  /** Present if the sign-in must send a challenge (RFC 7636). */
  code_challenge_method?: 'S256'
}

interface EveryAnswer extends Pick<PriceFacts, 'sign_in_counts'> {
  authorize: Application
  /** Present if the service is the embedded sandbox. */
  sandbox?: EmbeddedSandbox
  /** Open sessions of this browser that are not in use; absent if there are none. */
  others?: OtherSession[]
}

/** Limit in one browser. At the next sign-in, the least recently used session ends. */
export const MOST_ORGANIZATIONS = 5

/** A session of the same browser, for another organization. It holds no secret. */
export interface OtherSession {
  id: string
  method: 'oauth' | 'api_key'
  organization_id?: OrganizationId
}

export interface SignedOut extends EveryAnswer {
  signed_in: false
  /** The reason why the session of the cookie is over, unless it lapsed or was signed out. */
  ended?: SessionEnd
}

export interface EmbeddedSandbox {
  /** Address of its control plane. */
  control_url: string
  organizations: { id: OrganizationId; name: string }[]
}

/** `elsewhere`: ended in the list of sessions. `too_many`: it was the oldest of its owner when one more than 20 was opened. */
export type SessionEnd = (typeof SESSION_ENDS)[number]
export const SESSION_ENDS = ['elsewhere', 'too_many'] as const

/** `GET /bff/session` with a session, `POST /bff/session`, `POST /bff/sessions/{id}`. */
export interface SignedIn extends EveryAnswer {
  signed_in: true
  /** Identifies the session, so that a page sees if its session was replaced. It is no secret. */
  id: string
  method: 'oauth' | 'api_key'
  /** Absent with an API key: it belongs to one organization (5.1), but perhaps no answer names it (4.4). */
  organization_id?: OrganizationId
  /** Present if the service has not confirmed the credential yet: the read of the sign-in failed. */
  confirmed?: false
  /** Seconds until the session ends by itself. */
  ends_in: number
  /** Address of the plan page, on which the service shows the month's count (8.3). */
  plan_page: string
}

export type Session = SignedIn | SignedOut

/** The time that a person has on the service's pages. */
export const LOGIN_LIFETIME_SECONDS = 600

/** One session. It holds no secret. */
export interface OwnSession {
  /** The `id` in the answer of `GET /bff/session`. */
  id: string
  /** RFC 3339. */
  opened_at: string
  /** RFC 3339. It is stored about once an hour. */
  seen_at: string
  /** The name that its person chose, or for example `Firefox on Linux`. */
  browser: string
  /** It is the session of the browser that asks. */
  current: boolean
  /** A code of another browser has opened it. */
  paired?: boolean
}

/** The newest first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** Limit of one owner's open sessions. When another one is opened, the oldest ends. */
export const MAX_OWN_SESSIONS = 20

/** A longer address is not kept: the cookies of all sign-ins in progress go along with every request. */
export const LONGEST_KEPT_ADDRESS = 512

export interface KeptLogin {
  /** Path, query and fragment. */
  return_to: string
  /** The bff sends it with the code itself. */
  code_verifier?: string
}

/** Answer of `POST /bff/login/started`, about a sign-in that this browser began. */
export interface StartedLogin {
  organization_id: OrganizationId
  return_to: string
}

export const isKeptAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_KEPT_ADDRESS && /^\/[\x21-\x7e]*$/.test(value)
