/** Transfers pauses to a new access token (8.2 does not show whether it has a new minute). */
import { type Gauge, waitFor, wasUsedUp, windowAt } from '../../contract/gauge.ts'
import { laterPause, NO_TOKEN_NOTE, type StoredPause } from '../../contract/limit-notes.ts'
import { REQUEST_CLASSES } from '../../contract/rate-limit.ts'
import { serviceNowMs, type Within } from '../core/context.ts'
import { UNPROVEN_MS } from '../session/limit-owner.ts'
import { readTokenNote, writeTokenNote } from './note.ts'

/** While the old token must wait, so must the new one. The windows of the new token stay unseen. */
export async function transferLimits(context: Within, from: string, to: string): Promise<void> {
  const { gauges, pauses } = await readTokenNote(context, from)
  const nowMs = serviceNowMs(context)
  const transferred = REQUEST_CLASSES.flatMap((name) => {
    const pause = laterPause(pauses[name], usedUpPause(gauges[name], nowMs))
    return pause === undefined ? [] : [[name, pause] as const]
  })
  if (transferred.length === 0) return
  // No pause here lasts longer, and the session may be unproven.
  const note = { ...NO_TOKEN_NOTE, pauses: Object.fromEntries(transferred) }
  await writeTokenNote(context, to, note, UNPROVEN_MS)
}

function usedUpPause(gauge: Gauge | undefined, nowMs: number): StoredPause | undefined {
  if (!wasUsedUp(gauge)) return undefined
  return {
    code: 'rate_limited',
    reasons: [{ code: 'minute_used_up_before_refresh' }],
    untilMs: nowMs + (waitFor(windowAt(gauge, nowMs), 0) ?? 0),
  }
}
