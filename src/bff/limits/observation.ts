/** Observes every answer of the API: finds out what it means, and stores what it reports of the limits (8.2, 8.3, 8.4). */
import { answerMeaning, type Meaning } from '../../contract/answer-meaning.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { isFromCache } from '../../contract/clock.ts'
import { fold } from '../../contract/gauge.ts'
import { monthSpan, type RequestKind } from '../../contract/month.ts'
import {
  attribute,
  type Observation,
  observeRecord,
  readRateHeaders,
  readRateRecord,
} from '../../contract/rate-limit.ts'
import { isRefusalCode } from '../../contract/refusal.ts'
import { untilStored } from '../core/deferred-writes.ts'
import { type AnsweredFor, knownState, logged, type Moment } from './known-state.ts'
import { type Context, inBackground, serviceNowMs } from '../core/context.ts'
import { learnFromRateRecord } from '../evidence/learning.ts'
import {
  changeOrganizationNote,
  changeTokenNote,
  laterPause,
  type OrganizationNote,
  readOrganizationNote,
  type StoredPause,
  suspicionAt,
} from './note.ts'
import { type LimitOwner, UNPROVEN_MS } from '../session/limit-owner.ts'
import { learnFromMonth } from './month-refusal.ts'
import { markOthers } from './others.ts'
import type { ServiceAnswer } from '../service/request.ts'

/** The request that was answered. */
export interface ObservedRequest extends AnsweredFor {
  kind: RequestKind
  /** Whether a success shows that the credential is the owner's. */
  proves: boolean
  /** What was known of the service when it was sent. */
  assumed: Assumptions
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
  const { requestClass, kind, assumed } = request
  const { servedAtSeconds } = answer
  // What a cache remembers is of an earlier time (RFC 9111 5.1).
  const isCached = isFromCache(answer.headers)
  const reading = isCached ? { notes: [] } : readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds, assumed)
  // Headers of the other class report nothing of this one.
  const ownReading = seen.class === requestClass ? reading : { notes: [] }
  const at = { nowMs: serviceNowMs(context), assumed }
  const known = await knownState(context, request, answer, ownReading, at)
  const meaning = withMonthEnd(answerMeaning({ kind, ...answer }, known, assumed), at)
  const isRecord = kind === 'rate_limit' && meaning.code === 'success' && !isCached
  const record: unknown = isRecord ? JSON.parse(answer.text) : undefined
  const observations = isCached ? [] : [seen, ...observeRecord(record, servedAtSeconds)]
  const store = async () => {
    const marked = await markOthers(context, request.owner, observations)
    await storeObserved(context, request, { meaning, observations: marked, at })
    const organization = provenOrganization(request, meaning)
    if (organization === undefined) return
    await learnFromRateRecord(context, reading, readRateRecord(record, servedAtSeconds))
    await learnFromMonth(context, organization, { code: meaning.code, status: answer.status }, at.nowMs)
  }
  return { meaning, store: () => store().catch(logged(context)) }
}

/** Whose month the request counts in, where that is proven by then. */
function provenOrganization({ owner, proves }: ObservedRequest, { code }: Meaning): string | undefined {
  if (owner.claimed === undefined) return owner.organization
  return proves && code === 'success' ? owner.claimed : undefined
}

function withMonthEnd(meaning: Meaning, { nowMs, assumed }: Moment): Meaning {
  if (meaning.code !== 'month_suspected') return meaning
  return { ...meaning, retryInMs: monthSpan(nowMs, assumed).endMs.earliest - nowMs }
}

const pauseOf = ({ code, reasons, retryInMs = 0 }: Meaning, nowMs: number): StoredPause | undefined =>
  isRefusalCode(code) ? { code, reasons, untilMs: nowMs + retryInMs } : undefined

/** The limits of the organization in an answer. What refuses a credential may report those of no organization. */
function limitsShown({ code }: Meaning, isUnproven: boolean, observations: readonly Observation[]) {
  const isAccepted = code === 'success' || code === 'rate_limited' || code === 'limit_unknown'
  const shown = isUnproven || !isAccepted ? [] : observations
  return Object.fromEntries(
    shown.flatMap(({ class: name, limit }) => (limit === undefined ? [] : [[name, limit]])),
  )
}

/**
 * Stores all of it in one iteration of the event loop. What an unproven session reports is its own, and lapses with it; nothing
 * is stored of a credential that is refused before it was proven.
 */
async function storeObserved(
  context: Context,
  request: ObservedRequest,
  { meaning, observations, at }: { meaning: Meaning; observations: readonly Observation[]; at: Moment },
): Promise<void> {
  const { owner, requestClass } = request
  const { code } = meaning
  const proven = provenOrganization(request, meaning)
  const isProof = owner.claimed !== undefined && proven !== undefined
  const isUnproven = proven === undefined
  if (isUnproven && (code === 'credential_refused' || code === 'organization_refused')) return
  const pause = pauseOf(meaning, at.nowMs)
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
      proven ?? owner.organization,
      limitsShown(meaning, isUnproven, observations),
      (before) => monthAfter(before, meaning, at),
      lifetimeMs,
    ),
  ])
}

type MonthState = { [Name in 'monthPause' | 'suspicion']?: OrganizationNote[Name] | undefined }

/** What is known of the month after an answer. A suspicion has the time of its first refusal and the reasons of its newest. */
function monthAfter(
  { monthPause, suspicion }: OrganizationNote,
  meaning: Meaning,
  { nowMs, assumed }: Moment,
): MonthState {
  if (meaning.code === 'success') return {}
  if (meaning.code !== 'month_suspected') return { monthPause, suspicion }
  const { reasons } = meaning
  const sinceMs = suspicionAt(suspicion, nowMs)?.sinceMs ?? nowMs
  return {
    monthPause: laterPause(monthPause, pauseOf(meaning, nowMs)),
    suspicion: { reasons, sinceMs, untilMs: monthSpan(nowMs, assumed).allResetMs },
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
