/** Observes every answer of the API: finds out what it means, and stores what it reports of the limits (8.2, 8.3, 8.4). */
import { answerMeaning, isSuccess, type KnownState, type Meaning } from '../contract/answer-meaning.ts'
import { isErrorBody } from '../contract/error-body.ts'
import { fold } from '../contract/gauge.ts'
import { monthSpan, type RequestKind } from '../contract/month.ts'
import { usedAtMost } from '../contract/month-count.ts'
import { guessPlan } from '../contract/plan.ts'
import { isStoreFailure } from '../contract/problem.ts'
import {
  attribute,
  kindsInReadMinute,
  type Observation,
  type RateReading,
  type RequestClass,
  readRateHeaders,
  readRateRecord,
} from '../contract/rate-limit.ts'
import { isRefusalCode } from '../contract/refusal.ts'
import { untilStored } from './after-answer.ts'
import { type Context, inBackground, serviceNowMs } from './context.ts'
import {
  changeOrganizationNote,
  changeTokenNote,
  type LimitOwner,
  laterPause,
  type OrganizationNote,
  readOrganizationNote,
  readTokenNote,
  type StoredPause,
  suspicionAt,
  UNPROVEN_MS,
} from './limit-note.ts'
import { countMonth } from './month.ts'
import { describe } from './problem.ts'
import type { ServiceAnswer } from './service-request.ts'

/** The request that was answered. */
export interface ObservedRequest {
  owner: LimitOwner
  requestClass: RequestClass
  kind: RequestKind
  /** Whether the access token had reached its end by our own clock. */
  tokenExpired: boolean
  /** Whether a success shows that the credential is the owner's. */
  proves: boolean
}

/** An answer that was understood. */
export interface ObservedAnswer {
  /** A suspicion of the month waits for its earliest end. */
  meaning: Meaning
  /** Stores what it reports; where the store fails, it is not stored. */
  store: () => Promise<void>
}

/**
 * Finds out what an answer means, and what is to be stored of it: its observations, and the pause that it asks for. A success
 * ends a pause and a suspicion of the month. Where the store cannot be read, the answer alone decides.
 */
export async function observe(
  context: Context,
  request: ObservedRequest,
  answer: ServiceAnswer,
): Promise<ObservedAnswer> {
  const { requestClass, kind } = request
  const { servedAtSeconds } = answer
  const reading = readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds)
  // Headers of the other class report nothing of this one.
  const ownReading = seen.class === requestClass ? reading : { notes: [] }
  const nowMs = serviceNowMs(context)
  const known = await knownState(context, request, answer, ownReading, nowMs)
  const meaning = withMonthEnd(answerMeaning({ kind, ...answer }, known), nowMs)
  const isRecord = kind === 'rate_limit' && meaning.code === 'success'
  const observations = isRecord ? [seen, ...observationsInBody(answer)] : [seen]
  const store = () => storeObserved(context, request, { meaning, observations, nowMs }).catch(logged(context))
  return { meaning, store }
}

/** What the meaning depends on beside the answer. Our own counts are read only where the answer is no plain success. */
async function knownState(
  context: Context,
  { owner, requestClass, tokenExpired }: ObservedRequest,
  { status, text }: ServiceAnswer,
  reading: RateReading,
  nowMs: number,
): Promise<KnownState> {
  const known = { serviceNowMs: nowMs, tokenExpired }
  if (isSuccess(status) && !isErrorBody(text)) return known
  const counted = await countedState(context, owner, nowMs).catch(logged(context))
  if (counted === undefined) return known
  const { pauses, limits, sent, used } = counted
  const plan = guessPlan(limits)
  return {
    ...known,
    month: { sent: used, limit: plan?.per_month },
    minute: {
      reading,
      sent,
      limit: limits[requestClass] ?? plan?.[PLAN_LIMIT[requestClass]],
      unknownBefore: pauses[requestClass]?.code === 'limit_unknown',
    },
  }
}

async function countedState(context: Context, { token, organization }: LimitOwner, nowMs: number) {
  const [{ pauses }, { limits }, sent, { own, readings }] = await Promise.all([
    readTokenNote(context, token),
    readOrganizationNote(context, organization),
    context.store.countSent(token, kindsInReadMinute(), nowMs - 60_000),
    countMonth(context, organization, nowMs),
  ])
  return { pauses, limits, sent, used: usedAtMost(own.sinceEarliest, readings[0]) }
}

/** The answer was paid for, so a store that fails does not withhold it. */
const logged = (context: Context) => (error: unknown) => {
  if (!isStoreFailure(error)) throw error
  context.log({ level: 'warn', event: 'problem', code: 'store_unavailable', cause: describe(error) })
}

const PLAN_LIMIT = { read: 'read_per_minute', update: 'update_per_minute' } as const

