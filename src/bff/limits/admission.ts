/** Admits a request in the step that records it, unless it is known to be over a limit (8.2, 8.3). */
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import { CLOCK_JUMP_MS, timeLeftMs } from '../../contract/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { type Window, waitFor, wasUsedUp, windowAt } from '../../contract/gauge.ts'
import { type OrganizationNote, pauseLeftMs, type StoredPause } from '../../contract/limit-notes.ts'
import { type MonthKnown, usedAtMost } from '../../contract/month-count.ts'
import { guessPlan, type Plan } from '../../contract/plan.ts'
import { Problem } from '../../contract/problem.ts'
import { kindsInReadMinute } from '../../contract/rate-limit.ts'
import type { Reason } from '../../contract/reason.ts'
import type { LedgerEntry } from '../../store/store.ts'
import { type BffConfig, type Context, serviceNowMs, type Within } from '../core/context.ts'
import { claim, parseClaim } from '../core/note.ts'
import type { LimitOwner } from '../session/limit-owner.ts'
import { countMonth } from './month.ts'
import { type LimitNotes, limitNoteNames, parseLimitNotes } from './note.ts'

export interface AdmissionRequest {
  owner: LimitOwner
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

/** Requests that any process has sent with each token, and that have no answer yet. No updates are sent. */
export function countInFlight(context: Within, tokens: readonly string[]): Promise<number[]> {
  const nowMs = serviceNowMs(context)
  const sinceMs = nowMs - IN_FLIGHT_MS
  // A clock that was ahead may have dated a request later.
  return context.store.countInFlight(tokens, kindsInReadMinute(), sinceMs, nowMs + CLOCK_JUMP_MS)
}

/** What an admission is decided on. */
interface State extends LimitNotes {
  month: MonthKnown
  inFlight: number
  /** When the newest request of the organization was recorded. An exchange of a code is none. */
  newestAtMs: number | undefined
  /** The session must wait this long for its next try in a used-up month. */
  nextTryInMs: number
}

const tryName = ({ session }: LimitOwner): string => `month try ${session}`

/**
 * Decides in the transaction that records the request, or the refresh that goes before it.
 * @param nowMs the service's time @param assumed tells which requests count, and when the month began
 * @returns `wait` while another request checks whether the minute was reset, since a reset time is a hint
 *   (2.2)
 * @throws Problem `rate_limited`, `limit_unknown` or `month_suspected`
 */
export async function admit(
  inside: Within,
  request: AdmissionRequest,
  nowMs: number,
  assumed: Assumptions = ASSUMED,
): Promise<'wait' | undefined> {
  const { owner } = request
  const state = await readState(inside, owner, nowMs, assumed)
  const obstacle = obstacleTo(inside, request, state, nowMs, assumed)
  if (obstacle !== undefined) assertMayTry(obstacle, request, state, nowMs)
  if (isResetTried(state, nowMs)) return 'wait'
  if (obstacle !== undefined) await claim(inside, tryName(owner), inside.now() + TRY_EVERY_MS, TRY_EVERY_MS)
  return undefined
}

async function readState(
  context: Within,
  owner: LimitOwner,
  nowMs: number,
  assumed: Assumptions,
): Promise<State> {
  const { store } = context
  const { organization } = owner
  const [stored, month, [inFlight = 0], newestAtMs] = await Promise.all([
    store.readNotes([...limitNoteNames(owner), tryName(owner)]),
    countMonth(context, organization, nowMs, assumed),
    countInFlight(context, [owner.token]),
    store.readNewestAtMs(organization, nowMs + CLOCK_JUMP_MS),
  ])
  const nextTryInMs = timeLeftMs(parseClaim(stored[2]) ?? 0, context.now(), TRY_EVERY_MS)
  return { ...parseLimitNotes(stored), month, inFlight, newestAtMs, nextTryInMs }
}

/** @throws Problem `rate_limited` or `limit_unknown` @returns why the month allows no request */
function obstacleTo(
  { config }: Pick<Context, 'config'>,
  { initiator, refresh }: AdmissionRequest,
  { token, organization, month, inFlight }: State,
  nowMs: number,
  assumed: Assumptions,
): Obstacle | undefined {
  assertNoPause(token.pauses.read, nowMs)
  assertSomeRemain(windowAt(token.gauges.read, nowMs), inFlight)
  const before = refresh === 'due' && assumed.counts_in_month['token.refresh'] !== 'no' ? 1 : 0
  return (
    whyMonthIsPaused(organization, nowMs) ??
    whyNoneIsLeft(config, initiator, guessPlan(organization.limits), month, before)
  )
}

/** @throws Problem `month_suspected` unless the press is a deliberate try */
function assertMayTry(
  obstacle: Obstacle,
  { initiator, refresh }: AdmissionRequest,
  { newestAtMs, nextTryInMs }: State,
  nowMs: number,
): void {
  const isEarlier = newestAtMs !== undefined && obstacle.isOver
  const sinceNewestMs = isEarlier ? Math.abs(nowMs - newestAtMs) : Infinity
  // A press was admitted together with the refresh that it has sent.
  const waitMs = refresh === 'sent' ? 0 : Math.max(0, AFTER_NEWEST_MS - sinceNewestMs, nextTryInMs)
  if (initiator === 'call' || waitMs > 0) throw monthIsOver(obstacle, waitMs)
}

function isResetTried({ token: { gauges, pauses }, inFlight }: State, nowMs: number): boolean {
  const isExpired = windowAt(gauges.read, nowMs).known === 'expired' && wasUsedUp(gauges.read)
  return inFlight > 0 && (pauses.read !== undefined || isExpired)
}

function assertNoPause(pause: StoredPause | undefined, nowMs: number): void {
  const retryInMs = pauseLeftMs(pause, nowMs)
  if (pause !== undefined && retryInMs > 0)
    throw new Problem(pause.code, { retryInMs, reasons: pause.reasons })
}

function assertSomeRemain(window: Window, inFlight: number): void {
  const waitMs = waitFor(window, inFlight)
  if (waitMs === undefined) return
  throw new Problem('rate_limited', { retryInMs: waitMs, reasons: [{ code: 'minute_used_up' }] })
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
  month: MonthKnown,
  before: 0 | 1,
): Obstacle | undefined {
  const limit = plan?.per_month
  if (limit === undefined) return undefined
  const { atMost, reason } = usedAtMost(month)
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

const monthIsOver = ({ reasons, isOver }: Obstacle, retryInMs: number): Problem =>
  new Problem('month_suspected', {
    retryInMs,
    reasons: [...reasons, { code: isOver ? 'one_try_a_minute' : 'one_request_a_minute' }],
  })
