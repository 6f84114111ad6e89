/** The requests of another client with the same credential, where that is chosen (U71). */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import type { DeepReadonly, OpenWindow } from '../state/state.ts'

const HAS_OTHERS: Record<Choices['shared'], boolean> = { no: false, yes: true }

/** A whole number from 25 to 50, in per cent of the limit: what the other client sends in one minute. */
const shareOf = (random: string): number => 25 + (Buffer.from(random, 'base64url').readUInt16BE() % 26)

/** When a window opened, in UNIX milliseconds; where that is not stored, a minute before its reset. */
const openedAtMs = ({ opened_at_ms, reset_at_seconds }: DeepReadonly<OpenWindow>): number =>
  opened_at_ms ?? reset_at_seconds * SECOND_MS - MINUTE_MS

/**
 * How many requests of the other client an open window has: evenly spread over its minute, so it depends on the seed and on
 * the time since the window opened, and on nothing that the holder does.
 * @param by what the window is counted by
 */
export function requestsOfOthers(
  { choices, nowMs, derived }: Pick<Context, 'choices' | 'nowMs' | 'derived'>,
  { by, requestClass }: { by: string; requestClass: RequestClass },
  open: DeepReadonly<OpenWindow>,
  limit: number,
): number {
  if (!HAS_OTHERS[choices.shared]) return 0
  const openedMs = openedAtMs(open)
  const elapsedMs = Math.min(Math.max(0, nowMs - openedMs), MINUTE_MS)
  const share = shareOf(derived(`other client ${requestClass} ${openedMs} ${by}`))
  return Math.floor((limit * share * elapsedMs) / (100 * MINUTE_MS))
}
