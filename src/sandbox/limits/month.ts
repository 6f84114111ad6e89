/** Counts the requests of each organization in a month (8.3). */
import { isZone } from '../../contract/choices.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/duration.ts'
import { isJsonObject } from '../../contract/json.ts'
import { monthBounds } from '../../contract/month.ts'
import { PLANS, type Plan } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import type { Organization } from '../state/seed.ts'
import { type LimitChanges, type MonthCount, type OpenWindow, ownValue } from '../state/state.ts'

/** U68. UTC replaces a zone that does not exist. */
const ZONE: Record<Choices['tz'], (organization: Organization) => string> = {
  utc: () => 'UTC',
  asia_tokyo: () => 'Asia/Tokyo',
  america_new_york: () => 'America/New_York',
  organization: ({ details: { settings } }) => {
    const zone = isJsonObject(settings) ? settings['time_zone'] : undefined
    return typeof zone === 'string' && isZone(zone) ? zone : 'UTC'
  },
}

/** The largest difference between the starts of one month in two time zones. */
const SAME_MONTH_MS = 2 * DAY_MS

export function monthOf({ state, choices, nowMs }: Context, organization: Organization): MonthCount {
  const stored = ownValue(state.months, String(organization.id))
  const zone = ZONE[choices.tz](organization)
  if (stored?.zone === zone && nowMs >= stored.starts_at_ms && nowMs < stored.ends_at_ms) return stored
  const { startMs, endMs } = monthBounds(nowMs, zone)
  const month = { zone, starts_at_ms: startMs, ends_at_ms: endMs }
  // A change of the time zone moves the bounds of the month; the count stays.
  const isSame = stored !== undefined && Math.abs(stored.starts_at_ms - startMs) < SAME_MONTH_MS
  if (isSame || !stored) return { count: 0, ...stored, ...month }
  const { [startMs]: count = 0, ...others } = { ...stored.others, [stored.starts_at_ms]: stored.count }
  return { ...month, count, others }
}

export function isMonthOver(context: Context, organization: Organization): boolean {
  const { per_month: limit } = limitsOf(context, organization)
  return limit !== undefined && monthOf(context, organization).count >= limit
}

export function countMonth(context: Context, organization: Organization, requests = 1): void {
  const month = monthOf(context, organization)
  const count = Math.max(0, month.count + requests)
  const earlier = withMinute(month, context.nowMs)
  context.state.months[organization.id] = { ...month, count, ...(earlier && { earlier }) }
}

const LAG_MS = 40 * MINUTE_MS

/** The earlier counts of a month: one for each minute, back to the one that a delayed page shows. */
function withMinute({ count, earlier = [] }: MonthCount, nowMs: number): MonthCount['earlier'] {
  const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  if ((earlier.at(-1)?.at_ms ?? -Infinity) >= minute) return undefined
  const last = earlier.findLastIndex(({ at_ms }) => at_ms <= nowMs - LAG_MS)
  return [...earlier.slice(Math.max(0, last)), { at_ms: minute, count }]
}

/** Possibly an older count (U69). A cached load is stored for the next one. */
export function loadShownCount(context: Context, organization: Organization): number {
  const month = monthOf(context, organization)
  const { count, earlier = [], loaded = count } = month
  const { lag } = context.choices
  if (lag === 'cached_per_load') context.state.months[organization.id] = { ...month, loaded: count }
  // The first count after that instant is also the count at that instant.
  const delayed = earlier.find(({ at_ms }) => at_ms > context.nowMs - LAG_MS)?.count ?? count
  return { live: count, delayed_40_minutes: delayed, cached_per_load: loaded }[lag]
}

/** Section 8. Operating conditions may have changed them. */
export function limitsOf({ state }: Context, { id, plan }: Organization): Plan {
  const { per_month, ...limits }: Omit<Plan, 'per_month'> & LimitChanges = {
    ...PLANS[plan],
    ...ownValue(state.limits, String(id)),
  }
  return { ...limits, ...(typeof per_month === 'number' && { per_month }) }
}

/** A window keeps the limit of its opening, unless the plan changed. @param open absent: no window is open */
export const minuteLimit = (
  context: Context,
  organization: Organization,
  requestClass: RequestClass,
  open: OpenWindow | undefined,
): number =>
  open?.limit !== undefined && open.plan === organization.plan
    ? open.limit
    : limitsOf(context, organization)[`${requestClass}_per_minute`]
