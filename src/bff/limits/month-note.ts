/** Stores the plan that each month showed, and when the service refused for the month (8.3). */
import type { Meaning } from '../../contract/answer-meaning.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { count, members, number, recordOf } from '../../contract/json.ts'
import { certainMonth, monthNameAt, type NotedMonth, readPlanName, shownBy } from '../../contract/months.ts'
import { guessPlan } from '../../contract/plan.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import type { Moment } from './known-state.ts'
import { readOrganizationNote } from './note.ts'

type MonthsNote = { readonly [month: string]: NotedMonth }

const MONTHS_NOTE: NoteKind<MonthsNote> = {
  format: 1,
  read: recordOf(members({}, { plan: readPlanName, limit: count, refusedAtMs: number })),
}
const nameOf = (organization: string) => `months ${organization}`
const MOST_NOTED = 36
/** Longer than 36 months. */
const LIFETIME_MS = 1200 * DAY_MS

export const readMonthsNote = async (context: Context, organization: string): Promise<MonthsNote> =>
  (await readNote(context, MONTHS_NOTE, nameOf(organization))) ?? {}

/** Writes only what the note does not have yet: most answers show nothing new, and a read is cheaper. */
export async function noteMonth(
  context: Context,
  organization: string,
  code: Meaning['code'],
  at: Moment,
): Promise<void> {
  const [{ limits }, known] = await Promise.all([
    readOrganizationNote(context, organization),
    readMonthsNote(context, organization),
  ])
  const change = (note: MonthsNote = {}) => withAnswer(note, code, shownBy(guessPlan(limits)), at)
  if (change(known) !== known)
    await changeNote(context, MONTHS_NOTE, nameOf(organization), change, context.now() + LIFETIME_MS)
}

/** @returns `note` itself if the answer shows nothing new */
function withAnswer(note: MonthsNote, code: Meaning['code'], shown: NotedMonth, at: Moment): MonthsNote {
  const month = monthNameAt(at.nowMs, at.assumed)
  const { refusedAtMs: _, ...known } = note[month] ?? {}
  const plan = shown.plan === undefined ? known : shown
  const refusedAtMs = refusalAfter(note[month], code, plan, at)
  const next: NotedMonth = { ...plan, ...(refusedAtMs !== undefined && { refusedAtMs }) }
  if (JSON.stringify(next) === JSON.stringify(note[month] ?? {})) return note
  const all = Object.entries({ ...note, [month]: next }).toSorted(([a], [b]) => (a < b ? 1 : -1))
  return Object.fromEntries(all.slice(0, MOST_NOTED))
}

/** A success ends it, unless the plan changed in between: then the month had run out all the same. */
function refusalAfter(
  before: NotedMonth = {},
  code: Meaning['code'],
  { plan }: NotedMonth,
  { nowMs, assumed }: Moment,
): number | undefined {
  // Another month may have begun.
  if (certainMonth(nowMs, assumed) === undefined) return before.refusedAtMs
  if (code === 'success' && plan === (before.plan ?? plan)) return undefined
  return code === 'month_suspected' && plan !== 'business'
    ? (before.refusedAtMs ?? nowMs)
    : before.refusedAtMs
}
