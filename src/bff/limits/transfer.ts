/** Transfers pauses to a new access token (8.2 does not show whether it has a new minute). */
import { type Gauge, waitFor, wasUsedUp, windowAt } from '../../contract/gauge.ts'
import { REQUEST_CLASSES } from '../../contract/rate-limit.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { changeTokenNote, laterPause, readTokenNote, type StoredPause } from './note.ts'
import { UNPROVEN_MS } from '../session/limit-owner.ts'

/** While the old token must wait, so must the new one. The windows of the new token stay unseen. */
export async function transferLimits(context: Context, from: string, to: string): Promise<void> {
  const { gauges, pauses } = await readTokenNote(context, from)
  const nowMs = serviceNowMs(context)
  const transferred = REQUEST_CLASSES.flatMap((name) => {
    const pause = laterPause(pauses[name], usedUpPause(gauges[name], nowMs))
    return pause === undefined ? [] : [[name, pause] as const]
  })
  if (transferred.length === 0) return
  // No pause here lasts longer, and the session may be unproven.
  await changeTokenNote(
    context,
    to,
    (known) => ({ ...known, pauses: Object.fromEntries(transferred) }),
    UNPROVEN_MS,
  )
}

function usedUpPause(gauge: Gauge | undefined, nowMs: number): StoredPause | undefined {
  if (!wasUsedUp(gauge)) return undefined
  return {
    code: 'rate_limited',
    reasons: [{ code: 'minute_used_up_before_refresh' }],
    untilMs: nowMs + (waitFor(windowAt(gauge, nowMs), 0) ?? 0),
  }
}
