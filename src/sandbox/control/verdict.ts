/** Says where a client misbehaved: what it sent against what it had been reported. */
import { API_KEY_HEADER, readCredentials } from '../../contract/credential.ts'
import { isJsonObject } from '../../contract/json.ts'
import { requestClass } from '../../contract/rate-limit.ts'
import { fingerprint, type Verdict } from '../state/request-log.ts'
import { windowOf } from '../limits/rate-limit.ts'
import { type Frozen, lookUp, type SandboxState, type Reported } from '../state/state.ts'
import { deleteExpired } from '../state/sweep.ts'
import type { HonoContext } from '../state/context.ts'

/** A request as it came, before anything was made of it. */
export interface Arrival {
  request: Request
  url: URL
  at_ms: number
}

/** What can be said at once. */
export function judgeArrival(state: Frozen<SandboxState>, arrival: Arrival): Verdict[] {
  const { headers } = arrival.request
  const over = lookUp(state.reported.over, keyOf(arrival) ?? '') ?? 0
  return [
    ...(readCredentials(headers).length > 1 ? ['two_credentials' as const] : []),
    ...(hasSecret(state, arrival.url) ? ['secret_in_url' as const] : []),
    ...(arrival.at_ms < over ? ['sent_while_over' as const] : []),
  ]
}

/** What can be said once the body is read; `isKnown`: whether there is something at the address. */
export function judgeContent(
  { reported }: Frozen<Pick<SandboxState, 'reported'>>,
  c: HonoContext,
  { form, isKnown }: { form: URLSearchParams; isKnown: boolean },
): Verdict[] {
  const isSpent = (name: string) => {
    const value = form.get(name)
    const key = value === null ? '' : secretKey(name, value)
    return [reported.spent, reported.spent_earlier].some((spent) => Object.hasOwn(spent, key))
  }
  return [
    ...(isSpent('code') ? ['code_sent_twice' as const] : []),
    ...(isSpent('refresh_token') ? ['refresh_token_used_twice' as const] : []),
    ...(form.has('client_secret') && c.req.header('Authorization') !== undefined
      ? ['two_credentials' as const]
      : []),
    ...(isKnown ? [] : ['unknown_endpoint' as const]),
  ]
}

interface Outcome {
  arrival: Arrival
  form: URLSearchParams
  answer: Response
  /** Its body, where the request had a form. */
  answered: string
  /** Whether it arrives as it was sent. */
  isDelivered: boolean
}

/** Remembers what this answer tells the client. */
export function rememberReported(
  reported: Reported,
  c: HonoContext,
  { arrival, form, answer, answered, isDelivered }: Outcome,
): void {
  const [code, refreshToken] = [form.get('code'), form.get('refresh_token')]
  if (code) spend(reported, secretKey('code', code))
  if (!isDelivered) return
  if (refreshToken && isGone(answered, refreshToken))
    spend(reported, secretKey('refresh_token', refreshToken))
  const until = overUntil(c, answer)
  const key = keyOf(arrival)
  if (until !== undefined && key !== undefined) {
    deleteExpired(reported.over, (ms) => ms <= arrival.at_ms)
    reported.over[key] = until
  }
}

/** Of one credential and class. */
function keyOf({ request }: Arrival): string | undefined {
  const [credential, ...others] = readCredentials(request.headers)
  const counted = requestClass(request.method)
  if (credential === undefined || credential === 'malformed' || others.length > 0) return undefined
  const secret = credential.method === 'oauth' ? credential.accessToken : credential.apiKey
  return counted && `${counted} ${fingerprint(secret)}`
}

/** Until when the minute is over, as this answer says by its status or by none remaining, in UNIX milliseconds. */
function overUntil(c: HonoContext, answer: Response): number | undefined {
  const holder = c.get('holder')
  const counted = requestClass(c.req.method)
  if (holder === undefined || counted === undefined) return undefined
  const { remaining, reset } = windowOf(c.get('context'), holder, counted)
  const header = answer.headers.get('X-RateLimit-Remaining')
  const isNoneLeft = header !== null && Number(header) <= 0 && remaining <= 0
  return answer.status === 429 || isNoneLeft ? reset * 1000 : undefined
}

/** Whether the answer gives another refresh token in the place of this one, or says that it is worth nothing. */
function isGone(text: string, refreshToken: string): boolean {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return false
  }
  if (!isJsonObject(body)) return false
  const { refresh_token: next, error } = body
  return error === 'invalid_grant' || (typeof next === 'string' && next !== refreshToken)
}

const SECRET_PARAMETERS = [
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'api_key',
  API_KEY_HEADER,
].map((name) => name.toLowerCase())

/** Whether an address holds what belongs in a header or a body (RFC 6749 2.3.1, RFC 9700 4.3.2). */
function hasSecret(state: Frozen<SandboxState>, { pathname, searchParams }: URL): boolean {
  const isNamed = [...searchParams].some(
    ([name, value]) => value !== '' && SECRET_PARAMETERS.includes(name.toLowerCase()),
  )
  return isNamed || [...pathname.split('/'), ...searchParams.values()].some((text) => isSecret(state, text))
}

/** Whether the text is a secret that the sandbox issued. */
export const isSecret = (
  { access_tokens, refresh_tokens, codes, api_keys, applications }: Frozen<SandboxState>,
  text: string,
): boolean =>
  [access_tokens, refresh_tokens, codes].some((known) => Object.hasOwn(known, text)) ||
  api_keys.some(({ value }) => value === text) ||
  applications.some(({ client_secret }) => client_secret === text)

const secretKey = (name: string, value: string) =>
  `${name} ${fingerprint(value)}${fingerprint(`again ${value}`)}`

/** How many are in `spent` before it becomes `spent_earlier`, so that none has to be looked for to be deleted. */
const MOST_SPENT = 2000

function spend(reported: Reported, key: string): void {
  if (!Object.hasOwn(reported.spent, key)) reported.spent_count += 1
  reported.spent[key] = true
  if (reported.spent_count < MOST_SPENT) return
  reported.spent_earlier = reported.spent
  reported.spent = {}
  reported.spent_count = 0
}
