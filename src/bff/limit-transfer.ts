/** Takes what is known to be over from one access token to the one that replaces it: whose minute it is, is not shown (8.2). */
import { waitFor, wasUsedUp, windowAt } from '../contract/gauge.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import type { House } from './context.ts'
import { serviceNowMs } from './service-request.ts'
import { longer, NOTE_LIFETIME_MS, type TokenNote, tokenNote } from './rate-limit-observation.ts'

const CLASSES: readonly RequestClass[] = ['read', 'update']

/** The new token's windows stay unseen; only what the old one may not send yet, the new one may not either. */
export async function carryOver(house: House, from: string, to: string): Promise<void> {
  const known = (await house.store.readNote(tokenNote(from))) as TokenNote | undefined
  if (known === undefined) return
  const nowMs = serviceNowMs(house)
  const stops = CLASSES.flatMap((name) => {
    const gauge = known.gauges[name]
    const used = wasUsedUp(gauge)
      ? {
          code: 'rate_limited' as const,
          reasons: ['No requests of this minute were left before the access was renewed.'],
          untilMs: nowMs + (waitFor(windowAt(gauge, nowMs), 0) ?? 0),
        }
      : undefined
    const stop = longer(known.stops[name], used)
    return stop === undefined ? [] : [[name, stop] as const]
  })
  if (stops.length === 0) return
  await house.store.changeNote(
    tokenNote(to),
    (): TokenNote => ({ gauges: {}, stops: Object.fromEntries(stops) }),
    house.now() + NOTE_LIFETIME_MS,
  )
}
