/** `/api`: answers forwarded reads from the stored copy for free, or from the service if a person asked. */
import { QUOTA_HEADER, REFRESHED_HEADER, SPEND_HEADER, SPENT_HEADER } from '../../contract/api.ts'
import { Problem } from '../../contract/problem.ts'
import { bestEffort, briefly, type Context, shareWork, untilStored } from '../core/context.ts'
import { jsonText } from '../http/representation.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { admit } from '../limits/admission.ts'
import { readSnapshot } from '../quota/snapshot.ts'
import { type ForwardedRead, type ServiceRead, serviceRead } from '../service/forwarded-reads.ts'
import { newPress, type Press } from '../service/request.ts'
import { keepBrowserName } from '../session/browser-names.ts'
import { type Credential, readCopy } from '../session/grant.ts'
import { endSession, type LoadedSession, limitOwner, reloadSession, senderOf } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { freshCredential } from '../token/refresh.ts'
import type { Admission } from '../token/refresh-run.ts'
import { credentialRefusal, type ReadResult, readService } from './service-read.ts'

/**
 * @param id in the path of the request, where the row has one
 * @throws Problem `signed_out`, `invalid_organization_id`, `not_found` (another organization than the
 *   session's), `costs_a_request` (no copy, and no person asked for a request), and every Problem of the read
 */
export async function forwardRead(
  context: Context,
  request: Request,
  row: ForwardedRead,
  id?: string,
): Promise<Response> {
  const read = serviceRead(row, id)
  const session = await requireSession(context, request)
  assertMayRead(session.record.credential, id)
  context.headers.set(SPENT_HEADER, '0')
  if (request.headers.get(SPEND_HEADER) !== '1') return answerFromCopy(context, session, read)

  const name = `read ${session.id} ${read.path}`
  const isFirst = !context.memory.sharedWork.has(name)
  const press = newPress()
  const outcome = await shareWork(context.memory, name, () => readOnRequest(context, session, read, press))
  if (outcome.isShared || !isFirst) context.headers.set('Age', '0')
  // A press that waits for another of this process sends nothing. One that shares later may have refreshed.
  if (isFirst) addCosts(context, outcome, press)
  await briefly(context, bestEffort(addQuota(context, session)))
  if (outcome.result instanceof Problem) throw outcome.result
  return jsonText(outcome.result.text)
}

function addCosts(context: Context, { spent, rateHeaders }: ReadResult, { refreshes }: Press): void {
  context.headers.set(SPENT_HEADER, String(spent))
  if (refreshes > 0) context.headers.set(REFRESHED_HEADER, String(refreshes))
  for (const [header, value] of rateHeaders) context.headers.set(header, value)
}

/** The page that asked shows it with the answer; the others get it from their streams. */
async function addQuota(context: Context, session: LoadedSession): Promise<void> {
  const current = await reloadSession(context, session)
  if (current === undefined) return
  // The read may have proven it.
  if (!session.record.proven) await keepBrowserName(context, current)
  context.headers.set(QUOTA_HEADER, JSON.stringify(await readSnapshot(context, current)))
}

/** An access token is for one organization (5.3): a read of another would only cost a request. */
function assertMayRead(credential: Credential, id: string | undefined): void {
  if (id === undefined || credential.method === 'api_key') return
  if (credential.organizationId !== id) throw new Problem('not_found', { fault: 'other_organization' })
}

async function answerFromCopy(
  context: Context,
  session: LoadedSession,
  { path }: ServiceRead,
): Promise<Response> {
  const copy = await readCopy(context, session, path)
  if (copy === undefined) throw new Problem('costs_a_request')
  context.headers.set('Age', String(Math.max(0, Math.floor((context.now() - copy.atMs) / 1000))))
  return jsonText(copy.text)
}

/** Its Problems are in the result, since they too may have cost a request. */
async function readOnRequest(
  context: Context,
  session: LoadedSession,
  read: ServiceRead,
  press: Press,
): Promise<ReadResult> {
  const { id, record } = session
  try {
    const credential = await freshCredential(context, session, press, { admitted: withRead(session) })
    const holder = { id, owner: senderOf(session), record: { ...record, credential } }
    // A token that this very press has got is not replaced: that would cost twice what the button said.
    const isNew = press.refreshes > 0 && !press.isRaced && credential !== record.credential
    const outcome = await readService(
      context,
      { holder, read, press, initiator: 'person', session },
      isNew ? undefined : (refused) => freshCredential(context, session, press, { refused }),
    )
    return outcome.isShared || record.proven ? outcome : await afterUnproven(context, session, outcome)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { result: error, spent: 0, rateHeaders: [] }
  }
}

/** A refresh is admitted together with the read that needs it. */
const withRead =
  (session: LoadedSession): Admission =>
  async (inside, atMs) => {
    const request = { owner: limitOwner(session), initiator: 'person', refresh: 'due' } as const
    return admit(inside, request, atMs, await readAssumptions(inside))
  }

/** If the credential is refused, the sign-in never succeeded. */
async function afterUnproven(
  context: Context,
  session: LoadedSession,
  outcome: ReadResult,
): Promise<ReadResult> {
  const refusal = credentialRefusal(session.record.credential, outcome.result)
  if (refusal === undefined) return outcome
  await briefly(
    context,
    untilStored(context, () => endSession(context, session)),
  )
  return { ...outcome, result: refusal }
}
