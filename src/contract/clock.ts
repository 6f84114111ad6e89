/** Estimates the service's clock from its `Date` headers alone, so a wrong clock here changes no wait. */
import { MINUTE_MS, SECOND_MS } from './duration.ts'

/** Service time minus local time lies in [lowMs, highMs]. */
export interface ClockOffset {
  readonly lowMs: number
  readonly highMs: number
}

/** Two clocks that differ by more are not the same. */
export const CLOCK_JUMP_MS = 2 * MINUTE_MS

/** The service's own success: the `Date` of an error or of a page of a proxy may be that of another clock. */
interface DatedAnswer {
  /** Written between sending and receiving, in whole seconds. */
  servedAtSeconds: number
  sentAtMs: number
  receivedAtMs: number
}

/**
 * Narrows the offset by a good answer; one that contradicts it begins the measurement again.
 * @param known absent: nothing is known
 */
export function observeClock(
  known: ClockOffset | undefined,
  { servedAtSeconds, sentAtMs, receivedAtMs }: DatedAnswer,
): ClockOffset {
  const seen = {
    lowMs: servedAtSeconds * 1000 - receivedAtMs,
    highMs: servedAtSeconds * 1000 + 999 - sentAtMs,
  }
  return overlap(known ?? seen, seen) ?? seen
}

function overlap(a: ClockOffset, b: ClockOffset): ClockOffset | undefined {
  const both = { lowMs: Math.max(a.lowMs, b.lowMs), highMs: Math.min(a.highMs, b.highMs) }
  return both.lowMs <= both.highMs ? both : undefined
}

/** What all processes share: the offset of the newest good answer, and its `Date`, UNIX milliseconds. */
export interface SharedClock {
  readonly offset: ClockOffset
  readonly atMs: number
  /** The newest `Date` of all of them, which never goes back. */
  readonly newestMs: number
}

/**
 * The offset to believe, beside one that another process or an earlier one stored. The service's time never
 * goes back, so a clock that is behind the stored `Date` is wrong; of two others, the earlier is right.
 * For example, a host that is 40 days ahead restarts: 31 December by its own clock, 21 November by the stored
 * offset. Once its clock is set right, the stored offset gives 12 October, and is not used.
 */
export function offsetToBelieve(
  own: ClockOffset | undefined,
  shared: Pick<SharedClock, 'offset' | 'atMs'>,
  nowMs: number,
): ClockOffset | undefined {
  const earliestMs = shared.atMs - CLOCK_JUMP_MS
  const [ownMs, sharedMs] = [serviceTimeMs(own, nowMs), serviceTimeMs(shared.offset, nowMs)]
  if (sharedMs < earliestMs) return ownMs < earliestMs && nowMs >= earliestMs ? undefined : own
  const isSame = Math.abs(ownMs - sharedMs) <= CLOCK_JUMP_MS
  return !isSame && (sharedMs < ownMs || ownMs < earliestMs) ? shared.offset : own
}

/** The clocks of two processes may differ by this much. */
const SKEW_MS = 5 * SECOND_MS

/** 0 if the time is over, also if a new one would end earlier: then the clock has been set back since. */
export function timeLeftMs(untilMs: number, nowMs: number, longestMs: number): number {
  const leftMs = untilMs - nowMs
  return leftMs <= longestMs + SKEW_MS ? Math.max(0, leftMs) : 0
}

/** Local time with the smallest correction that fits the offset. */
export function serviceTimeMs(offset: ClockOffset | undefined, nowMs: number): number {
  return nowMs + (offset === undefined ? 0 : Math.min(Math.max(0, offset.lowMs), offset.highMs))
}

/** UNIX seconds (RFC 9110 6.6.1); `undefined` if missing, unreadable, or from a cache, whose Date is old. */
export function readDate(headers: Pick<Headers, 'get'>): number | undefined {
  const ms = parseHttpDate(headers.get('Date') ?? '')
  return ms === undefined || isFromCache(headers) ? undefined : Math.floor(ms / 1000)
}

/** An answer came from a cache (RFC 9111 5.1) if its `Age` is not 0, or cannot be read. */
export const isFromCache = (headers: Pick<Headers, 'get'>): boolean => !/^0*$/.test(headers.get('Age') ?? '')

// The three forms of RFC 9110 5.6.7. Date.parse accepts others, which are no HTTP dates.
const HTTP_DATE =
  /^[A-Z][a-z]{2,8},? (?:\d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/

/** A date of HTTP (RFC 9110 5.6.7) in UNIX milliseconds; `undefined` for anything else. */
export function parseHttpDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined
  // asctime names no zone and means GMT.
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(ms) ? undefined : ms
}
