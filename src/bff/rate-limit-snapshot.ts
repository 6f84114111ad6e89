/** What is known of the limits now, without a request (8.2, 8.3). */
import { type Window, windowAt } from '../contract/gauge.ts'
import type { Pause } from '../contract/quota.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import type { Context } from './context.ts'
import {
  type LimitOwner,
  readOrganizationNote,
  readTokenNote,
  type StoredPause,
  pauseLeftMs,
} from './limit-note.ts'
import { countInFlight } from './rate-limit-admission.ts'

export interface LimitSnapshot {
  windows: Record<RequestClass, Window & { inFlight: number }>
  pauses: Pause[]
}

/** Windows and pauses of a token and its organization; delays in milliseconds. @param nowMs the service's time */
export async function readLimits(
  context: Context,
  owner: Pick<LimitOwner, 'token' | 'organization'>,
  nowMs: number,
): Promise<LimitSnapshot> {
  const [{ gauges, pauses }, { monthPause }, read, update] = await Promise.all([
    readTokenNote(context, owner.token),
    readOrganizationNote(context, owner.organization),
    countInFlight(context, owner.token, 'read'),
    countInFlight(context, owner.token, 'update'),
  ])
  return {
    windows: {
      read: { ...windowAt(gauges.read, nowMs), inFlight: read },
      update: { ...windowAt(gauges.update, nowMs), inFlight: update },
    },
    pauses: [
      ...pauseAt(nowMs, pauses.read, 'read'),
      ...pauseAt(nowMs, pauses.update, 'update'),
      ...pauseAt(nowMs, monthPause),
    ],
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
