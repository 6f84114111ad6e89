/** `GET /bff/quota`: all that is known of the quota, without a request to the service. */
import type { Window } from '../contract/gauge.ts'
import type { MonthSnapshot, QuotaSnapshot, WindowSnapshot } from '../contract/quota.ts'
import type { Context } from './context.ts'
import { readMonth } from './ledger.ts'
import { type LimitSnapshot, readLimits } from './rate-limit-snapshot.ts'
import { limitOwner, requireSession } from './session-record.ts'

/** Answers the snapshot. @throws Problem `signed_out` */
export async function getQuota(context: Context, request: Request): Promise<Response> {
  const owner = limitOwner(await requireSession(context, request))
  const [{ windows, pauses, plan }, month] = await Promise.all([
    readLimits(context, owner),
    readMonth(context, owner.organization),
  ])
  const snapshot: QuotaSnapshot = {
    read: windowSnapshot(windows.read),
    update: windowSnapshot(windows.update),
    month: monthSnapshot(month, plan),
    pauses,
  }
  return Response.json(snapshot)
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
  }
}

function windowSnapshot({
  resetInMs,
  ageMs,
  inFlight,
  ...window
}: Window & { inFlight: number }): WindowSnapshot {
  return {
    ...window,
    ...(resetInMs === undefined ? {} : { reset_in_ms: Math.ceil(resetInMs) }),
    ...(ageMs === undefined ? {} : { age_ms: Math.floor(ageMs) }),
    in_flight: inFlight,
  }
}
