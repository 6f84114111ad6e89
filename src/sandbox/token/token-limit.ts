/** Counts requests to the token endpoint, if chosen (8). */
import { SECOND_MS } from '../../contract/duration.ts'
import { grantIdOf } from './client-authentication.ts'
import { admit } from '../limits/meter.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, ownValue } from '../state/state.ts'
import { countOf, increment } from './minute-counter.ts'
import type { HandlerContext } from '../http/handler.ts'

/** For one application, if the endpoint has its own limit. */
export const OWN_LIMIT_PER_MINUTE = 10

type CountRequest = (c: HandlerContext, application: DeepReadonly<Application>, sent: URLSearchParams) => void

/** U31. The document counts per token (8.2), and this request has none yet. */
const COUNTERS: Record<Choices['toklimit'], CountRequest> = {
  not_counted: () => {},
  counts_as_update: (c, application, sent) => {
    const context = c.get('context')
    const grant = ownValue(context.state.grants, grantIdOf(context, application, sent) ?? '')
    const id = grant?.organization_id ?? application.organization_id
    const organization = context.state.organizations.find((known) => known.id === id)
    const { client_id } = application
    if (organization) admit(c, { credential: `application ${client_id}`, organization, client_id }, 'update')
  },
  own_limit: (c, { client_id }) => {
    const context = c.get('context')
    const requests = `requests ${client_id}`
    const { count, ends_at_ms } = countOf(context, requests)
    if (count >= OWN_LIMIT_PER_MINUTE)
      throw new Refusal('too_many_requests', {
        // RFC 6585 4 allows the header.
        headers: { 'Retry-After': String(Math.ceil((ends_at_ms - context.nowMs) / SECOND_MS)) },
      })
    increment(context, requests)
  },
}

/** @throws Refusal `too_many_requests`, or the API's `minute_over` or `month_over` */
export const countTokenRequest: CountRequest = (c, application, sent) =>
  COUNTERS[c.get('context').choices.toklimit](c, application, sent)
