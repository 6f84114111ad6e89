/** Admits, sends and finishes a read of the service, and may repeat it with a fresh token. */
import type { Assumptions } from '../../contract/assumptions.ts'
import { isFromCache } from '../../contract/clock.ts'
import { credentialHeader } from '../../contract/credential.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Answered, Learned } from '../../contract/learn.ts'
import { Problem } from '../../contract/problem.ts'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import type { LedgerEntry } from '../../store/store.ts'
import { bestEffort, type Context, type Outgoing, serviceNowMs, type Within } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { type AdmissionRequest, admit } from '../limits/admission.ts'
import { learnAlone, learnInside } from '../limits/learned.ts'
import { ORGANIZATION_READ, type ServiceRead, serviceRead } from '../service/forwarded-reads.ts'
import { begin, finish, mayHaveArrived, type Press, type ServiceAnswer, send } from '../service/request.ts'
import { type Credential } from '../session/grant.ts'
import { lockClaimed } from '../session/limit-owner.ts'
import { type Holder, type LoadedSession, limitOwner, prove } from '../session/record.ts'
import { endRead, leaveRead, type SharedRead, takeRead } from './shared-read.ts'

/** A failure is a result too and not thrown, because it also has a price and headers. */
export interface ReadResult {
  /** The JSON body, or the reason why there is none. */
  result: { text: string; isProof?: boolean } | Problem
  /** The number of reads that were sent. */
  spent: number
  /** The three headers of that answer as sent (8.4.2); empty if it came from a cache. */
  rateHeaders: [name: string, value: string][]
  /** It is the result of the same read of another process. */
  isShared?: boolean
}

interface Reading {
  holder: Holder
  read: ServiceRead
  press: Press
  initiator: LedgerEntry['initiator']
  /** If it is stored: all processes share its read, and it gets the copy. */
  session?: LoadedSession
}

/** Gets a new credential for a refused one. */
type Renew = (refused: Credential) => Promise<Credential>

/**
 * @param renew gives the credential with which a refused read is sent once more, since a GET changes nothing.
 *   A 429 is never repeated
 * @returns every Problem in the result: `rate_limited`, `limit_unknown` and `month_suspected` (not sent),
 *   `credential_refused`, `organization_refused`, `upstream_*`, `unexpected_reply`, `signed_out`,
 *   `store_unavailable` (not sent)
 */
export async function readService(context: Context, reading: Reading, renew?: Renew): Promise<ReadResult> {
  const { isRefused, ...first } = await sendRead(context, reading, renew !== undefined)
  const again = isRefused && renew ? await repeat(context, reading, renew) : { spent: 0 }
  return { rateHeaders: [], ...first, ...again, spent: first.spent + again.spent }
}

interface Sent extends Omit<ReadResult, 'rateHeaders'> {
  /** Absent without an answer. */
  rateHeaders?: ReadResult['rateHeaders']
  /** It is to be sent again with a fresh token. */
  isRefused?: boolean
}

/** A Problem that has stopped a read before it was sent. */
function unsent(error: unknown): Sent {
  if (!(error instanceof Problem)) throw error
  return { result: error, spent: 0 }
}

/** Sends a refused read once more. If nothing is sent, whoever waits for the read is told why. */
async function repeat(context: Context, reading: Reading, renew: Renew): Promise<Sent> {
  const { holder } = reading
  const resend = (credential: Credential) => {
    const again = { ...holder, record: { ...holder.record, credential } }
    return sendRead(context, { ...reading, holder: again, initiator: 'call' }, false)
  }
  const sent = await renew(holder.record.credential).then(resend, unsent)
  const shared = sharedOf(reading)
  if (sent.result instanceof Problem && sent.spent === 0 && shared !== undefined) {
    const { code, retryInMs, reasons } = sent.result
    // Its cause may say that nothing was sent, but the read was.
    const end = new Problem(code, { retryInMs, reasons })
    await bestEffort(context.store.transaction((store) => endRead({ ...context, store }, shared, end)))
  }
  return sent
}

/**
 * True if a success proves the credential. For an access token it must be the record of its organization
 * (5.3), because the token may be good for another one. For an API key any read is a proof. What comes from a
 * cache proves nothing: it may be the answer to another credential.
 */
const isProof = (credential: Credential, { path }: ServiceRead, { headers }: ServiceAnswer): boolean =>
  !isFromCache(headers) &&
  (credential.method === 'api_key' || path === serviceRead(ORGANIZATION_READ, credential.organizationId).path)

/** `undefined` if the service did not refuse the credential. */
export function credentialRefusal(credential: Credential, result: ReadResult['result']): Problem | undefined {
  if (!(result instanceof Problem)) return undefined
  if (result.code !== 'credential_refused' && result.code !== 'organization_refused') return undefined
  return new Problem(credential.method === 'api_key' ? 'key_rejected' : 'organization_refused')
}

