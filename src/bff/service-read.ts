/** Reads one path of the service with a credential: admitted, sent, observed, and once more with a fresh token where that may help. */
import type { Meaning } from '../contract/answer-meaning.ts'
import { credentialHeader } from '../contract/credential.ts'
import { Problem } from '../contract/problem.ts'
import { RATE_HEADERS } from '../contract/rate-limit.ts'
import type { Context } from './context.ts'
import type { ServiceRead } from './forwarded-reads.ts'
import { admit } from './rate-limit-admission.ts'
import { observe } from './rate-limit-observation.ts'
import { type Credential, limitOwner } from './session-record.ts'
import { mayHaveArrived, type ServiceAnswer, sendRequest } from './service-request.ts'

/** What became of a read. A failure is a result and not thrown, because its price and its headers hold all the same. */
export interface ReadResult {
  /** The body, which is JSON; or why there is none. */
  result: { text: string } | Problem
  /** Requests that were sent for it. */
  spent: number
  /** The three headers as the service sent them (8.4.2). */
  rateHeaders: [name: string, value: string][]
}

interface ReadOptions {
  initiator: 'sign_in' | 'person'
  /**
   * Returns another credential for one that the service refused, where there can be one. The read is then sent once more,
   * since a GET changes nothing; a 429 is never repeated.
   */
  renew?: (refused: Credential) => Promise<Credential>
}

/** The result of a read that sent nothing. */
export const unsent = (problem: Problem): ReadResult => ({ result: problem, spent: 0, rateHeaders: [] })

/**
 * Reads a path of section 4. Every Problem is in the result: `rate_limited`, `limit_unknown` and `month_suspected` (what is
 * known to be over the limit is not sent), `credential_refused`, `organization_refused`, `upstream_*`, `unexpected_reply`,
 * `store_unavailable` (nothing was sent).
 */
export async function readService(
  context: Context,
  credential: Credential,
  read: ServiceRead,
  { initiator, renew }: ReadOptions,
): Promise<ReadResult> {
  const progress: ReadResult = unsent(new Problem('unknown'))
  try {
    let { answer, meaning } = await readOnce(context, credential, read, initiator, progress)
    if (renew !== undefined && meaning.renew)
      ({ answer, meaning } = await readOnce(context, await renew(credential), read, 'call', progress))
    progress.result = meaning.code === 'success' ? { text: answer.text } : new Problem(meaning.code, meaning)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    progress.result = error
  }
  return progress
}

async function readOnce(
  context: Context,
  credential: Credential,
  { path, row }: ServiceRead,
  initiator: 'sign_in' | 'person' | 'call',
  progress: ReadResult,
): Promise<{ answer: ServiceAnswer; meaning: Meaning }> {
  const owner = limitOwner(credential)
  const release = await admit(context, owner, 'read', initiator !== 'call')
  try {
    const answer = await sendRequest(context, {
      ...owner,
      kind: row.kind,
      path: row.servicePath,
      initiator,
      request: requestWith(context, credential, path),
    })
    progress.spent += 1
    progress.rateHeaders = rateHeadersOf(answer)
    const tokenExpired = credential.method === 'oauth' && credential.tokens.staleAtMs <= context.now()
    const observed = { owner, requestClass: 'read', kind: row.kind, tokenExpired } as const
    return { answer, meaning: await observe(context, observed, answer) }
  } catch (error) {
    if (error instanceof Problem && mayHaveArrived(error)) progress.spent += 1
    throw error
  } finally {
    release()
  }
}

function requestWith({ config }: Context, credential: Credential, path: string): Request {
  const [name, value] = credentialHeader(
    credential.method === 'oauth'
      ? { method: 'oauth', accessToken: credential.tokens.accessToken }
      : credential,
    config.apiKeyHeader,
  )
  return new Request(config.serviceUrl + path, {
    headers: { [name]: value, Accept: 'application/json' },
    redirect: 'manual',
  })
}

const rateHeadersOf = ({ headers }: ServiceAnswer): ReadResult['rateHeaders'] =>
  Object.values(RATE_HEADERS).flatMap((header) => {
    const value = headers.get(header)
    return value !== null && /^[\x20-\x7e]{1,64}$/.test(value) ? [[header, value]] : []
  })
