/** @jsxImportSource hono/jsx */
/** Counts the month of each organization, and shows it on the plan page (8.3). */
import { monthBounds } from '../contract/month.ts'
import { type Plan, PLANS } from '../contract/plan.ts'
import { organizationOfPage } from './organization.ts'
import { linkTo, writePage } from './page.tsx'
import { Refusal } from './problem.tsx'
import { type Frozen, lookUp, type MonthCount, type Organization, type Person } from './state.ts'
import type { Visit, World } from './world.ts'

/** The month as it stands: of an organization that asked nothing in it, it is 0. */
export function monthOf({ state, choices, nowMs }: World, { id }: Frozen<Organization>): MonthCount {
  const known = lookUp(state.months, String(id))
  if (known && nowMs >= known.starts_at_ms && nowMs < known.ends_at_ms) return known
  const { startMs, endMs } = monthBounds(nowMs, choices.month_zones[0])
  return { starts_at_ms: startMs, ends_at_ms: endMs, count: 0 }
}

/** @throws Refusal `too_many_requests`, with whatever status is assumed for it, where the month is used up (8.3) */
export function assertMonth(world: World, organization: Frozen<Organization>): void {
  const { per_month: limit }: Plan = PLANS[organization.plan]
  if (limit !== undefined && monthOf(world, organization).count >= limit)
    throw new Refusal('too_many_requests', {
      status: world.choices.month_refusal_status,
      says: 'The requests of this month are used up.',
    })
}

/** Adds one request to the month of its organization (8.3). */
export function countMonth(world: World, organization: Frozen<Organization>): void {
  const month = monthOf(world, organization)
  world.change(({ months }) => {
    months[organization.id] = { ...month, count: month.count + 1 }
  })
}

/** The plan page, which shows the "monthly access count" (8.3). */
export function planPage(c: Visit, person: Frozen<Person>): Response | Promise<Response> {
  const world = c.get('world')
  const organization = organizationOfPage(c, person)
  const { count, ends_at_ms } = monthOf(world, organization)
  const plan: Plan = PLANS[organization.plan]
  const limit = plan.per_month
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
          <time datetime={new Date(ends_at_ms).toISOString()}>{instant(ends_at_ms)}</time>.
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
      <p>
        <a href={linkTo(c, `projects?organization_id=${organization.id}`)}>Projects</a>
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
const instant = (ms: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`
