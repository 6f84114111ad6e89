/** What an answer of the API teaches: its meaning, and what is known after it (8.2, 8.3, 8.4). */
import { type AnsweredRequest, answerMeaning, isSuccess, type Meaning } from './answer-meaning.ts'
import { isFromCache } from './clock.ts'
import { fold, type Gauges, isOfFuture } from './gauge.ts'
import { isErrorBody } from './json.ts'
import { type MonthAnswer, type MonthShown, monthsAfter, refusalAfter, resetAfter } from './learn-month.ts'
import {
  isEndedBy,
  laterPause,
  type OrganizationNote,
  type StoredPause,
  suspicionAt,
  type TokenNote,
} from './limit-notes.ts'
import { monthSpan } from './month.ts'
import { type MonthKnown, usedAtMost } from './month-count.ts'
import { shownBy } from './months.ts'
import { guessPlan } from './plan.ts'
import {
  attribute,
  type Observation,
  observeRecord,
  type RateReading,
  type RequestClass,
  readRateHeaders,
} from './rate-limit.ts'
import { isRefusalCode } from './refusal.ts'

export interface Known {
  token: TokenNote
  organization: OrganizationNote
  /** Only an answer that is no plain success is judged by our own counts. */
  counted?: Counted | undefined
}

export interface Counted {
  /** Requests of the minute of reads that were sent with the token in the last minute. */
  sent: number
  month: MonthKnown
}

export interface Answered extends AnsweredRequest, MonthAnswer {
  requestClass: RequestClass
  /** The access token was stale by our own clock. */
  tokenExpired: boolean
  /** Whose limits these are is proven, or would be by a success. Else they are those of one session. */
  proof: 'earlier' | 'by_success' | 'none'
  /** The answer's `Date`, or our estimate of it, UNIX seconds. */
  servedAtSeconds: number
}

export interface Learned extends MonthShown {
  /** The wait after a suspicion of the month lasts until the month's earliest end. */
  meaning: Meaning
  /** The known note itself if nothing changes. */
  token: TokenNote
  organization: OrganizationNote
}

const PLAN_LIMIT = { read: 'read_per_minute', update: 'update_per_minute' } as const

/** Its meaning depends on nothing else. */
export const isPlainSuccess = ({ status, text }: Pick<Answered, 'status' | 'text'>): boolean =>
  isSuccess(status) && !isErrorBody(text)

/** Pure. What is learned of another organization than the known one is the caller's to keep apart. */
export function learn(known: Known, answer: Answered): Learned {
  // An answer from a cache reports an earlier time (RFC 9111 5.1).
  const isCached = isFromCache(answer.headers)
  const { servedAtSeconds, requestClass } = answer
  const reading: RateReading = isCached ? {} : readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds)
  const meaning = meaningOf(known, answer, seen.class === requestClass ? reading : limitOf(reading))
  if (isUnproven(answer, meaning) && isOfCredential(meaning)) return { ...known, meaning }
  const isRecord = answer.kind === 'rate_limit' && meaning.code === 'success'
  const record: unknown = isRecord ? JSON.parse(answer.text) : undefined
  // Its "none remain" is about the month, and not about the minute.
  const isOfMonth = meaning.code === 'month_suspected' && !reading.remaining
  const observations = isCached || isOfMonth ? [] : [seen, ...observeRecord(record, servedAtSeconds)]
  const token = same(known.token, tokenAfter(known.token, meaning, answer, observations))
  return { meaning, token, ...organizationAfter(known, meaning, answer, observations) }
}

/** Headers of the other class say nothing about this one, but there are headers (B33). */
const limitOf = ({ limit }: RateReading): RateReading => (limit === undefined ? {} : { limit })

const isUnproven = ({ proof }: Answered, { code }: Meaning): boolean =>
  proof === 'none' || (proof === 'by_success' && code !== 'success')

/** Such an answer may report the limits of something else, and before a proof it leaves nothing. */
const isOfCredential = ({ code }: Meaning): boolean =>
  code === 'credential_refused' || code === 'organization_refused'

function meaningOf(
  { token, organization: { limits }, counted }: Known,
  answer: Answered,
  reading: RateReading,
): Meaning {
  const { nowMs, assumed, requestClass, tokenExpired } = answer
  const plan = guessPlan(limits)
  const meaning = answerMeaning(
    answer,
    {
      serviceNowMs: nowMs,
      tokenExpired,
      ...(counted && {
        month: {
          sent: usedAtMost(counted.month).atMost,
          limit: plan?.per_month,
        },
      }),
      minute: {
        reading,
        sent: counted?.sent ?? 0,
        limit: limits[requestClass] ?? plan?.[PLAN_LIMIT[requestClass]],
        unknownBefore: token.pauses[requestClass]?.code === 'limit_unknown',
      },
    },
    assumed,
  )
  if (meaning.code !== 'month_suspected') return meaning
  return { ...meaning, retryInMs: monthSpan(nowMs, assumed).endMs.earliest - nowMs }
}

