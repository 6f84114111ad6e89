/** Estimates the service's clock from its `Date` headers alone, so a wrong clock here changes no wait. */
import { MINUTE_MS } from './duration.ts'

/** Service time minus local time lies in [lowMs, highMs]. */
export interface ClockOffset {
  readonly lowMs: number
  readonly highMs: number
}

/** A larger difference between two clocks is a jump: one answer alone is not believed. */
export const CLOCK_JUMP_MS = 2 * MINUTE_MS

/** `Date` was written between sending and receiving, in whole seconds. */
interface DatedAnswer {
  servedAtSeconds: number
  sentAtMs: number
  receivedAtMs: number
  /** The service's own success: no error, no page of a proxy. */
  isGood: boolean
}

/** The effect of an answer. `unclear`: it shows nothing. */
export interface ClockFinding {
  finding: 'agreed' | 'unclear' | 'contradicted' | 'corrected'
  /** `contradicted`: the offset that the answer showed, which a second one may confirm; else the belief. */
  offset: ClockOffset | undefined
}

/**
 * Narrows the offset by one answer. If a good answer contradicts it by little, the measurement starts again.
 * A jump needs a second good answer that agrees.
 * @param known absent: the clock here is believed
 * @param rivals offsets that earlier good answers showed, and that contradict `known` by a jump
 */
export function observeClock(
  known: ClockOffset | undefined,
  rivals: readonly ClockOffset[],
  { servedAtSeconds, sentAtMs, receivedAtMs, isGood }: DatedAnswer,
): ClockFinding {
  const seen = {
    lowMs: servedAtSeconds * 1000 - receivedAtMs,
    highMs: servedAtSeconds * 1000 + 999 - sentAtMs,
  }
  const isJump = distance(known ?? UNCORRECTED, seen) > CLOCK_JUMP_MS
  if (!isGood)
    return { finding: 'unclear', offset: isJump ? known : known && (overlap(known, seen) ?? known) }
  if (!isJump) return { finding: 'agreed', offset: overlap(known ?? seen, seen) ?? seen }
  const confirmed = rivals.map((rival) => overlap(rival, seen)).find((both) => both !== undefined)
  return confirmed === undefined
    ? { finding: 'contradicted', offset: seen }
    : { finding: 'corrected', offset: confirmed }
}

const UNCORRECTED: ClockOffset = { lowMs: 0, highMs: 0 }

const distance = (a: ClockOffset, b: ClockOffset): number =>
  Math.max(0, a.lowMs - b.highMs, b.lowMs - a.highMs)

function overlap(a: ClockOffset, b: ClockOffset): ClockOffset | undefined {
  const both = { lowMs: Math.max(a.lowMs, b.lowMs), highMs: Math.min(a.highMs, b.highMs) }
  return both.lowMs <= both.highMs ? both : undefined
}

/** The offset that two answers agreed on, and the service's time of the newest answer that agreed. */
export interface AgreedClock {
  readonly offset: ClockOffset
  readonly atMs: number
}

/**
 * The offset to believe, beside one that another process or an earlier one stored. The service's time never
 * goes back, so a clock that is behind the newest agreement is wrong; of two others, the earlier is right.
 * For example, a host that is 40 days ahead restarts: 31 December by its own clock, 21 November by the stored
 * offset. Once its clock is set right, the stored offset gives 12 October, and is not used.
 */
export function offsetToBelieve(
  own: ClockOffset | undefined,
  agreed: AgreedClock,
  nowMs: number,
): ClockOffset | undefined {
  const earliestMs = agreed.atMs - CLOCK_JUMP_MS
  const [ownMs, agreedMs] = [serviceTimeMs(own, nowMs), serviceTimeMs(agreed.offset, nowMs)]
  if (agreedMs < earliestMs) return ownMs < earliestMs && nowMs >= earliestMs ? undefined : own
  const isSame = Math.abs(ownMs - agreedMs) <= CLOCK_JUMP_MS
  return !isSame && (agreedMs < ownMs || ownMs < earliestMs) ? agreed.offset : own
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
