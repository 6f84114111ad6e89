/** Reads our own counts and the stored limits, which the meaning of an answer depends on too (8.2, 8.3). */
import { isSuccess, type KnownState } from '../../contract/answer-meaning.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import { isErrorBody } from '../../contract/error-body.ts'
import { usedAtMost } from '../../contract/month-count.ts'
import { guessPlan } from '../../contract/plan.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import { kindsInReadMinute, type RateReading, type RequestClass } from '../../contract/rate-limit.ts'
import type { Context } from '../core/context.ts'
import { readOrganizationNote, readTokenNote } from './note.ts'
import type { LimitOwner } from '../session/limit-owner.ts'
import { countMonth } from './month.ts'
import { describe } from '../core/problem.ts'
import type { ServiceAnswer } from '../service/request.ts'

export interface AnsweredFor {
  owner: LimitOwner
  requestClass: RequestClass
  /** The access token was stale by our own clock. */
  tokenExpired: boolean
}

/** The instant at which an answer is judged, with the assumptions at that time. */
export interface Moment {
  /** The service's time, UNIX milliseconds. */
  nowMs: number
  assumed: Assumptions
}

/** The state that an answer's meaning depends on; our own counts only if it is no plain success. */
export async function knownState(
  context: Context,
  { owner, requestClass, tokenExpired }: AnsweredFor,
  { status, text }: ServiceAnswer,
  reading: RateReading,
  { nowMs, assumed }: Moment,
): Promise<KnownState> {
  const known = { serviceNowMs: nowMs, tokenExpired }
  if (isSuccess(status) && !isErrorBody(text)) return known
  const counted = await countedState(context, owner, { nowMs, assumed }).catch(logged(context))
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

async function countedState(
  context: Context,
  { token, organization }: LimitOwner,
  { nowMs, assumed }: Moment,
) {
  const [{ pauses }, { limits }, sent, { own, readings }] = await Promise.all([
    readTokenNote(context, token),
    readOrganizationNote(context, organization),
    context.store.countSent(token, kindsInReadMinute(), nowMs - MINUTE_MS),
    countMonth(context, organization, nowMs, assumed),
  ])
  return { pauses, limits, sent, used: usedAtMost(own.sinceEarliest, readings[0]) }
}

/** Logs a failure of the store and ignores it: the answer was paid for. */
export const logged = (context: Context) => (error: unknown) => {
  if (!isStoreFailure(error)) throw error
  context.log({ level: 'warn', event: 'problem', code: 'store_unavailable', cause: describe(error) })
}

const PLAN_LIMIT = { read: 'read_per_minute', update: 'update_per_minute' } as const
