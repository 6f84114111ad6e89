/** Admits, sends and observes a read of the service, and may repeat it with a fresh token. */
import type { Meaning } from '../../contract/answer-meaning.ts'
import { isFromCache } from '../../contract/clock.ts'
import { credentialHeader } from '../../contract/credential.ts'
import { Problem } from '../../contract/problem.ts'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import { briefly } from '../core/deferred-writes.ts'
import { type Context, inBackground, type Outgoing } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { ORGANIZATION_READ, type ServiceRead, serviceRead } from '../service/forwarded-reads.ts'
import { type AdmissionRequest, admissionOf, afterProbe } from '../limits/admission.ts'
import { observe } from '../limits/observation.ts'
import { mayHaveArrived, type ServiceAnswer, sendUnsettled } from '../service/request.ts'
import { type Credential, type Holder, limitOwner } from '../session/record.ts'
import type { RefreshCost } from '../token/token.ts'

/** A failure is a result too and not thrown, because it also has a price and headers. */
export interface ReadResult {
  /** The JSON body, or the reason why there is none. */
  result: { text: string } | Problem
  /** The number of reads that were sent. */
  spent: number
  /** The number of token requests that were sent for them. */
  refreshes: number
  /** Names the token of the newest answer; absent if no answer came. */
  token?: string
  /** The three headers of that answer as sent (8.4.2); empty if it came from a cache. */
  rateHeaders: [name: string, value: string][]
  /** Resolves when the reports of all answers are stored. */
  written: Promise<unknown>
}

interface ReadOptions {
  initiator: 'sign_in' | 'person'
  /** The refreshes that this press has caused. */
  cost?: RefreshCost
  /**
   * Returns a new credential for a refused one. The read is then sent once more, since a GET changes nothing.
   * A 429 is never repeated.
   */
  renew?: (refused: Credential) => Promise<Credential>
}

type Sender = Pick<AdmissionRequest, 'initiator' | 'refresh'>

/** Created once: an error with its stack is slow to create. */
const NOT_READ = new Problem('unknown')

/** The result of a read that sent nothing. */
export const unsent = (result: ReadResult['result']): ReadResult => ({
  result,
  spent: 0,
  refreshes: 0,
  rateHeaders: [],
  written: Promise.resolve(),
})

/**
 * Reads a path of section 4. Every Problem is in the result: `rate_limited`, `limit_unknown` and
 * `month_suspected` (not sent), `credential_refused`, `organization_refused`, `upstream_*`,
 * `unexpected_reply`, `store_unavailable` (not sent).
 */
export async function readService(
  context: Context,
  { id, owner, record: { credential, proven } }: Holder,
  read: ServiceRead,
  { initiator, renew, cost = { refreshes: 0 } }: ReadOptions,
): Promise<ReadResult> {
  const progress = unsent(NOT_READ)
  const send = (present: Credential, by: Sender) =>
    sendRead(context, { id, owner, record: { credential: present, proven } }, read, by, progress)
  try {
    let { answer, meaning } = await send(credential, {
      initiator,
      ...(cost.refreshes > 0 && { refresh: 'sent' }),
    })
    if (renew !== undefined && meaning.renew) {
      await briefly(context, progress.written)
      ;({ answer, meaning } = await send(await renew(credential), { initiator: 'call' }))
    }
    progress.result = meaning.code === 'success' ? { text: answer.text } : new Problem(meaning.code, meaning)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    progress.result = error
  }
  progress.refreshes = cost.refreshes
  return progress
}

/**
 * True if a success proves the credential. For an access token it must be the record of its organization
 * (5.3), because the token may be good for another one. For an API key any read is a proof.
 */
export const isProof = (credential: Credential, { path }: ServiceRead): boolean =>
  credential.method === 'api_key' || path === serviceRead(ORGANIZATION_READ, credential.organizationId).path

/** `undefined` if the service did not refuse the credential. */
export function credentialRefusal(credential: Credential, result: ReadResult['result']): Problem | undefined {
  if (!(result instanceof Problem)) return undefined
  if (result.code !== 'credential_refused' && result.code !== 'organization_refused') return undefined
  return new Problem(credential.method === 'api_key' ? 'key_rejected' : 'organization_refused')
}

/** Records in `progress` what the request cost and what its answer reports. */
async function sendRead(
  context: Context,
  holder: Holder,
  read: ServiceRead,
  by: Sender,
  progress: ReadResult,
): Promise<{ answer: ServiceAnswer; meaning: Meaning }> {
  const owner = limitOwner(holder)
  const { credential } = holder.record
  const { kind, servicePath } = read.row
  const { initiator } = by
  const requested = { owner, requestClass: 'read', ...by } as const
  try {
    const assumed = await readAssumptions(context)
    const { settle, ...answer } = await afterProbe(context, () =>
      sendUnsettled(context, {
        organization: owner.organization,
        token: owner.token,
        owner: holder.owner,
        kind,
        path: servicePath,
        initiator,
        request: requestWith(context, credential, read.path),
        admissionAt: (nowMs) => admissionOf(context, requested, nowMs, assumed),
      }),
    )
    progress.spent += 1
    progress.token = owner.token
    progress.rateHeaders = rateHeadersOf(answer)
    const tokenExpired = credential.method === 'oauth' && credential.tokens.staleAtMs <= context.now()
    const observed = { ...requested, kind, tokenExpired, proves: isProof(credential, read), assumed }
    const { meaning, store } = await observe(context, observed, answer)
    // Settle last: until the report is stored, the request is in flight, and every process sees that.
    progress.written = inBackground(context.memory, store().then(settle))
    return { answer, meaning }
  } catch (error) {
    if (error instanceof Problem && mayHaveArrived(error)) progress.spent += 1
    throw error
  }
}

function requestWith({ config }: Context, credential: Credential, path: string): Outgoing {
  const [name, value] = credentialHeader(
    credential.method === 'oauth'
      ? { method: 'oauth', accessToken: credential.tokens.accessToken }
      : credential,
    config.apiKeyHeader,
  )
  return {
    method: 'GET',
    url: config.serviceUrl + path,
    headers: [
      [name, value],
      ['Accept', 'application/json'],
    ],
    text: async () => '',
  }
}

function rateHeadersOf({ headers }: ServiceAnswer): ReadResult['rateHeaders'] {
  if (isFromCache(headers)) return []
  return Object.values(RATE_HEADERS).flatMap((header) => {
    const value = headers.get(header)
    return value !== null && /^[\x20-\x7e]{1,64}$/.test(value) ? [[header, value]] : []
  })
}
