/** `GET /bff/quota`: all that is known of the quota, without a request to the service. */
import { Answer, type Inbound } from '../../contract/answer.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { quotaAt, quotaHolder, type ReadQuota, readSharedMonth, snapshotText } from './snapshot.ts'
import { readLimits } from '../limits/snapshot.ts'
import { readRefreshNote } from '../token/refresh-note.ts'
import { type LoadedSession, requireSession } from '../session/record.ts'

/** Answers the snapshot. @throws Problem `signed_out` */
export async function getQuota(context: Context, request: Inbound): Promise<Answer> {
  return Answer.jsonText(snapshotText(await readOne(context, await requireSession(context, request))))
}

/** All that is known of the quota that a session uses, at one instant. */
export async function readQuota(context: Context, session: LoadedSession): Promise<QuotaSnapshot> {
  const { own, month } = await readOne(context, session)
  return { ...own, month: month.snapshot }
}

async function readOne(context: Context, session: LoadedSession): Promise<ReadQuota> {
  const holder = quotaHolder(session)
  const nowMs = serviceNowMs(context)
  // Before the rest: what is read then has all up to this change.
  const version = await context.store.readVersion()
  const assumed = await readAssumptions(context)
  const [limits, refresh, month] = await Promise.all([
    readLimits(context, holder, nowMs),
    readRefreshNote(context, session, holder.token),
    readSharedMonth(context, holder.organization, nowMs, assumed),
  ])
  return quotaAt(context, holder, { version, limits, refresh, assumed }, month)
}
