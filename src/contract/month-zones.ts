/** Excludes time zones in which the month cannot have been reset (8.3: the zone is not shown). */
import { ASSUMED } from './assumptions.ts'
import { areAssumedZones, monthBounds } from './month.ts'

/** The month was reset after one instant and at or before another, UNIX milliseconds. */
export interface ResetSpan {
  afterMs: number
  byMs: number
}

/** Preferred names for zones with the same months, the most used first. */
const WELL_KNOWN = [
  'UTC',
  'Asia/Tokyo',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Australia/Sydney',
]

/**
 * The zones in which a month begins in the span (8.3). From the assumed zones it starts again with all zones,
 * and keeps one name for zones whose months agree over a year.
 * @returns `zones` itself if the span excludes none; an empty list if it excludes all, which is no finding
 */
export function zonesThatFit(zones: readonly string[], { afterMs, byMs }: ResetSpan): readonly string[] {
  const fits = (zone: string) => monthBounds(byMs, zone).startMs > afterMs
  // The assumed zones are the first and the last of all zones, and one between them.
  if (zones.every(fits)) return zones
  if (!areAssumedZones(zones)) return zones.filter(fits)
  return withoutTwins(allZones().filter(fits), byMs)
}

const allZones = (): string[] => [
  ...new Set([...WELL_KNOWN, ...ASSUMED.month_zones, ...Intl.supportedValuesOf('timeZone')]),
]

/** The first zone of each group with the same twelve months from an instant on. */
function withoutTwins(zones: readonly string[], fromMs: number): string[] {
  const byMonths = new Map<string, string>()
  for (const zone of zones) {
    const months = monthEnds(fromMs, zone).join()
    if (!byMonths.has(months)) byMonths.set(months, zone)
  }
  return [...byMonths.values()]
}

function monthEnds(fromMs: number, zone: string): number[] {
  const ends: number[] = []
  for (let atMs = fromMs; ends.length < 12; ) {
    atMs = monthBounds(atMs, zone).endMs
    ends.push(atMs)
  }
  return ends
}
