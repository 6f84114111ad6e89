/** Observes every answer of the API: finds out what it means, and stores what it reports of the limits (8.2, 8.3, 8.4). */
import { answerMeaning, isSuccess, type KnownState, type Meaning } from '../contract/answer-meaning.ts'
import { isErrorBody } from '../contract/error-body.ts'
import { fold } from '../contract/gauge.ts'
import type { RequestKind } from '../contract/month.ts'
import { guessPlan } from '../contract/plan.ts'
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
import { type Context, serviceNowMs } from './context.ts'
import { readMonth } from './ledger.ts'
import {
  changeOrganizationNote,
  changeTokenNote,
  type LimitOwner,
  laterPause,
  type OrganizationNote,
  readOrganizationNote,
  readTokenNote,
  type StoredPause,
} from './limit-note.ts'
import type { ServiceAnswer } from './service-request.ts'

/** The request that was answered. */
export interface ObservedRequest {
  owner: LimitOwner
  requestClass: RequestClass
  kind: RequestKind
  /** Whether the access token had reached its end by our own clock. */
  tokenExpired: boolean
}

/**
 * Stores the observations of one answer, and the pause that it asks for. A success ends a pause and a suspicion of the month.
 * @returns what the answer means; a suspicion of the month waits for its earliest end
 */
export async function observe(
  context: Context,
  request: ObservedRequest,
  answer: ServiceAnswer,
): Promise<Meaning> {
  const { owner, requestClass, kind } = request
  const { servedAtSeconds } = answer
  const reading = readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds)
  // Headers of the other class report nothing of this one.
  const ownReading = seen.class === requestClass ? reading : { notes: [] }
  const known = await knownState(context, request, answer, ownReading)
  const meaning = await withMonthEnd(context, owner, answerMeaning({ kind, ...answer }, known))
  const pause = pauseOf(meaning, known.serviceNowMs)
  const isOfMonth = meaning.code === 'month_suspected'
  const isSuccessful = meaning.code === 'success'
  const pauseAfter = (before: StoredPause | undefined, isAskedFor: boolean) => {
    if (isSuccessful) return undefined
    return isAskedFor ? laterPause(before, pause) : before
  }
  const isRecord = kind === 'rate_limit' && isSuccessful
  const observations = isRecord ? [seen, ...observationsInBody(answer)] : [seen]

  await changeTokenNote(
    context,
    owner.token,
    ({ gauges, pauses: { [requestClass]: previous, ...others } }) => {
      const next = pauseAfter(previous, !isOfMonth)
      return {
        gauges: fold(gauges, observations),
        pauses: { ...others, ...(next && { [requestClass]: next }) },
      }
    },
  )
  await storeLimits(context, owner.organization, observations, (before) => pauseAfter(before, isOfMonth))
  return meaning
}

/** What the meaning depends on beside the answer. Our own counts are read only where the answer is no plain success. */
async function knownState(
  context: Context,
  { owner, requestClass, tokenExpired }: ObservedRequest,
  { status, text }: ServiceAnswer,
  reading: RateReading,
): Promise<KnownState> {
  const nowMs = serviceNowMs(context)
  const known = { serviceNowMs: nowMs, tokenExpired }
  if (isSuccess(status) && !isErrorBody(text)) return known
  const [{ pauses }, { limits }, sent, { high }] = await Promise.all([
    readTokenNote(context, owner.token),
    readOrganizationNote(context, owner.organization),
    context.store.countSent(owner.token, kindsInReadMinute(), nowMs - 60_000),
    readMonth(context, owner.organization),
  ])
  const plan = guessPlan(limits)
  return {
    ...known,
    month: { sent: high, limit: plan?.per_month },
    minute: {
      reading,
      sent,
      limit: limits[requestClass] ?? plan?.[PLAN_LIMIT[requestClass]],
      unknownBefore: pauses[requestClass]?.code === 'limit_unknown',
    },
  }
}

const PLAN_LIMIT = { read: 'read_per_minute', update: 'update_per_minute' } as const

async function withMonthEnd(context: Context, owner: LimitOwner, meaning: Meaning): Promise<Meaning> {
  if (meaning.code !== 'month_suspected') return meaning
  const { resetsInMs } = await readMonth(context, owner.organization)
  return { ...meaning, retryInMs: resetsInMs.earliest }
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

async function storeLimits(
  context: Context,
  organization: string,
  observations: readonly Observation[],
  monthPauseAfter: (before: StoredPause | undefined) => StoredPause | undefined,
): Promise<void> {
  const seen = Object.fromEntries(
    observations.flatMap(({ class: name, limit }) => (limit === undefined ? [] : [[name, limit]])),
  )
  const change = (before: OrganizationNote): OrganizationNote => {
    const monthPause = monthPauseAfter(before.monthPause)
    return { limits: { ...before.limits, ...seen }, ...(monthPause && { monthPause }) }
  }
  // Most answers change nothing here, and a read costs less than a write.
  const known = await readOrganizationNote(context, organization)
  if (JSON.stringify(change(known)) === JSON.stringify(known)) return
  await changeOrganizationNote(context, organization, change)
}
