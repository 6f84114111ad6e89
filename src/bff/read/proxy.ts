/** `/api`: answers forwarded reads from the stored copy for free, or from the service if a person asked. */
import { type AddedFields, Answer, type Inbound } from '../../contract/answer.ts'
import {
  REFRESHED_HEADER,
  SERVICE_TIME_HEADER,
  SPEND_HEADER,
  SPENT_HEADER,
  TOKEN_HEADER,
} from '../../contract/api.ts'
import { Problem } from '../../contract/problem.ts'
import { aMoment, briefly, untilStored } from '../core/deferred-writes.ts'
import { type Context, serviceNowMs, shareWork } from '../core/context.ts'
import { expiredCookie } from '../http/cookie.ts'
import { type ForwardedRead, type ServiceRead, serviceRead } from '../service/forwarded-reads.ts'
import { assertAdmitted } from '../limits/admission.ts'
import { freshCredential } from '../token/refresh.ts'
import { credentialRefusal, isProof, type ReadResult, readService, unsent } from './service-read.ts'
import { keepBrowserName } from '../session/browser-names.ts'
import type { Copy } from '../session/format.ts'
import {
  type Credential,
  changeSession,
  endSession,
  type LoadedSession,
  limitOwner,
  reloadSession,
  type SessionRecord,
} from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { senderOf } from '../session/sender.ts'
import { type OwnRead, shareRead } from './shared-read.ts'

/**
 * @param id in the path of the request, where the row has one
 * @throws Problem `signed_out`, `invalid_organization_id`, `not_found` (another organization than the
 *   session's), `costs_a_request` (no copy, and no person asked for a request), and every Problem of the read
 */
export async function forwardRead(
  context: Context,
  request: Inbound,
  headers: AddedFields,
  row: ForwardedRead,
  id?: string,
): Promise<Answer> {
  const read = serviceRead(row, id)
  const session = await requireSession(context, request)
  assertMayRead(session.record.credential, id)
  headers.set(SPENT_HEADER, '0')
  if (request.headers.get(SPEND_HEADER) !== '1') return answerFromCopy(context, session, read, headers)

  const name = `read ${session.id} ${read.path}`
  const isFirst = !context.memory.sharedWork.has(name)
  const { result, spent, refreshes, token, rateHeaders, isShared } = await shareWork(
    context.memory,
    name,
    () => readOrShare(context, session, read, name),
  )
  if (isFirst && !isShared) {
    headers.set(SPENT_HEADER, String(spent))
    if (refreshes > 0) headers.set(REFRESHED_HEADER, String(refreshes))
    for (const [header, value] of rateHeaders) headers.set(header, value)
    if (token !== undefined) {
      headers.set(TOKEN_HEADER, token)
      headers.set(SERVICE_TIME_HEADER, new Date(serviceNowMs(context)).toISOString())
    }
  } else {
    // Sharing another request's read costs nothing.
    headers.set('Age', '0')
  }
  if (!(result instanceof Problem)) return Answer.jsonText(result.text)
  const { cookies } = context
  if (result.code === 'access_withdrawn')
    headers.append('Set-Cookie', expiredCookie(cookies, cookies.session))
  throw result
}

/** An access token is for one organization (5.3): a read of another would only cost a request. */
function assertMayRead(credential: Credential, id: string | undefined): void {
  if (id === undefined || credential.method === 'api_key') return
  if (credential.organizationId !== id) throw new Problem('not_found', { fault: 'other_organization' })
}

function answerFromCopy(
  context: Context,
  { record }: LoadedSession,
  { path }: ServiceRead,
  headers: AddedFields,
): Answer {
  const copy = record.copies[path]
  if (copy === undefined) throw new Problem('costs_a_request')
  headers.set('Age', String(Math.max(0, Math.floor((context.now() - copy.atMs) / 1000))))
  return Answer.jsonText(copy.text)
}

