/** Learns from a used-up month the status of a refusal, and the zones of the reset (8.3: not shown). */
import { type Meaning, NEARLY } from '../../contract/answer-meaning.ts'
import { ASSUMED } from '../../contract/assumptions.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/duration.ts'
import { flag, number, onlyMembers } from '../../contract/json.ts'
import { zonesThatFit } from '../../contract/month-zones.ts'
import { guessPlan } from '../../contract/plan.ts'
import type { StoredReading } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { addReset, addSighting } from '../evidence/learning.ts'
import { readOrganizationNote } from './note.ts'
import { countMonth } from './month.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'

/** The newest refusal that looks like the monthly limit. A success removes it. */
interface Refusal {
  status: number
  /** The service's time, UNIX milliseconds. */
  atMs: number
  limit: number
  /** Nearly as many requests had certainly been counted. */
  isNearLimit: boolean
}

const REFUSAL: NoteKind<Refusal> = {
  format: 1,
  read: onlyMembers({ status: number, atMs: number, limit: number, isNearLimit: flag }, {}),
}
const nameOf = (organization: string) => `month refusal ${organization}`
/** Longer than a month. */
const LIFETIME_MS = 40 * DAY_MS
/** The error of our estimate of the service's time, and the time that a request may take. */
const CLOCK_MS = MINUTE_MS

/** Learns from the meaning of an answer to a proven session. @param nowMs the service's time */
export async function learnFromMonth(
  context: Context,
  organization: string,
  { code, status }: { code: Meaning['code']; status: number },
  nowMs: number,
): Promise<void> {
  if (code === 'month_suspected') await storeRefusal(context, organization, status, nowMs)
  if (code === 'success') await learnFromSuccess(context, organization, nowMs)
}

async function storeRefusal(
  context: Context,
  organization: string,
  status: number,
  nowMs: number,
): Promise<void> {
  const [limit, { own, readings }] = await Promise.all([
    limitOf(context, organization),
    countMonth(context, organization, nowMs),
  ])
  if (limit === undefined) return
  const [newest] = readings
  const used = Math.max(own.sinceEarliest.low, newest === undefined ? 0 : newest.count + newest.ownSince.low)
  const refusal = { status, atMs: nowMs, limit, isNearLimit: used >= NEARLY * limit }
  await changeRefusal(context, organization, () => refusal)
}

/** The first success after a refusal comes after the month's reset, unless the refusal had another cause. */
async function learnFromSuccess(context: Context, organization: string, nowMs: number): Promise<void> {
  const refusal = await readNote(context, REFUSAL, nameOf(organization))
  if (refusal === undefined) return
  await changeRefusal(context, organization, () => undefined)
  const { status, atMs, isNearLimit, limit } = refusal
  // The service's time is known only from its Date. A change of the plan ends a refusal without a reset.
  const isClear = isNearLimit && context.memory.clock !== undefined && context.memory.rivalClock === undefined
  if (!isClear || limit !== (await limitOf(context, organization))) return
  const reset = { afterMs: atMs - CLOCK_MS, byMs: nowMs + CLOCK_MS }
  // All assumed zones: `addReset` narrows them by all resets together.
  const fitting = zonesThatFit(ASSUMED.month_zones, reset)
  if (fitting.length === 0) return
  await addSighting(context, { name: 'month_status', value: String(status), atMs })
  if (fitting !== ASSUMED.month_zones) await addReset(context, reset)
}

/** A reading that reaches the limit while the refusal stands shows a used-up month. */
export async function learnFromFullMonth(
  context: Context,
  organization: string,
  newest: StoredReading | undefined,
): Promise<void> {
  const refusal = await readNote(context, REFUSAL, nameOf(organization))
  if (refusal === undefined || newest === undefined) return
  const { status, atMs, limit } = refusal
  if (newest.count >= limit && newest.readAtMs >= atMs - CLOCK_MS)
    await addSighting(context, { name: 'month_status', value: String(status), atMs })
}

const limitOf = async (context: Context, organization: string): Promise<number | undefined> =>
  guessPlan((await readOrganizationNote(context, organization)).limits)?.per_month

const changeRefusal = (
  context: Context,
  organization: string,
  change: () => Refusal | undefined,
): Promise<void> => changeNote(context, REFUSAL, nameOf(organization), change, context.now() + LIFETIME_MS)
