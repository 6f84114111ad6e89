/** One read of the service with a credential: admitted, sent, observed, and told apart. */
import { credentialHeader } from '../contract/credential.ts'
import { isErrorBody } from '../contract/error-body.ts'
import { Problem } from '../contract/problem.ts'
import { RATE_HEADERS, RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { readRetryAfter } from '../contract/refusal.ts'
import type { House } from './context.ts'
import { type Answer, mayHaveArrived, send, serviceNowMs } from './service-request.ts'
import { admit, observe } from './rate-limit-observation.ts'
import { type Credential, organizationOf, tokenOf } from './session-record.ts'

/** What became of a call. A failure is told and not thrown, because what it cost and what its headers say hold all the same. */
export interface Called {
  /** The body, which is JSON; or why there is none. */
  result: { text: string } | Problem
  /** Requests that were sent for it. */
  spent: number
  /** The three headers as the service sent them (8.4.2). */
  rateHeaders: [name: string, value: string][]
}

interface Caller {
  initiator: 'sign_in' | 'person'
  /**
   * Gives another credential for one that the service refused, where there can be one. The read is then sent once more,
   * since a GET changes nothing; a 429 is never repeated.
   */
  renew?: (refused: Credential) => Promise<Credential>
}

/**
 * Reads a path of section 4. Every Problem is in the result: `rate_limited`, `limit_unknown` and `month_suspected` (of these,
 * what is known to be over is not sent at all), `credential_refused`, `organization_refused`, `upstream_*`,
 * `unexpected_reply`, `store_unavailable` (nothing was sent).
 */
export async function callService(
  house: House,
  credential: Credential,
  path: string,
  caller: Caller,
): Promise<Called> {
  const called: Called = { result: new Problem('unknown'), spent: 0, rateHeaders: [] }
  try {
    let answer = await readOnce(house, credential, path, caller.initiator, called)
    if (caller.renew !== undefined && seemsExpired(house, credential, answer)) {
      answer = await readOnce(house, await caller.renew(credential), path, 'call', called)
    }
    called.result = judge(house, path, answer)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    called.result = error
  }
  return called
}

async function readOnce(
  house: House,
  credential: Credential,
  path: string,
  initiator: 'sign_in' | 'person' | 'call',
  called: Called,
): Promise<Answer> {
  const spender = { token: tokenOf(credential), organization: organizationOf(credential) }
  const leave = await admit(house, spender, 'read', initiator !== 'call')
  try {
    const [name, value] = credentialHeader(
      credential.method === 'oauth'
        ? { method: 'oauth', accessToken: credential.tokens.accessToken }
        : credential,
      house.config.apiKeyHeader,
    )
    const request = new Request(house.config.serviceUrl + path, {
      headers: { [name]: value, Accept: 'application/json' },
      redirect: 'manual',
    })
    const kind = path === RATE_LIMIT_PATH ? 'rate_limit' : 'api.read'
    const answer = await send(house, {
      ...spender,
      kind,
      path: path.replace(/\d+/, '{id}'),
      initiator,
      request,
    })
    called.spent += 1
    called.rateHeaders = Object.values(RATE_HEADERS).flatMap((header) => {
      const told = answer.headers.get(header)
      return told !== null && /^[\x20-\x7e]{1,64}$/.test(told) ? [[header, told]] : []
    })
    const refusal = await observe(house, spender, 'read', path, answer)
    if (refusal !== undefined) throw refusal
    return answer
  } catch (error) {
    if (error instanceof Problem && mayHaveArrived(error)) called.spent += 1
    throw error
  } finally {
    leave()
  }
}

/** A 401 (RFC 6750 3.1); a 403 or 440 only when our own clock says that the token is as old (5.5: not shown). */
const seemsExpired = (house: House, credential: Credential, { status }: Answer): boolean =>
  status === 401 ||
  ((status === 403 || status === 440) &&
    credential.method === 'oauth' &&
    credential.tokens.staleAtMs <= house.now())

/** What an answer means, by its status alone (5.5, 7: neither codes nor bodies of errors are shown). */
function judge(house: House, path: string, { status, headers, text }: Answer): { text: string } | Problem {
  if (status >= 200 && status < 300) return isErrorBody(text) ? new Problem('unexpected_reply') : { text }
  if (status === 401 || status === 440) return new Problem('credential_refused')
  if (status >= 500)
    return new Problem('upstream_failed', { retryInMs: readRetryAfter(headers, serviceNowMs(house)) })
  // Refused, or not there: the service need not tell the one from the other (RFC 9110 15.5.4).
  if ([400, 403, 404].includes(status) && path !== RATE_LIMIT_PATH) return new Problem('organization_refused')
  return new Problem('unexpected_reply')
}
