/** Decides, in one step with the record of a request, whether it may be sent: what is known to be over a limit is not (8.2, 8.3). */
import { type Gauge, type Window, waitFor, wasUsedUp, windowAt } from '../contract/gauge.ts'
import { countRequests, monthsAt, type RequestKind, spanOf } from '../contract/month.ts'
import { guessPlan } from '../contract/plan.ts'
import { Problem } from '../contract/problem.ts'
import { kindsInReadMinute, type RequestClass } from '../contract/rate-limit.ts'
import type { Admission, AdmissionState } from '../store/store.ts'
import { type Context, serviceNowMs } from './context.ts'
import {
  type LimitOwner,
  limitNoteNames,
  type OrganizationNote,
  parseLimitNotes,
  pauseLeftMs,
  type StoredPause,
} from './limit-note.ts'

/** A request that is to be admitted. */
export interface AdmissionRequest {
  owner: LimitOwner
  requestClass: RequestClass
  /** Whether a person asked for this very request; a used-up month stops all others. */
  requestedByPerson: boolean
}

/** The longest a request without an answer is believed to be under way: the length of a window (8.2). */
const MINUTE_MS = 60_000
/** While the month seems to be used up, a session tries once in this time. */
const TRY_EVERY_MS = 60_000
/** A press this soon after a request of the organization was made while some seemed to be left. */
const AFTER_NEWEST_MS = 5000
const POLL_MS = 50
const POLLS = 300

/** A reset time is a hint (2.2): one request finds out, and all others wait for its answer and look again. */
const PROBE_RUNNING = new Problem('rate_limited', {
  retryInMs: 1000,
  reasons: ['Another request is finding out whether the minute has been reset.'],
})

const kindsOf = (requestClass: RequestClass): RequestKind[] =>
  requestClass === 'read' ? kindsInReadMinute() : ['api.update']

/** Requests of one class and token that were sent and not answered, by any process. */
export const countInFlight = (context: Context, token: string, requestClass: RequestClass): Promise<number> =>
  context.store.countInFlight(token, kindsOf(requestClass), serviceNowMs(context) - MINUTE_MS)

/**
 * What the store has to read and decide before it records a request. It refuses with Problem `rate_limited`, `limit_unknown`
 * or `month_suspected`.
 * @param nowMs the service's time
 */
export function admissionOf(
  context: Context,
  { owner, requestClass, requestedByPerson }: AdmissionRequest,
  nowMs: number,
): Admission {
  return {
    notes: limitNoteNames(owner),
    countedSinceMs: monthsAt(nowMs).map(({ startMs }) => startMs),
    inFlight: { token: owner.token, kinds: kindsOf(requestClass), sinceMs: nowMs - MINUTE_MS },
    claim: `month try ${owner.session}`,
    decide(state) {
      const { gauges, pauses, ...organization } = parseLimitNotes(state.notes)
      const [pause, gauge] = [pauses[requestClass], gauges[requestClass]]
      assertNoPause(pause, nowMs)
      const window = windowAt(gauge, nowMs)
      assertSomeRemain(window, state.inFlight)
      const reason = whyMonthIsOver(organization, state.counts, nowMs)
      if (reason !== undefined) {
        const waitMs = waitForTry(state, nowMs, context.now())
        if (!requestedByPerson || waitMs > 0) throw monthIsOver(reason, waitMs)
      }
      if (state.inFlight > 0 && isResetDoubtful(pause, window, gauge)) throw PROBE_RUNNING
      return reason === undefined ? undefined : context.now() + TRY_EVERY_MS
    },
  }
}

/** Looks whether a request would be admitted now, without a record. @throws Problem as {@link admissionOf} */
export async function assertAdmitted(context: Context, request: AdmissionRequest): Promise<void> {
  const { decide, ...asked } = admissionOf(context, request, serviceNowMs(context))
  const state = await context.store.readAdmissionState(request.owner.organization, asked)
  try {
    decide(state)
  } catch (error) {
    if (error !== PROBE_RUNNING) throw error
  }
}

/** Sends as soon as no other request is finding out whether the minute has been reset; for 15 s, then it is refused. */
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
    reasons: ['No requests of this minute are left.'],
  })
}

/** Why the month seems to be used up, by an answer or by our own count with what may count in it; `undefined` if it does not. */
function whyMonthIsOver(
  { limits, monthPause }: OrganizationNote,
  counts: AdmissionState['counts'],
  nowMs: number,
): readonly string[] | undefined {
  if (pauseLeftMs(monthPause, nowMs) > 0) return monthPause?.reasons
  const { high } = spanOf(counts.map((kinds) => countRequests(kinds)))
  const limit = guessPlan(limits)?.per_month ?? Infinity
  return high < limit ? undefined : [`Of the ${limit} requests of the month ${high} may have been sent.`]
}

/** Milliseconds until a press of this session is one deliberate try: 0 where it is. */
function waitForTry({ newestAtMs, claimedUntilMs }: AdmissionState, nowMs: number, ourNowMs: number): number {
  const sinceNewestMs = newestAtMs === undefined ? Infinity : Math.abs(nowMs - newestAtMs)
  return Math.max(0, AFTER_NEWEST_MS - sinceNewestMs, (claimedUntilMs ?? 0) - ourNowMs)
}

const monthIsOver = (reasons: readonly string[], retryInMs: number): Problem =>
  new Problem('month_suspected', {
    retryInMs,
    reasons: [
      ...reasons,
      'While that is so, one try a minute is sent, and none within 5 seconds of another request.',
    ],
  })

const isResetDoubtful = (pause: StoredPause | undefined, { known }: Window, gauge: Gauge | undefined) =>
  pause !== undefined || (known === 'expired' && wasUsedUp(gauge))
