/** @jsxImportSource hono/jsx */
/** Counts the month of each organization, and shows it on the plan page (8.3). */
import { isJsonObject } from '../../contract/json.ts'
import { monthBounds } from '../../contract/month.ts'
import { limitsOf } from './plan-limit.ts'
import { idOnWire, organizationOfPage } from '../api/organization.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Choices } from '../choices/choices.ts'
import { type Frozen, lookUp, type MonthCount, type Organization, type Person } from '../state/state.ts'
import type { HonoContext, Context } from '../state/context.ts'

/** The zone of the monthly reset (U68). An organization without one that exists has UTC. */
const ZONE: Record<Choices['tz'], (organization: Frozen<Organization>) => string> = {
  utc: () => 'UTC',
  asia_tokyo: () => 'Asia/Tokyo',
  america_new_york: () => 'America/New_York',
  organization: ({ details: { settings } }) => {
    const zone = isJsonObject(settings) ? settings['time_zone'] : undefined
    return typeof zone === 'string' && isZone(zone) ? zone : 'UTC'
  },
}

const zones = new Map<string, boolean>()
function isZone(name: string): boolean {
  let known = zones.get(name)
  if (known === undefined) {
    try {
      known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    } catch {
      known = false
    }
    zones.set(name, known)
  }
  return known
}

/** The largest difference between the starts of one month in two time zones. */
const SAME_MONTH_MS = 2 * 86_400_000

/** The current month of an organization; its count is 0 before the first request. */
export function monthOf(
  { state, choices, nowMs }: Pick<Context, 'state' | 'choices' | 'nowMs'>,
  organization: Frozen<Organization>,
): Frozen<MonthCount> {
  const known = lookUp(state.months, String(organization.id))
  const zone = ZONE[choices.tz](organization)
  if (known?.zone === zone && nowMs >= known.starts_at_ms && nowMs < known.ends_at_ms) return known
  const { startMs, endMs } = monthBounds(nowMs, zone)
  const month = { zone, starts_at_ms: startMs, ends_at_ms: endMs }
  // A change of the time zone moves the bounds of the month; the count stays.
  const isSame = known !== undefined && Math.abs(known.starts_at_ms - startMs) < SAME_MONTH_MS
  return isSame ? { ...known, ...month } : { ...month, count: 0 }
}

/** Whether the month of an organization is used up (8.3). */
export function isMonthOver(context: Context, organization: Frozen<Organization>): boolean {
  const { per_month: limit } = limitsOf(context, organization)
  return limit !== undefined && monthOf(context, organization).count >= limit
}

/** Adds requests to the month of their organization; a negative number subtracts (8.3). */
export function countMonth(context: Context, organization: Frozen<Organization>, requests = 1): void {
  const month = monthOf(context, organization)
  const count = Math.max(0, month.count + requests)
  context.change(({ months }) => {
    months[organization.id] = { ...month, count, earlier: withMinute(month, context.nowMs) }
  })
}

const LAG_MS = 40 * 60_000
const MINUTE_MS = 60_000

/** The earlier counts with the current one added: one for each minute, back to the one that a delayed page shows. */
function withMinute(
  { count, earlier = [] }: Frozen<MonthCount>,
  nowMs: number,
): Required<MonthCount>['earlier'] {
  const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const past = earlier.filter(({ at_ms }) => at_ms < minute)
  if (past.length < earlier.length) return [...earlier]
  const last = past.findLastIndex(({ at_ms }) => at_ms <= nowMs - LAG_MS)
  return [...past.slice(Math.max(0, last)), { at_ms: minute, count }]
}

/** The number that the plan page shows (U69). */
const SHOWN: Record<Choices['lag'], (month: Frozen<MonthCount>, nowMs: number) => number> = {
  live: ({ count }) => count,
  // The first number that was noted after that instant is what the count was at it.
  delayed_40_minutes: ({ count, earlier = [] }, nowMs) =>
    earlier.find(({ at_ms }) => at_ms > nowMs - LAG_MS)?.count ?? count,
  cached_per_load: ({ count, loaded }) => loaded ?? count,
}

/** The plan page, which shows the "monthly access count" (8.3). */
export function planPage(c: HonoContext, person: Frozen<Person>): Response | Promise<Response> {
  const context = c.get('context')
  const organization = organizationOfPage(c, person)
  const month = monthOf(context, organization)
  const count = SHOWN[context.choices.lag](month, context.nowMs)
  const plan = limitsOf(context, organization)
  const [limit, endsAtMs] = [plan.per_month, month.ends_at_ms]
  if (context.choices.lag === 'cached_per_load' && month.loaded !== month.count)
    context.change(({ months }) => {
      months[organization.id] = { ...(month as MonthCount), loaded: month.count }
    })
  return writePage(
    c,
    { title: `Plan of ${organization.name}`, person },
    <>
      <p class="eyebrow">{organization.name}</p>
      <h1>
        Plan: <span class="capital">{plan.name}</span>
      </h1>
      <section class="card" aria-labelledby="month">
        <h2 id="month" class="capital">
          monthly access count
        </h2>
        <p class="count">
          <strong>{count}</strong> {limit === undefined ? 'requests, unlimited' : `of ${limit} requests`}
        </p>
        {limit !== undefined && (
          <svg class="load" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="sea" width="100" height="4" />
            <rect class="cargo" width={Math.min(100, (100 * count) / limit)} height="4" />
          </svg>
        )}
        <p class="quiet">
          All keys and tokens of the organization together. Reset on{' '}
          <time datetime={new Date(endsAtMs).toISOString()}>{instant(endsAtMs)}</time>.
        </p>
      </section>
      <section class="card" aria-labelledby="minute">
        <h2 id="minute">What the plan holds</h2>
        <dl class="facts">
          <Fact name="Reads a minute, for each token" value={plan.read_per_minute} />
          <Fact name="Updates a minute, for each token" value={plan.update_per_minute} />
          <Fact name="API keys" value={plan.api_keys} />
          <Fact name="OAuth applications" value={plan.oauth_applications} />
        </dl>
      </section>
      <p class="links">
        <a href={linkTo(c, `projects?organization_id=${idOnWire(context.state, organization)}`)}>Projects</a>
        <a href={linkTo(c, `settings?organization_id=${organization.id}`)}>Settings</a>
      </p>
    </>,
  )
}

const Fact = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** As "1 December 2026, 00:00 UTC": the sandbox has no reader's zone to write it in. */
export const instant = (ms: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`