function pauseOf(
  { code, reasons, retryInMs = 0 }: Meaning,
  { nowMs, servedAtSeconds: atSeconds }: Answered,
): StoredPause | undefined {
  return isRefusalCode(code) ? { code, reasons, untilMs: nowMs + retryInMs, atSeconds } : undefined
}

function tokenAfter(
  { gauges, pauses }: TokenNote,
  meaning: Meaning,
  answer: Answered,
  observations: readonly Observation[],
): TokenNote {
  const { requestClass, nowMs } = answer
  const { [requestClass]: previous, ...others } = pauses
  // A pause of the month is the organization's.
  const next =
    meaning.code === 'month_suspected' ? previous : laterPause(previous, pauseOf(meaning, answer), nowMs)
  const isEnded = meaning.code === 'success' && isNewer(answer, next)
  return {
    gauges: fold(datedBy(nowMs, gauges), observations),
    pauses: { ...others, ...(next && !isEnded && { [requestClass]: next }) },
  }
}

/** Whether a success is newer than the refusal that began the pause: one from a cache may be older. */
const isNewer = ({ headers, servedAtSeconds }: Answered, pause: StoredPause | undefined): boolean =>
  !isFromCache(headers) && isEndedBy(pause, servedAtSeconds)

/** Without those that a clock which was ahead has dated: no later answer would be newer. */
const datedBy = (nowMs: number, gauges: Gauges): Gauges =>
  Object.fromEntries(Object.entries(gauges).filter(([, gauge]) => !isOfFuture(gauge, nowMs)))

type OrganizationLearned = Pick<Learned, 'organization' | keyof MonthShown>

function organizationAfter(
  { organization: before, counted }: Known,
  meaning: Meaning,
  answer: Answered,
  observations: readonly Observation[],
): OrganizationLearned {
  const { months, monthPause, refusal } = before
  const limits = limitsAfter(before.limits, limitsShown(meaning, answer, observations))
  const isOlder = meaning.code === 'success' && !isNewer(answer, monthPause)
  const ofMonth: Meaning = isOlder ? { ...meaning, code: 'unexpected_reply' } : meaning
  const state = monthAfter(before, ofMonth, answer)
  if (isUnproven(answer, meaning))
    return { organization: same(before, { limits, months, refusal, ...state }) }
  const organization = same(before, {
    limits,
    months: monthsAfter(months, ofMonth.code, shownBy(guessPlan(limits)), answer),
    refusal: refusalAfter(refusal, limits, counted?.month, ofMonth, answer),
    ...state,
  })
  return ofMonth.code === 'success' && refusal
    ? { organization, ...resetAfter(refusal, limits, answer) }
    : { organization }
}

const same = <T>(before: T, after: T): T =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after

type Limits = OrganizationNote['limits']

/** If one limit has changed, so has the plan, and the other class's known limit is the former one (8.2). */
function limitsAfter(before: Limits, shown: Limits): Limits {
  const hasChanged = (['read', 'update'] as const).some(
    (name) => before[name] !== undefined && shown[name] !== undefined && before[name] !== shown[name],
  )
  return hasChanged ? shown : { ...before, ...shown }
}

/** The limits in an answer. */
function limitsShown(meaning: Meaning, answer: Answered, observations: readonly Observation[]): Limits {
  const { code } = meaning
  const isAccepted = code === 'success' || code === 'rate_limited' || code === 'limit_unknown'
  const shown = isAccepted && !isUnproven(answer, meaning) ? observations : []
  return Object.fromEntries(
    shown.flatMap(({ class: name, limit }) => (limit === undefined ? [] : [[name, limit]])),
  )
}

/** A suspicion keeps the time of its first refusal and the reasons of its newest. */
function monthAfter(
  { monthPause, suspicion }: Pick<OrganizationNote, 'monthPause' | 'suspicion'>,
  meaning: Meaning,
  answer: Answered,
): Pick<OrganizationNote, 'monthPause' | 'suspicion'> {
  const { nowMs, assumed } = answer
  if (meaning.code === 'success') return {}
  if (meaning.code !== 'month_suspected')
    return { ...(monthPause && { monthPause }), ...(suspicion && { suspicion }) }
  const { reasons } = meaning
  const sinceMs = suspicionAt(suspicion, nowMs)?.sinceMs ?? nowMs
  const pause = laterPause(monthPause, pauseOf(meaning, answer), nowMs)
  return {
    ...(pause && { monthPause: pause }),
    suspicion: { reasons, sinceMs, untilMs: monthSpan(nowMs, assumed).allResetMs },
  }
}
