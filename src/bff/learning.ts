/** Stores what answers and readings show of the service where its document leaves it open. No request is sent to find out. */
import { ASSUMED } from '../contract/assumptions.ts'
import { type KindCount, monthsAt } from '../contract/month.ts'
import { type ReadingStep, WEIGHED, sortRequests } from '../contract/month-weights.ts'
import { zonesThatFit } from '../contract/month-zones.ts'
import type { RateReading, RequestClass } from '../contract/rate-limit.ts'
import type { StoredReading } from '../store/store.ts'
import { type Context, serviceNowMs } from './context.ts'
import { fingerprint } from './encryption.ts'
import {
  changeServiceNote,
  readServiceNote,
  type ServiceNote,
  type Sighting,
  type StoredReset,
  type StoredStep,
} from './evidence-note.ts'

const MOST_SIGHTINGS = 5
const MOST_RESETS = 5
const MOST_STEPS = 30

/** A plan page may show the count of a while ago. */
const PAGE_LAG_MS = 3_600_000
/** By how much the time that a person states can differ from the one at which the number was read. */
const STATED_MS = 300_000
/** How far back readings are looked at: this month and the one before. */
const TWO_MONTHS_MS = 62 * 86_400_000

/** Stores whether a refresh answered with another refresh token (5.4.4). */
export const learnFromRefresh = (context: Context, isRotated: boolean): Promise<void> =>
  addSighting(context, {
    name: 'refresh_rotates',
    value: isRotated ? 'yes' : 'no',
    atMs: serviceNowMs(context),
  })

/**
 * Stores which class the headers of an answer of `GET /rate_limit` describe: the one whose member of the body is the same, where
 * the other is not (8.4.4).
 */
export async function learnFromRateRecord(
  context: Context,
  headers: RateReading,
  record: { readonly [Class in RequestClass]?: RateReading },
): Promise<void> {
  const { read, update } = record
  if (read === undefined || update === undefined) return
  const isRead = isSameWindow(headers, read)
  if (isRead === isSameWindow(headers, update)) return
  await addSighting(context, {
    name: 'headers_describe',
    value: isRead ? 'class_of_request' : 'update',
    atMs: serviceNowMs(context),
  })
}

const isSameWindow = (a: RateReading, b: RateReading): boolean =>
  a.limit !== undefined && a.limit === b.limit && a.remaining !== undefined && a.remaining === b.remaining

/** Stores a sighting, unless the stored ones of its name are enough and all agree with it. */
export async function addSighting(context: Context, sighting: Sighting): Promise<void> {
  if (withSighting(await readServiceNote(context), sighting) === undefined) return
  await changeServiceNote(context, (note) => withSighting(note, sighting) ?? note)
}

/** The note with one more sighting, the newest first; `undefined` where it shows nothing further. */
function withSighting(note: ServiceNote, sighting: Sighting): ServiceNote | undefined {
  const isSameName = ({ name }: Sighting) => name === sighting.name
  const own = note.sightings.filter(isSameName)
  const isKnown = own.some(({ atMs, value }) => atMs === sighting.atMs && value === sighting.value)
  const isEnough = own.length === MOST_SIGHTINGS && own.every(({ value }) => value === sighting.value)
  if (isKnown || isEnough) return undefined
  const others = note.sightings.filter((one) => !isSameName(one))
  return { ...note, sightings: [sighting, ...own.slice(0, MOST_SIGHTINGS - 1), ...others] }
}

/** Stores that the month was reset within a span, which removes zones in which it cannot have been (8.3). */
export async function addReset(context: Context, reset: StoredReset): Promise<void> {
  const change = (note: ServiceNote) => withResets(note, [reset, ...note.resets])
  // Finding the zones takes long enough to do it before others have to wait for the change.
  change(await readServiceNote(context))
  await changeServiceNote(context, change)
}

/** The note with these resets in place of its own, and the zones that fit all of them. */
function withResets(note: ServiceNote, resets: readonly StoredReset[]): ServiceNote {
  const { zones: _, ...others } = note
  const kept = resets.slice(0, MOST_RESETS)
  const zones = zonesOf(kept)
  return { ...others, resets: kept, ...(zones && { zones }) }
}

let latest: { of: string; zones: readonly string[] | undefined } = { of: '[]', zones: undefined }

function zonesOf(resets: readonly StoredReset[]): readonly string[] | undefined {
  const of = JSON.stringify(resets)
  if (latest.of !== of) {
    const zones = resets.reduce<readonly string[]>(zonesThatFit, ASSUMED.month_zones)
    latest = { of, zones: zones === ASSUMED.month_zones || zones.length === 0 ? undefined : zones }
  }
  return latest.zones
}

/**
 * Looks again at the readings of an organization after any was entered or removed: which requests count (8.3), and where the count
 * fell because of a reset, in which zones it can have been.
 */
export async function onReadingsChanged(context: Context, organization: string): Promise<void> {
  const sinceMs = serviceNowMs(context) - TWO_MONTHS_MS
  const readings = (await context.store.listReadings(organization, sinceMs)).toReversed()
  const pairs = readings.slice(1).map((reading, index) => [readings[index], reading] as const)
  const source = sourceOf(organization)
  const resets: StoredReset[] = []
  const steps: StoredStep[] = []
  for (const [before, after] of pairs) {
    if (before === undefined) continue
    const step = await stepBetween(context, organization, before, after)
    if (step !== undefined) steps.unshift({ ...step, source, atMs: after.readAtMs })
    if (isReset(before, after)) resets.unshift({ ...spanOf(before, after), source })
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
  const known = await readServiceNote(context)
  if (JSON.stringify(change(known)) !== JSON.stringify(known)) await changeServiceNote(context, change)
}

const sourceOf = (organization: string): string => fingerprint(`readings ${organization}`).slice(0, 16)

/** A lower number of which a person has confirmed that the month was reset, where it can have been. */
const isReset = (before: StoredReading, after: StoredReading): boolean =>
  after.monthWasReset &&
  after.count < before.count &&
  zonesThatFit(ASSUMED.month_zones, spanOf(before, after)).length > 0

const spanOf = (before: StoredReading, after: StoredReading) => ({
  afterMs: before.readAtMs - PAGE_LAG_MS,
  byMs: after.readAtMs + STATED_MS,
})

/** What the count rose by between two readings of one month, beside what was sent; `undefined` where that tells nothing. */
async function stepBetween(
  context: Context,
  organization: string,
  before: StoredReading,
  after: StoredReading,
): Promise<ReadingStep | undefined> {
  const rise = after.count - before.count
  const months = ({ readAtMs }: StoredReading) => JSON.stringify(monthsAt(readAtMs))
  if (rise < 0 || months(before) !== months(after)) return undefined
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
  const laterOf = (sort: KindCount) =>
    later.find(
      ({ kind, outcome, succeeded }) =>
        kind === sort.kind && outcome === sort.outcome && succeeded === sort.succeeded,
    )?.count ?? 0
  // One that was settled between the two reads is of two sorts.
  return sortRequests(first.map((sort) => ({ ...sort, count: Math.max(0, sort.count - laterOf(sort)) })))
}
