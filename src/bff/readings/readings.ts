/** `/bff/readings`: access counts that a person read on the plan page (8.3). Sends nothing to the service. */
import { DAY_MS, MINUTE_MS } from '../../contract/duration.ts'
import type { Fault } from '../../contract/fault.ts'
import { Problem } from '../../contract/problem.ts'
import { MOST_READINGS, type Reading, type Readings } from '../../contract/readings.ts'
import type { StoredReading, Tables } from '../../store/store.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { randomText } from '../core/encryption.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { READING, readBody } from '../http/bodies.ts'
import { monthStartMs } from '../limits/month.ts'
import { organizationTopic } from '../session/limit-owner.ts'
import { type LoadedSession, limitOwner, personOf } from '../session/record.ts'
import { requireProvenSession, requireSession } from '../session/use.ts'
import { onReadingsChanged } from './evidence.ts'

/** The person's clock may be this far ahead of the service's. */
const AHEAD_MS = 2 * MINUTE_MS
/** A request older than this has been counted, or never will be. */
const IN_FLIGHT_MS = MINUTE_MS
const MONTH_MS = 31 * DAY_MS

/** This month's readings. @throws Problem `signed_out`, `invalid_request` */
export async function getReadings(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const startMs = monthStartMs(context, await readAssumptions(context))
  const stored = await context.store.listReadings(limitOwner(session).organization, startMs)
  return Response.json({ readings: stored.map((reading) => onWire(reading, session)) } satisfies Readings)
}

const onWire = ({ id, count, readAtMs, owner }: StoredReading, session: LoadedSession): Reading => ({
  id,
  count,
  read_at: new Date(readAtMs).toISOString(),
  by: owner === personOf(session) ? 'you' : 'another',
})

/**
 * `POST /bff/readings`: stores a reading, from which the organization's month is counted. 201.
 * @throws Problem `signed_out`, `not_confirmed`; `invalid_request` for an invalid body, a time in the future
 *   or before this month, and more than {@link MOST_READINGS} a month; `lower_reading` if an earlier reading
 *   of this month is higher, unless the body confirms that the month was reset
 */
export async function addReading(context: Context, request: Request): Promise<Response> {
  const session = await requireProvenSession(context, request)
  const { organization } = limitOwner(session)
  const { count, read_at, month_was_reset: isConfirmed = false } = await readBody(request, READING)
  const startMs = monthStartMs(context, await readAssumptions(context))
  const nowMs = serviceNowMs(context)
  const readAtMs = readTime(read_at, nowMs, startMs)
  const owner = personOf(session)
  const reading = await context.store.transaction(async (store): Promise<StoredReading> => {
    await store.lock(organizationTopic(organization))
    const monthWasReset = count < leastAt(readAtMs, await store.listReadings(organization, startMs))
    if (monthWasReset && !isConfirmed) throw new Problem('lower_reading')
    await countReading(store, `readings ${organization} ${startMs}`, nowMs)
    const inFlight = await store.countUnanswered(organization, readAtMs - IN_FLIGHT_MS, readAtMs)
    const added = { id: randomText(9), count, readAtMs, inFlight, monthWasReset, owner }
    await store.addReading(organization, added)
    await onReadingsChanged({ ...context, store }, organization)
    return added
  })
  return Response.json(onWire(reading, session), { status: 201 })
}

/** UNIX milliseconds, at most now; absent: now. */
function readTime(read_at: string | undefined, nowMs: number, startMs: number): number {
  const readAtMs = read_at === undefined ? nowMs : Date.parse(read_at)
  const invalid = (fault: Fault) => new Problem('invalid_request', { fault })
  if (readAtMs > nowMs + AHEAD_MS) throw invalid('read_at_in_the_future')
  if (readAtMs < startMs) throw invalid('read_at_before_this_month')
  return Math.min(readAtMs, nowMs)
}

/** The least count that is possible then: the highest earlier reading since the last reset of the month. */
function leastAt(readAtMs: number, readings: readonly StoredReading[]): number {
  const before = readings.filter((reading) => reading.readAtMs <= readAtMs)
  const reset = before.findIndex(({ monthWasReset }) => monthWasReset)
  const sinceReset = reset === -1 ? before : before.slice(0, reset + 1)
  return Math.max(0, ...sinceReset.map(({ count }) => count))
}

/** @param name of the organization and the month */
async function countReading(store: Tables, name: string, nowMs: number): Promise<void> {
  const { count } = await store.addToCounter(name, 1, nowMs, nowMs + MONTH_MS)
  if (count > MOST_READINGS) throw new Problem('invalid_request', { fault: 'too_many_readings' })
}

/** 204. @throws Problem `signed_out`, `not_confirmed`, `not_found` (no reading of the organization) */
export async function deleteReading(context: Context, request: Request, id = ''): Promise<Response> {
  const { organization } = limitOwner(await requireProvenSession(context, request))
  await context.store.transaction(async (store) => {
    await store.lock(organizationTopic(organization))
    const isRemoved = await store.removeReading(organization, id, serviceNowMs(context))
    if (!isRemoved) throw new Problem('not_found')
    await onReadingsChanged({ ...context, store }, organization)
  })
  return new Response(null, { status: 204 })
}
