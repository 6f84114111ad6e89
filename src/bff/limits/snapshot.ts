/** The limits known now, without a request to the service (8.2, 8.3). */
import { windowAt } from '../../contract/gauge.ts'
import { pauseLeftMs, type StoredPause } from '../../contract/limit-notes.ts'
import type { Pause, WindowSnapshot } from '../../contract/quota.ts'
import { windowSnapshot } from '../../contract/quota-fold.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { LimitNotes } from './note.ts'

export interface LimitSnapshot {
  windows: Record<RequestClass, WindowSnapshot>
  pauses: Pause[]
}

/** Delays in milliseconds. @param nowMs the service's time */
export function limitsAt(
  nowMs: number,
  { token: { gauges, pauses }, organization: { monthPause } }: LimitNotes,
  inFlight: Record<RequestClass, number>,
): LimitSnapshot {
  return {
    windows: {
      read: windowSnapshot(windowAt(gauges.read, nowMs), inFlight.read),
      update: windowSnapshot(windowAt(gauges.update, nowMs), inFlight.update),
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
