/** Writes the three headers: on which answers, and of which window (8.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Handler, HandlerContext } from '../http/handler.ts'
import type { ReportedWindow } from '../state/context.ts'
import { classOf } from './meter.ts'
import { monthOf } from './month.ts'
import { windowOf, windowsOf, writeRateHeaders } from './rate-limit.ts'

/** U54. */
const HAS_HEADERS: Record<Choices['hdrscope'], (c: HandlerContext) => boolean> = {
  all: () => true,
  authenticated: (c) => c.get('holder') !== undefined,
  only_2xx: (c) => c.res.ok,
  not_on_429: (c) => c.res.status !== 429,
  also_token: () => true,
}

/** U53; `undefined`: the class of the request. */
const DESCRIBED_CLASS: Record<
  Choices['hdrclass'],
  (both: Record<RequestClass, ReportedWindow>) => RequestClass | undefined
> = {
  of_request: () => undefined,
  read: () => 'read',
  update: () => 'update',
  fewer_remaining: ({ read, update }) => (update.remaining < read.remaining ? 'update' : 'read'),
}

/** U67: the window in the headers of a refusal over the month; `undefined`: no headers. */
const OVER_THE_MONTH: Record<
  Choices['monthlyhdr'],
  (minute: ReportedWindow, monthEndSeconds: number) => ReportedWindow | undefined
> = {
  minute_values: (minute) => minute,
  zero_until_month: ({ limit }, reset) => ({ limit, remaining: 0, reset }),
  absent: () => undefined,
}

/** For every API answer, refusals included (8.4.2). */
export const rateHeaders: Handler = async (c, next) => {
  c.set('api', true)
  await next()
  const window = HAS_HEADERS[c.get('context').choices.hdrscope](c) ? describedWindow(c) : undefined
  if (window) writeRateHeaders(c.res.headers, c.get('context'), window)
}

/** For the token endpoint, if chosen (U54). No request there has a token. */
export const tokenRateHeaders: Handler = async (c, next) => {
  await next()
  const context = c.get('context')
  if (context.choices.hdrscope === 'also_token')
    writeRateHeaders(c.res.headers, context, windowOf(context, undefined, 'read'))
}

function describedWindow(c: HandlerContext): ReportedWindow | undefined {
  const [context, holder] = [c.get('context'), c.get('holder')]
  const both = c.get('windows') ?? windowsOf(context, holder)
  const requestClass =
    DESCRIBED_CLASS[context.choices.hdrclass](both) ?? classOf(context.choices, c.req.method) ?? 'read'
  const minute = both[requestClass]
  if (holder === undefined || c.get('rule') !== 'month_over') return minute
  const { ends_at_ms } = monthOf(context, holder.organization)
  return OVER_THE_MONTH[context.choices.monthlyhdr](minute, ends_at_ms / SECOND_MS)
}
