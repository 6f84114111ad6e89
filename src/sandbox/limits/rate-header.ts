/** Which answers have the three headers, and which window these describe (8.4). */
import type { MiddlewareHandler } from 'hono'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { classOf } from './counting.ts'
import { monthOf } from './month.tsx'
import type { Profile } from '../choices/choices.ts'
import { type ReportedWindow, windowOf, writeRateHeaders } from './rate-limit.ts'
import type { Env, Visit } from '../state/context.ts'

/** Which answers of the API have them (U54). */
const HAS: Record<Profile['hdrscope'], (c: Visit) => boolean> = {
  all: () => true,
  authenticated: (c) => c.get('holder') !== undefined,
  only_2xx: (c) => c.res.ok,
  not_on_429: (c) => c.res.status !== 429,
  also_token: () => true,
}

/** Of both windows, the one that they describe (U53). */
const DESCRIBES: Record<
  Profile['hdrclass'],
  (both: Record<RequestClass, ReportedWindow>) => RequestClass | undefined
> = {
  of_request: () => undefined,
  read: () => 'read',
  update: () => 'update',
  fewer_remaining: ({ read, update }) => (update.remaining < read.remaining ? 'update' : 'read'),
}

/** On a refusal because of the month, where they are not about the minute all the same; `undefined`: none (U67). */
const OVER_THE_MONTH: Record<
  Profile['monthlyhdr'],
  (minute: ReportedWindow, monthEndSeconds: number) => ReportedWindow | undefined
> = {
  minute_values: (minute) => minute,
  zero_until_month: ({ limit }, reset) => ({ limit, remaining: 0, reset }),
  absent: () => undefined,
}

/** Writes the three headers on every API answer, refusals included (8.4.2). */
export const rateHeaders: MiddlewareHandler<Env> = async (c, next) => {
  c.set('api', true)
  await next()
  const window = HAS[c.get('world').profile.hdrscope](c) ? described(c) : undefined
  if (window) writeRateHeaders(c.res.headers, c.get('world'), window)
}

/** The same on the answers of the token endpoint, where these are API answers too (U54). No token is presented there. */
export const tokenRateHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const world = c.get('world')
  if (world.profile.hdrscope === 'also_token')
    writeRateHeaders(c.res.headers, world, windowOf(world, undefined, 'read'))
}

function described(c: Visit): ReportedWindow | undefined {
  const [world, holder, counted] = [c.get('world'), c.get('holder'), c.get('cost')?.minute]
  const both = {
    read: windowOf(world, holder, 'read', counted),
    update: windowOf(world, holder, 'update', counted),
  }
  const requestClass =
    DESCRIBES[world.profile.hdrclass](both) ?? classOf(world.profile, c.req.method) ?? 'read'
  const minute = both[requestClass]
  if (holder === undefined || c.get('rule') !== 'month_over') return minute
  const { ends_at_ms } = monthOf(world, holder.organization)
  return OVER_THE_MONTH[world.profile.monthlyhdr](minute, ends_at_ms / 1000)
}
