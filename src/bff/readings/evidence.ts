/** Learns from the readings of an organization: which requests count in the month, and in which zones it is reset (8.3: neither is shown). */
import { ASSUMED } from '../../contract/assumptions.ts'
import { READINGS_COMPARED_MS } from '../../contract/ledger-fold.ts'
import { type KindCount, monthsAt, monthSpan } from '../../contract/month.ts'
import { type ReadingStep, sortRequests, WEIGHED } from '../../contract/month-weights.ts'
import { zonesThatFit } from '../../contract/month-zones.ts'
import type { StoredReading } from '../../store/store.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { fingerprint } from '../core/encryption.ts'
import {
  changeServiceNote,
  readServiceNote,
  type ServiceNote,
  type StoredReset,
  type StoredStep,
} from '../evidence/note.ts'
import { withResets } from '../evidence/learning.ts'
import { learnFromFullMonth } from '../limits/month-refusal.ts'

const MOST_STEPS = 30
/** A plan page may show the count of a while ago. */
const PAGE_LAG_MS = 3_600_000
/** By how much the time that a person states can differ from the one at which the number was read. */
const STATED_MS = 300_000

/**
 * Looks again at the readings of an organization after any was entered or removed: which requests count (8.3), and where the count
 * fell because of a reset, in which zones it can have been.
 */
export async function onReadingsChanged(context: Context, organization: string): Promise<void> {
  const sinceMs = serviceNowMs(context) - READINGS_COMPARED_MS
  const readings = (await context.store.listReadings(organization, sinceMs)).toReversed()
  const source = sourceOf(organization)
  const resets: StoredReset[] = []
  const steps: StoredStep[] = []
  let before: StoredReading | undefined
  for (const after of readings) {
    const step = before && (await stepBetween(context, organization, before, after))
    if (step !== undefined) steps.unshift({ ...step, source, atMs: after.readAtMs })
    if (before !== undefined && isReset(before, after)) resets.unshift({ ...spanOf(before, after), source })
    before = after
  }
  const isReplaced = (one: { source?: string }, atMs: number) => one.source === source && atMs >= sinceMs
  const change = (note: ServiceNote): ServiceNote => {
    const others = note.resets.filter((one) => !isReplaced(one, one.byMs))
    const otherSteps = note.steps.filter((one) => !isReplaced(one, one.atMs))
    return withResets({ ...note, steps: [...steps, ...otherSteps].slice(0, MOST_STEPS) }, [
      ...resets,
      ...others,
    ])
  }
  await learnFromFullMonth(context, organization, readings.at(-1))
  const known = await readServiceNote(context)
  if (JSON.stringify(change(known)) !== JSON.stringify(known)) await changeServiceNote(context, change)
}

const sourceOf = (organization: string): string => fingerprint(`readings ${organization}`)

/** A person has confirmed that the month was reset since an earlier reading, and it can have been since this one. */
const isReset = (before: StoredReading, after: StoredReading): boolean =>
  after.monthWasReset && zonesThatFit(ASSUMED.month_zones, spanOf(before, after)).length > 0

const spanOf = (before: StoredReading, after: StoredReading) => ({
  afterMs: before.readAtMs - PAGE_LAG_MS,
  byMs: after.readAtMs + STATED_MS,
})

/** What the count rose by between two readings of one month, beside what was sent; `undefined` where that shows nothing. */
async function stepBetween(
  context: Context,
  organization: string,
  before: StoredReading,
  after: StoredReading,
): Promise<ReadingStep | undefined> {
  const rise = after.count - before.count
  const months = ({ readAtMs }: StoredReading) => JSON.stringify(monthsAt(readAtMs))
  // Some zone between those that are assumed may have been reset between the two.
  const isUnclear = monthSpan(after.readAtMs).mayHaveReset
  if (after.monthWasReset || rise < 0 || isUnclear || months(before) !== months(after)) return undefined
  const between = (fromMs: number, toMs: number) => countBetween(context, organization, fromMs, toMs)
  const sent = await between(before.readAtMs, after.readAtMs)
  if (WEIGHED.every((sort) => sent.counts.weighed[sort] === 0)) return undefined
  const sure = await between(before.readAtMs + STATED_MS, after.readAtMs - PAGE_LAG_MS)
  return { rise, sent: sent.counts, sure: sure.counts, unsure: sent.unsure + before.inFlight }
}

/** What was recorded after one instant, up to another, UNIX milliseconds. */
async function countBetween({ store }: Context, organization: string, fromMs: number, toMs: number) {
  const [first, later] = await Promise.all([
    store.countByKind(organization, fromMs + 1),
    store.countByKind(organization, Math.max(fromMs, toMs) + 1),
  ])
  const nameOf = ({ kind, outcome, succeeded }: KindCount) => [kind, outcome, succeeded].join()
  const laterOf = (sort: KindCount) => later.find((one) => nameOf(one) === nameOf(sort))?.count ?? 0
  // One that was settled between the two reads is of two sorts.
  return sortRequests(first.map((sort) => ({ ...sort, count: Math.max(0, sort.count - laterOf(sort)) })))
}
