/** What the bff reports of its work for metrics and for the log of requests: never whose it was, and no text that a person or the service wrote. */
import type { RequestKind } from '../../contract/month.ts'
import type { PlanName } from '../../contract/plan.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'

export type Measurement =
  /** A request of a browser was answered. A stream is answered when it opens. */
  | {
      what: 'request'
      method: string
      /** The pattern of the route, as `/api/organizations/:id`. */
      route: string
      status: number
      tookMs: number
      requestId: string
    }
  /** A request to the service has ended: with a status, or with the code of what came in place of an answer. */
  | { what: 'upstream'; kind: RequestKind; result: number | NoAnswerCode; tookMs: number }
  | { what: 'refresh'; outcome: RefreshOutcome }
  | { what: 'session'; change: 'opened' | 'ended' }
  /** What is left of an organization's month by the least favourable count, as a share of its plan's limit, 0 to 1. */
  | { what: 'month'; plan: PlanName; leftShare: number }

/** What a person is shown where the service gave no answer. */
export type NoAnswerCode = 'upstream_timeout' | 'unexpected_reply' | 'upstream_down'

/**
 * `renewed`: there are new tokens. `replaced`: another process had got them. `withdrawn`: the grant has ended, and so has the
 * session. `rejected`: the service does not accept this application. `failed`: it is tried again later.
 */
export type RefreshOutcome = 'renewed' | 'replaced' | 'withdrawn' | 'rejected' | 'failed'

/** The methods of RFC 9110 that a browser sends; all others are one. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A method that a label may have: no client can invent one. */
export const methodLabel = (method: string): string => (METHODS.includes(method) ? method : 'other')

/** What a snapshot states of the month; `undefined` where the plan is not known or has no limit. */
export function measureMonth({ month }: Pick<QuotaSnapshot, 'month'>): Measurement | undefined {
  const { plan, limit, high, organization } = month
  if (plan === undefined || limit === undefined) return undefined
  const used = organization?.high ?? high
  return { what: 'month', plan, leftShare: Math.min(1, Math.max(0, (limit - used) / limit)) }
}