function withMonthEnd(meaning: Meaning, nowMs: number): Meaning {
  if (meaning.code !== 'month_suspected') return meaning
  return { ...meaning, retryInMs: monthSpan(nowMs).endMs.earliest - nowMs }
}

const pauseOf = ({ code, reasons, retryInMs = 0 }: Meaning, nowMs: number): StoredPause | undefined =>
  isRefusalCode(code) ? { code, reasons, untilMs: nowMs + retryInMs } : undefined

/** The record of `GET /rate_limit`, which names its classes (2.2); the body of a success is JSON. */
function observationsInBody({ text, servedAtSeconds }: ServiceAnswer): Observation[] {
  const record = Object.entries(readRateRecord(JSON.parse(text), servedAtSeconds))
  return record.map(([name, reading]) => ({
    ...reading,
    class: name as RequestClass,
    assumed: false,
    servedAtSeconds,
  }))
}

/** The limits of the organization in an answer. What refuses a credential may report those of no organization. */
function limitsShown({ code }: Meaning, isUnproven: boolean, observations: readonly Observation[]) {
  const isAccepted = code === 'success' || code === 'rate_limited' || code === 'limit_unknown'
  const shown = isUnproven || !isAccepted ? [] : observations
  return Object.fromEntries(
    shown.flatMap(({ class: name, limit }) => (limit === undefined ? [] : [[name, limit]])),
  )
}

/**
 * Stores all of it in one turn. What an unproven session reports is its own, and lapses with it; nothing is stored of a
 * credential that is refused before it was proven.
 */
async function storeObserved(
  context: Context,
  { owner, requestClass, proves }: ObservedRequest,
  { meaning, observations, nowMs }: { meaning: Meaning; observations: readonly Observation[]; nowMs: number },
): Promise<void> {
  const { code } = meaning
  const isProof = owner.claimed !== undefined && proves && code === 'success'
  const isUnproven = owner.claimed !== undefined && !isProof
  if (isUnproven && (code === 'credential_refused' || code === 'organization_refused')) return
  const pause = pauseOf(meaning, nowMs)
  const isOfMonth = code === 'month_suspected'
  const lifetimeMs = isUnproven ? UNPROVEN_MS : undefined
  await Promise.all([
    isProof && attributeRequests(context, owner),
    changeTokenNote(
      context,
      owner.token,
      ({ gauges, pauses: { [requestClass]: previous, ...others } }) => {
        const next = isOfMonth ? previous : laterPause(previous, pause)
        return {
          gauges: fold(gauges, observations),
          pauses: { ...others, ...(code !== 'success' && next && { [requestClass]: next }) },
        }
      },
      lifetimeMs,
    ),
    storeLimits(
      context,
      (isProof && owner.claimed) || owner.organization,
      limitsShown(meaning, isUnproven, observations),
      (before) => monthAfter(before, meaning, nowMs),
      lifetimeMs,
    ),
  ])
}

type MonthState = { [Name in 'monthPause' | 'suspicion']?: OrganizationNote[Name] | undefined }

/** What is known of the month after an answer. A suspicion has the time of its first refusal and the reasons of its newest. */
function monthAfter(
  { monthPause, suspicion }: OrganizationNote,
  meaning: Meaning,
  nowMs: number,
): MonthState {
  if (meaning.code === 'success') return {}
  if (meaning.code !== 'month_suspected') return { monthPause, suspicion }
  const { reasons } = meaning
  const sinceMs = suspicionAt(suspicion, nowMs)?.sinceMs ?? nowMs
  return {
    monthPause: laterPause(monthPause, pauseOf(meaning, nowMs)),
    suspicion: { reasons, sinceMs, untilMs: monthSpan(nowMs).allResetMs },
  }
}

/** What the session sent until now counts for the organization that it has claimed. */
const attributeRequests = (context: Context, { organization, claimed = organization }: LimitOwner) =>
  inBackground(
    context.memory,
    untilStored(context, () => context.store.attribute(organization, claimed, context.now())),
  )

async function storeLimits(
  context: Context,
  organization: string,
  seen: OrganizationNote['limits'],
  monthOf: (before: OrganizationNote) => MonthState,
  lifetimeMs: number | undefined,
): Promise<void> {
  const change = (before: OrganizationNote): OrganizationNote => {
    const { monthPause, suspicion } = monthOf(before)
    return {
      limits: { ...before.limits, ...seen },
      ...(monthPause && { monthPause }),
      ...(suspicion && { suspicion }),
    }
  }
  // Most answers change nothing here, and a read costs less than a write.
  const known = await readOrganizationNote(context, organization)
  if (JSON.stringify(change(known)) === JSON.stringify(known)) return
  await changeOrganizationNote(context, organization, change, lifetimeMs)
}