/** @param mayRenew the caller sends a read with a refused token again, and others go on waiting for it */
async function sendRead(context: Context, reading: Reading, mayRenew: boolean): Promise<Sent> {
  const assumed = await readAssumptions(context)
  const { session } = reading
  const shared = sharedOf(reading)
  const begun = await beginRead(context, reading, assumed).catch(async (error: unknown) => {
    // It may have taken the read, and then waited to be admitted.
    if (shared) await bestEffort(leaveRead(context, shared))
    return { ended: unsent(error) }
  })
  if ('ended' in begun) return begun.ended
  const { row } = begun
  const { credential } = reading.holder.record
  const answer = await send(context, row, requestWith(context, credential, reading.read.path))
  if (answer instanceof Problem) {
    await finish(context, row, answer, async (inside) => shared && endRead(inside, shared, answer))
    return { result: answer, spent: mayHaveArrived(answer) ? 1 : 0 }
  }
  const owner = limitOwner(reading.holder)
  const answered = judged(context, reading, answer, assumed)
  const alone = learnAlone(answered)
  const work = async (inside: Within) => {
    const { meaning } = await learnInside(inside, owner, answered)
    const result = resultOf(meaning, answered)
    const isToRepeat = mayRenew && meaning.renew
    const isOpen = isToRepeat || shared === undefined || (await endRead(inside, shared, result))
    if (isOpen && session && !(result instanceof Problem) && result.isProof) await prove(inside, session)
    return { meaning, isOpen }
  }
  const finished = await finish(context, row, answer, work, mayRenew && alone.meaning.renew)
  const { meaning, isOpen } = finished ?? { ...alone, isOpen: true }
  return {
    result: isOpen ? resultOf(meaning, answered) : new Problem('signed_out'),
    spent: 1,
    rateHeaders: rateHeadersOf(answer),
    isRefused: mayRenew && meaning.renew,
  }
}

const POLL_MS = 50
/** Longer than the lease of a read, and than another request needs to check whether the minute was reset. */
const LONGEST_WAIT_MS = 25 * SECOND_MS

/** Waits while the same read is running, or another request checks whether the minute was reset. */
async function beginRead(
  context: Context,
  reading: Reading,
  assumed: Assumptions,
): Promise<{ row: LedgerEntry } | { ended: Sent }> {
  const { holder, read, press, initiator } = reading
  const shared = sharedOf(reading)
  const owner = limitOwner(holder)
  const { kind, servicePath: path } = read.row
  const about = { organization: owner.organization, token: owner.token, owner: holder.owner }
  const entry = { ...about, press: press.id, kind, method: 'GET', path, initiator }
  const refresh = initiator === 'call' || press.refreshes === 0 ? {} : ({ refresh: 'sent' } as const)
  const request: AdmissionRequest = { owner, initiator, ...refresh }
  let waitedFor: string | undefined
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += POLL_MS) {
    const begun = await begin(context, entry, async (inside, atMs) => {
      await lockClaimed(inside, owner)
      const taken = shared && (await takeRead(inside, shared, waitedFor))
      if (taken !== undefined) return { instead: taken }
      const isWaiting = (await admit(inside, request, atMs, assumed)) === 'wait'
      return isWaiting ? { instead: { waitFor: undefined } } : {}
    })
    if (!('instead' in begun)) return begun
    const { instead } = begun
    if ('ended' in instead) return { ended: { result: instead.ended, isShared: true, spent: 0 } }
    waitedFor = instead.waitFor
    await context.wait(POLL_MS)
  }
  throw new Problem('rate_limited', { retryInMs: SECOND_MS, reasons: [{ code: 'reset_is_tried' }] })
}

const sharedOf = ({ session, read, press }: Reading): SharedRead | undefined =>
  session && { session, path: read.path, press }

function judged(
  context: Context,
  { holder: { record }, read }: Reading,
  answer: ServiceAnswer,
  assumed: Assumptions,
): Answered {
  const { credential, proven } = record
  const { memory, now } = context
  return {
    ...answer,
    kind: read.row.kind,
    requestClass: 'read',
    tokenExpired: credential.method === 'oauth' && credential.tokens.staleAtMs <= now(),
    proof: proven ? 'earlier' : isProof(credential, read, answer) ? 'by_success' : 'none',
    nowMs: serviceNowMs(context),
    isClockKnown: memory.clock !== undefined,
    assumed,
  }
}

const resultOf = (meaning: Learned['meaning'], { text, proof }: Answered): ReadResult['result'] =>
  meaning.code === 'success' ? { text, isProof: proof === 'by_success' } : new Problem(meaning.code, meaning)

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
    return value !== null && /^[+-]?\d{1,20}$/.test(value) ? [[header, value]] : []
  })
}
