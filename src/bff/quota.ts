/** `GET /bff/quota`: all that is known of the quota, without a request to the service. */
import { Answer, type Inbound } from '../contract/answer.ts'
import type { QuotaSnapshot } from '../contract/quota.ts'
import type { Context } from './context.ts'
import { quotaHolder, type ReadQuota, readQuotas, snapshotText } from './quotas.ts'
import { type LoadedSession, requireSession } from './session-record.ts'

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
  return (await readQuotas(context, [holder]))(holder)
}
