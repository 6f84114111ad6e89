/** `GET /bff/quota`: all that is known of the quota, without a request to the service. */
import type { MonthSnapshot, QuotaSnapshot } from '../contract/quota.ts'
import type { Context } from './context.ts'
import { readMonth } from './ledger.ts'
import { type LimitSnapshot, readLimits } from './rate-limit-snapshot.ts'
import { type LoadedSession, limitOwner, requireSession } from './session-record.ts'

/** Answers the snapshot. @throws Problem `signed_out` */
export async function getQuota(context: Context, request: Request): Promise<Response> {
  return Response.json(await readQuota(context, await requireSession(context, request)))
}

/** All that is known now of the quota that a session uses. */
export async function readQuota(context: Context, session: LoadedSession): Promise<QuotaSnapshot> {
  const owner = limitOwner(session)
  // Before the rest: what is read then has all up to this change.
  const version = await context.store.readVersion()
  const [{ windows, pauses, plan }, month] = await Promise.all([
    readLimits(context, owner),
    readMonth(context, owner.organization),
  ])
  return {
    version,
    token: owner.token,
    read: windows.read,
    update: windows.update,
    month: monthSnapshot(month, plan),
    pauses,
  }
}

function monthSnapshot(
  { low, high, resetsInMs }: Awaited<ReturnType<typeof readMonth>>,
  plan: LimitSnapshot['plan'],
): MonthSnapshot {
  return {
    low,
    high,
    ...(plan && { plan: plan.name }),
    ...(plan?.per_month === undefined ? {} : { limit: plan.per_month }),
    resets_in_ms: { earliest: Math.ceil(resetsInMs.earliest), latest: Math.ceil(resetsInMs.latest) },
    may_have_reset: false,
  }
}
