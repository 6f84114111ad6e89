/** Measurements for metrics and the log of requests: no person's name, and no text that somebody wrote. */
import type { RequestKind } from '../../contract/month.ts'
import type { PlanName } from '../../contract/plan.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'

export type Measurement =
  /** The bff answered a request of a browser. It answers a stream when the stream opens. */
  | {
      what: 'request'
      method: string
      /** The pattern of the route, such as `/api/organizations/:id`. */
      route: string
      status: number
      tookMs: number
      requestId: string
    }
  /** A request to the service ended, with a status or the reason why there is no answer. */
  | { what: 'upstream'; kind: RequestKind; result: number | NoAnswerCode; tookMs: number }
  | { what: 'refresh'; outcome: RefreshOutcome }
  | { what: 'session'; change: 'opened' | 'ended' }
  /** The share of the monthly limit that is left by the least favourable count, 0 to 1. */
  | { what: 'month'; plan: PlanName; leftShare: number }

/** The problem that a person sees if the service gave no answer. */
export type NoAnswerCode = 'upstream_timeout' | 'unexpected_reply' | 'upstream_down'

/**
 * `renewed`: new tokens. `replaced`: another process got them first. `withdrawn`: grant and session have
 * ended. `rejected`: the service does not accept this application. `failed`: the refresh is tried again
 * later.
 */
export type RefreshOutcome = 'renewed' | 'replaced' | 'withdrawn' | 'rejected' | 'failed'

/** The methods of RFC 9110 that a browser sends. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Every other method is `other`, so that no client can invent labels of a metric. */
export const methodLabel = (method: string): string => (METHODS.includes(method) ? method : 'other')

/** `undefined` if the plan is not known or has no limit. */
export function measureMonth({ month }: Pick<QuotaSnapshot, 'month'>): Measurement | undefined {
  const { plan, limit, high, organization } = month
  if (plan === undefined || limit === undefined) return undefined
  const used = organization?.high ?? high
  return { what: 'month', plan, leftShare: Math.min(1, Math.max(0, (limit - used) / limit)) }
}
