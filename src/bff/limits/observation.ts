/** Finds the meaning of every answer of the API, and stores the limits that it reports (8.2, 8.3, 8.4). */
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
import { noteMonth } from './month-note.ts'
import { learnFromMonth } from './month-refusal.ts'
import { markOthers } from './others.ts'
import type { ServiceAnswer } from '../service/request.ts'

export interface ObservedRequest extends AnsweredFor {
  kind: RequestKind
  /** A success proves that the credential belongs to the owner. */
  proves: boolean
  /** The assumptions when the request was sent. */
  assumed: Assumptions
}

export interface ObservedAnswer {
  /** The wait after a suspicion of the month lasts until the month's earliest end. */
  meaning: Meaning
  /** Logs a failure of the store and does not throw. */
  store: () => Promise<void>
}

/**
 * Finds the meaning of an answer, and what to store: its observations, and the pause that it asks for. A
 * success ends a pause and a suspicion. If the store fails, the meaning depends on the answer alone.
 */
export async function observe(
  context: Context,
  request: ObservedRequest,
  answer: ServiceAnswer,
): Promise<ObservedAnswer> {
  const { requestClass, kind, assumed } = request
  const { servedAtSeconds } = answer
  // An answer from a cache reports an earlier time (RFC 9111 5.1).
  const isCached = isFromCache(answer.headers)
  const reading = isCached ? { notes: [] } : readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds, assumed)
  // Headers that describe the other class say nothing about this one.
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
    await Promise.all([
      learnFromMonth(context, organization, { code: meaning.code, status: answer.status }, at.nowMs),
      noteMonth(context, organization, meaning.code, at),
    ])
  }
  return { meaning, store: () => store().catch(logged(context)) }
}

/** The organization in whose month the request counts; `undefined` if that is not proven yet. */
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

/** The limits in an answer. An answer that refuses the credential may report those of something else. */
function limitsShown({ code }: Meaning, isUnproven: boolean, observations: readonly Observation[]) {
  const isAccepted = code === 'success' || code === 'rate_limited' || code === 'limit_unknown'
  const shown = isUnproven || !isAccepted ? [] : observations
  return Object.fromEntries(
    shown.flatMap(({ class: name, limit }) => (limit === undefined ? [] : [[name, limit]])),
  )
}

/**
 * Starts all writes in one iteration of the event loop. The report of an unproven session belongs to that
 * session, and lapses with it. A credential that is refused before it was proven leaves nothing.
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

/** A suspicion keeps the time of its first refusal and the reasons of its newest. */
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

/** Counts the session's earlier requests for the organization that it claimed. */
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
  // Most answers change nothing, and a read is cheaper.
  const known = await readOrganizationNote(context, organization)
  if (JSON.stringify(change(known)) === JSON.stringify(known)) return
  await changeOrganizationNote(context, organization, change, lifetimeMs)
}
