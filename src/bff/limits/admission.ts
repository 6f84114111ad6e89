/** Admits a request in the step that records it, unless it is known to be over a limit (8.2, 8.3). */
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { type Gauge, type Window, waitFor, wasUsedUp, windowAt } from '../../contract/gauge.ts'
import { monthSpan, type RequestKind } from '../../contract/month.ts'
import { guessPlan, type Plan } from '../../contract/plan.ts'
import { Problem } from '../../contract/problem.ts'
import { kindsInReadMinute, type RequestClass } from '../../contract/rate-limit.ts'
import type { Reason } from '../../contract/reason.ts'
import type { Admission, AdmissionState, LedgerEntry } from '../../store/store.ts'
import { partsSince } from '../../contract/clock-correction.ts'
import { correctionsOf } from '../core/clock.ts'
import { type BffConfig, type Context, serviceNowMs } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import {
  limitNoteNames,
  type OrganizationNote,
  parseLimitNotes,
  pauseLeftMs,
  type StoredPause,
} from './note.ts'
import { type Used, usedBy } from './used.ts'
import type { LimitOwner } from '../session/limit-owner.ts'

export interface AdmissionRequest {
  owner: LimitOwner
  requestClass: RequestClass
  /** The last requests of a month are reserved: some for presses, some for sign-ins. */
  initiator: LedgerEntry['initiator']
  /** The press needs a refresh of the token first, or has sent it and was admitted together with it. */
  refresh?: 'due' | 'sent'
}

/** A request without an answer is in flight for this long: a window (8.2). */
const IN_FLIGHT_MS = MINUTE_MS
/** While the month seems used up, a session may send one request in this time. */
const TRY_EVERY_MS = MINUTE_MS
/** A press this soon after a request of the organization was made while requests still seemed to be left. */
const AFTER_NEWEST_MS = 5 * SECOND_MS
const POLL_MS = 50
const POLLS = 300

/** A reset time is a hint (2.2): one request checks it, and all others wait for its answer. */
const PROBE_RUNNING = new Problem('rate_limited', {
  retryInMs: SECOND_MS,
  reasons: [{ code: 'reset_is_tried' }],
})

const kindsOf = (requestClass: RequestClass): RequestKind[] =>
  requestClass === 'read' ? kindsInReadMinute() : ['api.update']

/** Requests of one class that any process has sent with the token and that have no answer yet. */
export const countInFlight = (context: Context, token: string, requestClass: RequestClass): Promise<number> =>
  context.store.countInFlight(token, kindsOf(requestClass), serviceNowMs(context) - IN_FLIGHT_MS)

/** As {@link countInFlight}, in the order of the tokens. */
export const countEachInFlight = (
  context: Context,
  tokens: readonly string[],
  requestClass: RequestClass,
): Promise<number[]> =>
  context.store.countEachInFlight(tokens, kindsOf(requestClass), serviceNowMs(context) - IN_FLIGHT_MS)

/**
 * The values that the store must read before it records a request, and its decision. The decision refuses
 * with Problem `rate_limited`, `limit_unknown` or `month_suspected`.
 * @param nowMs the service's time
 * @param assumed tells which requests count, and when the month began
 */
export function admissionOf(
  context: Context,
  { owner, requestClass, initiator, refresh }: AdmissionRequest,
  nowMs: number,
  assumed: Assumptions = ASSUMED,
): Admission {
  const startMs = monthSpan(nowMs, assumed).startMs.earliest
  const corrections = correctionsOf(context.memory)
  return {
    notes: limitNoteNames(owner),
    // If the month started later, fewer requests count.
    countedSinceMs: partsSince(startMs, corrections).map(({ sinceMs }) => sinceMs),
    inFlight: { token: owner.token, kinds: kindsOf(requestClass), sinceMs: nowMs - IN_FLIGHT_MS },
    claim: `month try ${owner.session}`,
    decide(state) {
      const { gauges, pauses, ...organization } = parseLimitNotes(state.notes)
      const [pause, gauge] = [pauses[requestClass], gauges[requestClass]]
      assertNoPause(pause, nowMs)
      const window = windowAt(gauge, nowMs)
      assertSomeRemain(window, state.inFlight)
      const obstacle =
        whyMonthIsPaused(organization, nowMs) ??
        whyNoneIsLeft(
          context.config,
          initiator,
          guessPlan(organization.limits),
          usedBy(state, { startMs, nowMs, assumed, corrections }),
          refresh === 'due' && assumed.counts_in_month['token.refresh'] !== 'no' ? 1 : 0,
        )
      if (obstacle !== undefined) {
        // The newest request is the press's own refresh.
        const known = refresh === 'sent' ? { ...state, newestAtMs: undefined } : state
        const waitMs = waitForTry(obstacle, known, nowMs, context.now())
        if (initiator === 'call' || waitMs > 0) throw monthIsOver(obstacle, waitMs)
      }
      if (state.inFlight > 0 && isResetDoubtful(pause, window, gauge)) throw PROBE_RUNNING
      return obstacle === undefined ? undefined : context.now() + TRY_EVERY_MS
    },
  }
}

