/** What is known of the limits now, without a request (8.2, 8.3). */
import { windowAt } from '../contract/gauge.ts'
import { guessPlan, type Plan } from '../contract/plan.ts'
import type { Pause, WindowSnapshot } from '../contract/quota.ts'
import { windowSnapshot } from '../contract/quota-fold.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import { type Context, serviceNowMs } from './context.ts'
import {
  type LimitOwner,
  readOrganizationNote,
  readTokenNote,
  type StoredPause,
  pauseLeftMs,
} from './limit-note.ts'
import { countInFlight } from './rate-limit-admission.ts'

export interface LimitSnapshot {
  windows: Record<RequestClass, WindowSnapshot>
  pauses: Pause[]
  /** Guessed from the limits seen; absent until then. */
  plan: Plan | undefined
}

/** Windows, pauses and plan of a token and its organization; delays in milliseconds. */
export async function readLimits(
  context: Context,
  owner: Pick<LimitOwner, 'token' | 'organization'>,
): Promise<LimitSnapshot> {
  const [{ gauges, pauses }, { limits, monthPause }, read, update] = await Promise.all([
    readTokenNote(context, owner.token),
    readOrganizationNote(context, owner.organization),
    countInFlight(context, owner.token, 'read'),
    countInFlight(context, owner.token, 'update'),
  ])
  const nowMs = serviceNowMs(context)
  return {
    windows: {
      read: windowSnapshot(windowAt(gauges.read, nowMs), read),
      update: windowSnapshot(windowAt(gauges.update, nowMs), update),
    },
    pauses: [
      ...pauseAt(nowMs, pauses.read, 'read'),
      ...pauseAt(nowMs, pauses.update, 'update'),
      ...pauseAt(nowMs, monthPause),
    ],
    plan: guessPlan(limits),
  }
}

function pauseAt(nowMs: number, pause: StoredPause | undefined, requestClass?: RequestClass): Pause[] {
  const leftMs = pauseLeftMs(pause, nowMs)
  if (pause === undefined || leftMs === 0) return []
  return [
    {
      code: pause.code,
      ...(requestClass && { class: requestClass }),
      ends_in_ms: Math.ceil(leftMs),
      reasons: pause.reasons,
    },
  ]
}
