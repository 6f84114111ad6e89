/** What every API request goes through: it is recognised and counted, and its answer says how the minute stands (8). */
import type { MiddlewareHandler } from 'hono'
import { RATE_LIMIT_PATH, requestClass } from '../contract/rate-limit.ts'
import { recognise } from './credential.ts'
import { assertMonth, countMonth } from './month.tsx'
import { Refusal } from './problem.tsx'
import { assertMinute, countMinute, windowOf, writeRateHeaders } from './rate-limit.ts'
import type { Env } from './world.ts'

/**
 * Counts every request that has a valid credential and a classed method, whatever the answer, unless it is refused here.
 * @throws Refusal `too_many_requests`
 */
export const meter: MiddlewareHandler<Env> = async (c, next) => {
  const world = c.get('world')
  const counted = requestClass(c.req.method)
  const holder = recognise(world, c.req.raw.headers)
  if (holder) c.set('holder', holder)
  if (holder && counted && (world.choices.rate_limit_read_counts || c.req.path !== RATE_LIMIT_PATH)) {
    const count = () => {
      countMinute(world, holder, counted)
      countMonth(world, holder.organization)
    }
    try {
      assertMinute(world, holder, counted)
      assertMonth(world, holder.organization)
    } catch (refusal) {
      if (world.choices.refused_requests_count) count()
      throw refusal
    }
    count()
  }
  await next()
}

/** Writes the three headers on every API answer, refusals included; they describe the class of the request (8.4.2, 8.4.4). */
export const rateHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const described = requestClass(c.req.method) ?? 'read'
  writeRateHeaders(c.res.headers, windowOf(c.get('world'), c.get('holder'), described))
}

/** Lets only these methods through; HEAD too has to be named. */
export const only =
  (...methods: string[]): MiddlewareHandler<Env> =>
  async (c, next) => {
    // RFC 9110 15.5.6: the answer names what the address takes.
    if (!methods.includes(c.req.method))
      throw new Refusal('method_not_allowed', { headers: { Allow: methods.join(', ') } })
    await next()
  }
