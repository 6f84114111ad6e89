/** Estimates the service's clock from its `Date` headers alone, so a wrong clock here changes no wait. */

/** Service time minus local time lies in [lowMs, highMs]. */
export interface ClockOffset {
  readonly lowMs: number
  readonly highMs: number
}

/**
 * Narrows the offset by one answer: `Date` was written between sending and receiving, in whole seconds. If it
 * contradicts the known offset (a clock was set), the measurement starts again.
 */
export function observeClock(
  known: ClockOffset | undefined,
  {
    servedAtSeconds,
    sentAtMs,
    receivedAtMs,
  }: { servedAtSeconds: number; sentAtMs: number; receivedAtMs: number },
): ClockOffset {
  const seen = {
    lowMs: servedAtSeconds * 1000 - receivedAtMs,
    highMs: servedAtSeconds * 1000 + 999 - sentAtMs,
  }
  const both = {
    lowMs: Math.max(known?.lowMs ?? seen.lowMs, seen.lowMs),
    highMs: Math.min(known?.highMs ?? seen.highMs, seen.highMs),
  }
  return both.lowMs <= both.highMs ? both : seen
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
