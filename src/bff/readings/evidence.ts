/** Learns from readings which requests count, and in which zones the month is reset (8.3: not shown). */
import { ASSUMED } from '../../contract/assumptions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/duration.ts'
import { monthSpan, monthsAt } from '../../contract/month.ts'
import { type ReadingStep, sortRequests, WEIGHED } from '../../contract/month-weights.ts'
import { zonesThatFit } from '../../contract/month-zones.ts'
import type { StoredReading } from '../../store/store.ts'
import { serviceNowMs, type Within } from '../core/context.ts'
import { fingerprint } from '../core/encryption.ts'
import {
  changeServiceNote,
  readServiceNote,
  type ServiceNote,
  type StoredReset,
  type StoredStep,
  withResets,
} from '../evidence/note.ts'

const MOST_STEPS = 30
/** Readings of two months. The rows of the requests between them are kept for longer. */
const COMPARED_MS = 62 * DAY_MS
/** The plan page may show a count that is this old. */
const PAGE_LAG_MS = HOUR_MS
/** A stated time may be this far from the time of reading. */
const STATED_MS = 5 * MINUTE_MS

/**
 * Runs in the transaction that adds or removes a reading. Finds which requests count (8.3), and in which
 * zones the month can have been reset if the count fell.
 */
export async function onReadingsChanged(context: Within, organization: string): Promise<void> {
  const sinceMs = serviceNowMs(context) - COMPARED_MS
  const readings = (await context.store.listReadings(organization, sinceMs)).toReversed()
  const source = sourceOf(organization)
  const resets: StoredReset[] = []
  const steps: StoredStep[] = []
  for (const [nth, after] of readings.entries()) {
    const before = readings[nth - 1]
    const step = before && (await stepBetween(context, organization, before, after))
    if (step !== undefined) steps.unshift({ ...step, source, atMs: after.readAtMs })
    // A reading in between that was no higher may be of the new month already.
    const higher = readings.slice(0, nth).findLast(({ count }) => count > after.count)
    if (higher !== undefined && isReset(higher, after)) resets.unshift({ ...spanOf(higher, after), source })
  }
  const isReplaced = (one: { source?: string }, atMs: number) => one.source === source && atMs >= sinceMs
  const change = (note: ServiceNote): ServiceNote => {
    // One whose earlier reading is too old is not found again.
    const others = note.resets.filter((one) => !isReplaced(one, one.afterMs + PAGE_LAG_MS))
    const otherSteps = note.steps.filter((one) => !isReplaced(one, one.atMs))
    const { month_zones: forgottenMs = -Infinity } = note.forgotten
    const later = resets.filter(({ byMs }) => byMs - STATED_MS > forgottenMs)
    return withResets({ ...note, steps: [...steps, ...otherSteps].slice(0, MOST_STEPS) }, [
      ...later,
      ...others,
    ])
  }
  const known = await readServiceNote(context)
  if (JSON.stringify(change(known)) !== JSON.stringify(known)) await changeServiceNote(context, change)
}

const sourceOf = (organization: string): string => fingerprint(`readings ${organization}`)

/** A person confirmed a reset since an earlier reading, and it can have been between these two. */
const isReset = (before: StoredReading, after: StoredReading): boolean =>
  after.monthWasReset && zonesThatFit(ASSUMED.month_zones, spanOf(before, after)).length > 0

const spanOf = (before: StoredReading, after: StoredReading) => ({
  afterMs: before.readAtMs - PAGE_LAG_MS,
  byMs: after.readAtMs + STATED_MS,
})

/** Compares a rise within one month with the requests sent; `undefined` if that shows nothing. */
async function stepBetween(
  context: Within,
  organization: string,
  before: StoredReading,
  after: StoredReading,
): Promise<ReadingStep | undefined> {
  const rise = after.count - before.count
  const months = ({ readAtMs }: StoredReading) => JSON.stringify(monthsAt(readAtMs))
  // In some zone between the assumed ones the month may have been reset in between.
  const isUnclear = monthSpan(after.readAtMs).mayHaveReset
  if (after.monthWasReset || rise < 0 || isUnclear || months(before) !== months(after)) return undefined
  // A request of the same millisecond was recorded before the reading.
  const between = async (fromMs: number, toMs: number) =>
    sortRequests(await context.store.countByKind(organization, fromMs + 1, toMs + 1))
  const sent = await between(before.readAtMs, after.readAtMs)
  if (WEIGHED.every((sort) => sent.counts.weighed[sort] === 0)) return undefined
  const sure = await between(before.readAtMs + STATED_MS, after.readAtMs - PAGE_LAG_MS)
  return { rise, sent: sent.counts, sure: sure.counts, unsure: sent.unsure + before.inFlight }
}
