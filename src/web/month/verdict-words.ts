/** The words of the verdict. Dates are in the reader's own zone and language. */
import { DAY_MS } from '../../contract/duration.ts'
import { leftOf, monthState } from '../../contract/month-state.ts'
import { placeOf } from '../../contract/page.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { Verdict, VerdictState } from '../../contract/verdict.ts'
import type { ShapeName } from '../components/icons.tsx'
import { reasonWords } from '../lib/reason-words.ts'
import { leftWords, resetSpan } from '../quota/words.ts'
import {
  agoWords,
  clockWords,
  countdownWords,
  daysText,
  dayWords,
  numberText,
  rangeText,
  sentences,
  spanWords,
} from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'

/** How a state looks; its word says the same. */
export const LOOKS: Record<VerdictState, { shape: ShapeName; tone: 'ok' | 'low' | 'none' | 'unknown' }> = {
  on_track: { shape: 'check', tone: 'ok' },
  early: { shape: 'circle', tone: 'unknown' },
  unlimited: { shape: 'check', tone: 'ok' },
  tight: { shape: 'triangle', tone: 'low' },
  low: { shape: 'triangle', tone: 'low' },
  runs_out: { shape: 'triangle', tone: 'low' },
  used_up: { shape: 'square', tone: 'none' },
  suspected: { shape: 'square', tone: 'none' },
  paused: { shape: 'square', tone: 'none' },
  unread: { shape: 'diamond', tone: 'unknown' },
  stale: { shape: 'diamond', tone: 'unknown' },
  may_have_reset: { shape: 'diamond', tone: 'unknown' },
  unseen: { shape: 'diamond', tone: 'unknown' },
}

/** The large figure, and what it is. @param elapsedMs since the snapshot came */
export function numberWords(
  month: MonthSnapshot,
  elapsedMs: number,
): readonly [large: string, small: string] {
  const t = words().month.number
  const { limit, organization, suspected } = month
  if (limit === undefined) return [rangeText(month), month.plan === undefined ? t.sent : t.sentUnlimited]
  const ofLimit = t.of(numberText(limit))
  if (suspected) return [t.probably(numberText(0)), ofLimit]
  const asOf = organization && t.asOf(agoWords(organization.reading_age_ms + elapsedMs))
  const span = leftOf(month, limit)
  if (span.high === 0) return [t.left(numberText(0)), asOf === undefined ? ofLimit : t.known(ofLimit, asOf)]
  return [t.left(leftWords(span, organization !== undefined, t.atMost)), t.known(ofLimit, asOf ?? t.unread)]
}

/** The instants that the words name, in UNIX milliseconds by the server's clock. */
interface Instants {
  nowMs: number
  resetMs: number
  /** The day of the reset. */
  reset: string
}

/** @param elapsedMs since the snapshot came */
export function verdictWords(
  verdict: Verdict,
  { snapshot: { month }, wallMs }: ReceivedQuota,
  elapsedMs: number,
): string {
  const resetMs = resetSpan(month, wallMs).high
  const at: Instants = { nowMs: wallMs + elapsedMs, resetMs, reset: dayWords(resetMs) }
  if ('perDay' in verdict) return perDayWords(verdict, at)
  if (verdict.state === 'runs_out') return runsOutWords(verdict, at)
  if (verdict.state === 'paused') {
    const { paused } = words().month.verdict
    return sentences(paused(countdownWords(verdict.endsInMs)), ...verdict.reasons.map(reasonWords))
  }
  return OTHERS[verdict.state](month, at, elapsedMs)
}

type Other = Exclude<VerdictState, 'on_track' | 'early' | 'tight' | 'low' | 'runs_out' | 'paused'>

const OTHERS: Record<Other, (month: MonthSnapshot, at: Instants, elapsedMs: number) => string> = {
  suspected: ({ suspected, may_have_reset: mayHaveReset }, { nowMs, reset }, elapsedMs) => {
    const t = words().month.verdict
    const refused = clockWords(nowMs - elapsedMs - (suspected?.age_ms ?? 0), nowMs)
    return sentences(t.suspected(refused), mayHaveReset ? t.mayHaveReset : t.resets(reset))
  },
  used_up: ({ low, limit = Infinity }, { reset }) => {
    const t = words().month.verdict
    return low >= limit ? t.usedUpByThisApp(reset) : t.usedUp(reset)
  },
  unread: (month) => {
    const t = words().month.verdict
    return toEnter((monthState(month) === 'low' ? t.unreadLow : t.unread)(numberText(month.limit ?? 0)))
  },
  stale: ({ organization }, _, elapsedMs) =>
    toEnter(words().month.verdict.stale(agoWords((organization?.reading_age_ms ?? 0) + elapsedMs))),
  may_have_reset: () => words().month.verdict.mayHaveReset,
  unlimited: () => words().month.verdict.unlimited,
  unseen: () => words().month.verdict.unseen,
}

/** Whoever looks through a watch link can enter nothing. */
const toEnter = (sentence: string): string =>
  placeOf(location.pathname).name === 'watched' ? sentence : sentences(sentence, words().month.verdict.enter)

function perDayWords({ state, perDay }: Extract<Verdict, { perDay: number }>, { reset }: Instants): string {
  const t = words().month.verdict
  if (perDay === 0) return t.lowLeast(reset)
  return t[state === 'on_track' ? 'onTrack' : state](numberText(perDay), reset)
}

/** "Low: runs out tomorrow, Nov 26, 5 days before it resets on Dec 1". */
function runsOutWords(
  { inMs, isEarly }: Extract<Verdict, { state: 'runs_out' }>,
  { nowMs, resetMs, reset }: Instants,
): string {
  const { verdict: t, days } = words().month
  const endMs = nowMs + inMs
  const [ahead, before] = [dayOf(endMs) - dayOf(nowMs), dayOf(resetMs) - dayOf(endMs)]
  const day = ahead === 0 ? days.today : (ahead === 1 ? days.tomorrow : days.on)(dayWords(endMs))
  if (isEarly) return t.mayRunOut(day, reset)
  return t.runsOut(day, before === 0 ? spanWords(resetMs - endMs) : daysText(before), reset)
}

/** The number of a day in the reader's zone. */
function dayOf(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY_MS
}