/** Shares the same read of another process that is running or has just ended. */
async function readOrShare(
  context: Context,
  session: LoadedSession,
  read: ServiceRead,
  name: string,
): Promise<ReadResult & { isShared: boolean }> {
  const shared = await shareRead(context, name, () => readOnRequest(context, session, read))
  if (!('others' in shared)) return { ...shared, isShared: false }
  if (shared.others !== undefined) return { ...unsent(shared.others), isShared: true }
  const current = await reloadSession(context, session)
  if (current === undefined) return { ...unsent(new Problem('signed_out')), isShared: true }
  const copy = current.record.copies[read.path]
  if (copy !== undefined) return { ...unsent(copy), isShared: true }
  // Reads of many other organizations have removed the copy.
  const own = await readOnRequest(context, current, read)
  return { ...own.read, isShared: false }
}

async function readOnRequest(context: Context, session: LoadedSession, read: ServiceRead): Promise<OwnRead> {
  const { id, record } = session
  const cost = { refreshes: 0 }
  const admitted = { owner: limitOwner(session), requestClass: 'read', initiator: 'person' } as const
  try {
    // A read that will be refused needs no fresh token.
    const credential = await freshCredential(context, session, undefined, {
      before: () => assertAdmitted(context, { ...admitted, refresh: 'due' }),
      cost,
    })
    const holder = { id, owner: senderOf(session), record: { ...record, credential } }
    const outcome = await readService(context, holder, read, {
      initiator: 'person',
      cost,
      renew: (refused) => freshCredential(context, session, refused, { cost }),
    })
    return await afterRead(context, session, read, outcome)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { read: { ...unsent(error), ...cost }, stored: Promise.resolve(false), moment: aMoment(context) }
  }
}

async function afterRead(
  context: Context,
  session: LoadedSession,
  read: ServiceRead,
  outcome: ReadResult,
): Promise<OwnRead> {
  const { result, written } = outcome
  const moment = aMoment(context)
  if (result instanceof Problem) {
    await briefly(context, written, moment)
    const problem = await endUnproven(context, session, result)
    return { read: { ...outcome, result: problem }, stored: Promise.resolve(false), moment }
  }
  const copy = storeCopy(context, session, read, result)
  const end = await briefly(context, copy, moment)
  return {
    read: end === 'signed_out' ? { ...outcome, result: new Problem(end) } : outcome,
    stored: copy.then((one) => one === 'stored'),
    moment,
  }
}

/** Stores the copy, and whether the session is proven. No failure withholds the answer: it was paid for. */
async function storeCopy(
  context: Context,
  session: LoadedSession,
  read: ServiceRead,
  { text }: { text: string },
): Promise<'stored' | 'signed_out' | 'store_unavailable'> {
  const copy = { text, atMs: context.now() }
  try {
    const changed = await changeSession(context, session, (record) => ({
      ...record,
      proven: record.proven || isProof(record.credential, read),
      copies: withCopy(record.copies, read.path, copy),
    }))
    if (!session.record.proven) await keepBrowserName(context, changed)
    return 'stored'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code === 'store_unavailable' ? error.code : 'signed_out'
  }
}

/** With an API key a person may read any number of organizations. */
const MOST_COPIES = 20

/** Drops the oldest copies: a record has the newest one first. */
function withCopy(copies: SessionRecord['copies'], path: string, copy: Copy): SessionRecord['copies'] {
  const others = Object.entries(copies).filter(([known]) => known !== path)
  return Object.fromEntries([[path, copy], ...others.slice(0, MOST_COPIES - 1)])
}

/** Ends an unproven session if the service refuses its credential: the sign-in never succeeded. */
async function endUnproven(context: Context, session: LoadedSession, problem: Problem): Promise<Problem> {
  const { proven, credential } = session.record
  const refusal = proven ? undefined : credentialRefusal(credential, problem)
  if (refusal === undefined) return problem
  await briefly(
    context,
    untilStored(context, () => endSession(context, session)),
  )
  return refusal
}
