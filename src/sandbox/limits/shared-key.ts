/** The requests of another client with the same credential, if chosen (U71). */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import type { DeepReadonly, OpenWindow } from '../state/state.ts'

const HAS_OTHERS: Record<Choices['shared'], boolean> = { no: false, yes: true }

/** From 25 to 50 per cent of the limit in a minute. */
const shareOf = (random: string): number => 25 + (Buffer.from(random, 'base64url').readUInt16BE() % 26)

/** UNIX milliseconds. If it is not stored, it is a minute before the reset. */
const openedAtMs = ({ opened_at_ms, reset_at_seconds }: DeepReadonly<OpenWindow>): number =>
  opened_at_ms ?? reset_at_seconds * SECOND_MS - MINUTE_MS

/**
 * The requests are spread evenly over the window's minute: the number depends only on the seed and its age.
 * @param by the key by which the window is counted
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
