/** `GET /bff/quota`: all that is known of the quota, without asking the service. */
import type { Window } from '../contract/gauge.ts'
import type { QuotaSnapshot, WindowSnapshot } from '../contract/quota.ts'
import type { House } from './context.ts'
import { readMonth } from './service-request.ts'
import { readLimits } from './rate-limit-observation.ts'
import { organizationOf, requireSession, tokenOf } from './session-record.ts'

export async function tellQuota(house: House, request: Request): Promise<Response> {
  const { credential } = (await requireSession(house, request)).record
  const spender = { token: tokenOf(credential), organization: organizationOf(credential) }
  const [{ windows, pauses, plan }, { low, high, resetsInMs }] = await Promise.all([
    readLimits(house, spender),
    readMonth(house, spender.organization),
  ])
  const snapshot: QuotaSnapshot = {
    read: toSnapshot(windows.read),
    update: toSnapshot(windows.update),
    month: {
      low,
      high,
      ...(plan && { plan: plan.name }),
      ...(plan !== undefined && 'per_month' in plan ? { limit: plan.per_month } : {}),
      resets_in_ms: { earliest: Math.ceil(resetsInMs.earliest), latest: Math.ceil(resetsInMs.latest) },
    },
    pauses,
  }
  return Response.json(snapshot)
}

function toSnapshot({
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
