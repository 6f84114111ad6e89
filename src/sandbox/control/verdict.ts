/** Finds the mistakes of a client: compares what it sends with what earlier answers reported to it. */
import { API_KEY_HEADER, type readCredentials } from '../../contract/credential.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { requestClass } from '../../contract/rate-limit.ts'
import { FORM_TYPE } from '../http/form.ts'
import type { HandlerContext } from '../http/handler.ts'
import { windowOf } from '../limits/rate-limit.ts'
import { isMinuteOpen } from '../limits/window.ts'
import { deleteExpired } from '../state/issued.ts'
import { fingerprint, type RequestLogEntry, type Verdict } from '../state/request-log.ts'
import { ownValue, type Reported, type SandboxState } from '../state/state.ts'

export interface ReceivedRequest {
  method: string
  url: URL
  at_ms: number
  credentials: ReturnType<typeof readCredentials>
  print?: string | undefined
}

type Found = Partial<Record<Verdict, boolean | undefined>>

/** The verdicts that need no body. */
export const judgeReceived = (state: SandboxState, received: ReceivedRequest): Found => ({
  two_credentials: received.credentials.length > 1,
  secret_in_url: hasSecret(state, received.url),
  sent_while_over: isMinuteOpen(ownValue(state.reported.over, keyOf(received) ?? '') ?? 0, received.at_ms),
})

/** The verdicts that need the body or the address. */
export function judgeContent({ reported }: SandboxState, c: HandlerContext): Found {
  const form = c.get('form')
  const keys = secretKeysOf(form)
  const isSpent = (key = '') =>
    Object.hasOwn(reported.spent, key) || Object.hasOwn(reported.spent_earlier, key)
  return {
    code_sent_twice: isSpent(keys.code),
    refresh_token_used_twice: isSpent(keys.refresh_token),
    two_credentials: form?.has('client_secret') && c.req.header('Authorization') !== undefined,
    unknown_endpoint: c.get('unknown'),
  }
}

export function addVerdicts(entry: RequestLogEntry, found: Found): void {
  const names = (Object.keys(found) as Verdict[]).filter((name) => found[name])
  const earlier = entry.verdicts ?? (entry.verdict ? [entry.verdict] : [])
  const all = [...new Set([...earlier, ...names])]
  if (all[0]) entry.verdict = all[0]
  if (all.length > 1) entry.verdicts = all
}

/** @param isDelivered true if the answer arrives as it was written */
export function rememberReported(
  reported: Reported,
  c: HandlerContext,
  received: ReceivedRequest,
  isDelivered: boolean,
): void {
  const form = c.get('form')
  const [keys, refreshToken] = [secretKeysOf(form), form?.get('refresh_token')]
  if (keys.code !== undefined) spend(reported, keys.code)
  if (!isDelivered) return
  if (keys.refresh_token !== undefined && refreshToken && isReportedGone(c, refreshToken))
    spend(reported, keys.refresh_token)
  const until = overUntil(c)
  const key = keyOf(received)
  if (until !== undefined && key !== undefined) {
    deleteExpired(reported.over, (ms) => ms <= received.at_ms)
    reported.over[key] = until
  }
}

/** The key of a minute: one credential and one class. */
function keyOf({ method, credentials, print }: ReceivedRequest): string | undefined {
  const counted = requestClass(method)
  if (print === undefined || credentials.length > 1) return undefined
  return counted && `${counted} ${print}`
}

/** In UNIX milliseconds, if a 429 or 0 remaining reports that the minute is used up. */
function overUntil(c: HandlerContext): number | undefined {
  const holder = c.get('holder')
  const counted = requestClass(c.req.method)
  if (holder === undefined || counted === undefined) return undefined
  const { remaining, reset } = windowOf(c.get('context'), holder, counted)
  const header = c.res.headers.get('X-RateLimit-Remaining')
  const isNoneLeft = header !== null && Number(header) <= 0 && remaining <= 0
  return c.res.status === 429 || isNoneLeft ? reset * SECOND_MS : undefined
}

/** True if an answer replaces or refuses a refresh token. A client need not read a form (RFC 6749 5.1). */
function isReportedGone(c: HandlerContext, refreshToken: string): boolean {
  if (c.res.headers.get('Content-Type') === FORM_TYPE) return false
  const { refresh_token: next, error } = c.get('tokenAnswer') ?? {}
  return error === 'invalid_grant' || (typeof next === 'string' && next !== refreshToken)
}

const SECRET_PARAMETERS = [
  ...'access_token refresh_token client_secret code code_verifier api_key'.split(' '),
  API_KEY_HEADER.toLowerCase(),
]

/** A secret belongs in a header or a body (RFC 6749 2.3.1, RFC 9700 4.3.2), and is no parameter's name. */
const hasSecret = (state: SandboxState, { searchParams, pathname }: URL): boolean =>
  [...searchParams].some(
    ([name, value]) =>
      isSecret(state, name) ||
      isSecret(state, value) ||
      (value !== '' && SECRET_PARAMETERS.includes(name.toLowerCase())),
  ) || pathname.split('/').some((text) => isSecret(state, text))

export const isSecret = (
  { access_tokens, refresh_tokens, codes, api_keys, applications }: SandboxState,
  text: string,
): boolean =>
  [access_tokens, refresh_tokens, codes].some((known) => Object.hasOwn(known, text)) ||
  api_keys.some(({ value }) => value === text) ||
  applications.some(({ client_secret }) => client_secret === text)

/** The keys under which the code and the refresh token of a form are stored once they are spent. */
type SecretKeys = Partial<Record<'code' | 'refresh_token', string>>

function secretKeysOf(form: URLSearchParams | undefined): SecretKeys {
  const keyFor = (name: keyof SecretKeys) => {
    const value = form?.get(name)
    return value ? { [name]: `${name} ${fingerprint(value)}${fingerprint(`again ${value}`)}` } : {}
  }
  return { ...keyFor('code'), ...keyFor('refresh_token') }
}

/** The size at which `spent` becomes `spent_earlier`. So no key has to be searched for its deletion. */
const MOST_SPENT = 2000

function spend(reported: Reported, key: string): void {
  if (!Object.hasOwn(reported.spent, key)) reported.spent_count += 1
  reported.spent[key] = true
  if (reported.spent_count < MOST_SPENT) return
  reported.spent_earlier = reported.spent
  reported.spent = {}
  reported.spent_count = 0
}