/** Does not record the request. @throws Problem as {@link admissionOf} */
export async function assertAdmitted(context: Context, request: AdmissionRequest): Promise<void> {
  const assumed = await readAssumptions(context)
  const { decide, ...asked } = admissionOf(context, request, serviceNowMs(context), assumed)
  const state = await context.store.readAdmissionState(request.owner.organization, asked)
  try {
    decide(state)
  } catch (error) {
    if (error !== PROBE_RUNNING) throw error
  }
}

/** Waits until another request has checked whether the minute was reset, then sends. Gives up after 15 s. */
export async function afterProbe<T>(context: Context, send: () => Promise<T>): Promise<T> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    try {
      return await send()
    } catch (error) {
      if (error !== PROBE_RUNNING) throw error
    }
    await context.wait(POLL_MS)
  }
  return send()
}

function assertNoPause(pause: StoredPause | undefined, nowMs: number): void {
  const retryInMs = pauseLeftMs(pause, nowMs)
  if (pause !== undefined && retryInMs > 0)
    throw new Problem(pause.code, { retryInMs, reasons: pause.reasons })
}

function assertSomeRemain(window: Window, inFlight: number): void {
  const waitMs = waitFor(window, inFlight)
  if (waitMs === undefined) return
  throw new Problem('rate_limited', {
    retryInMs: waitMs,
    reasons: [{ code: 'minute_used_up' }],
  })
}

interface Obstacle {
  reasons: readonly Reason[]
  /** No request seems to be left. Otherwise some are left, and are reserved. */
  isOver: boolean
}

const whyMonthIsPaused = ({ monthPause }: OrganizationNote, nowMs: number): Obstacle | undefined =>
  monthPause !== undefined && pauseLeftMs(monthPause, nowMs) > 0
    ? { reasons: monthPause.reasons, isOver: true }
    : undefined

/**
 * The reasons why no request is left for this initiator; `undefined` if one is, or if there is no limit.
 * @param before requests that may count and are sent first
 */
function whyNoneIsLeft(
  { reservePerson, reserveSignIn }: BffConfig,
  initiator: AdmissionRequest['initiator'],
  plan: Plan | undefined,
  { atMost, reason }: Used,
  before: 0 | 1,
): Obstacle | undefined {
  const limit = plan?.per_month
  if (limit === undefined) return undefined
  const used = { ...reason, limit }
  if (atMost >= limit) return { reasons: [used], isOver: true }
  const left = limit - atMost - before
  if (left === 0 && reserveSignIn === 0) return { reasons: [used], isOver: false }
  if (initiator !== 'sign_in' && left <= reserveSignIn)
    return { reasons: [used, { code: 'reserved_for_sign_in', count: reserveSignIn }], isOver: false }
  if (initiator === 'call' && left <= reservePerson)
    return { reasons: [used, { code: 'reserved_for_person', count: reservePerson }], isOver: false }
  return undefined
}

/** Milliseconds until a press of this session is a deliberate try; 0 if it already is. */
function waitForTry(
  { isOver }: Obstacle,
  { newestAtMs, claimedUntilMs }: AdmissionState,
  nowMs: number,
  ourNowMs: number,
): number {
  const sinceNewestMs = newestAtMs === undefined || !isOver ? Infinity : Math.abs(nowMs - newestAtMs)
  return Math.max(0, AFTER_NEWEST_MS - sinceNewestMs, (claimedUntilMs ?? 0) - ourNowMs)
}

const monthIsOver = ({ reasons, isOver }: Obstacle, retryInMs: number): Problem =>
  new Problem('month_suspected', {
    retryInMs,
    reasons: [...reasons, { code: isOver ? 'one_try_a_minute' : 'one_request_a_minute' }],
  })

const isResetDoubtful = (pause: StoredPause | undefined, { known }: Window, gauge: Gauge | undefined) =>
  pause !== undefined || (known === 'expired' && wasUsedUp(gauge))
