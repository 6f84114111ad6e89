/** @jsxImportSource hono/jsx */
/** The plan page of an organization, with its monthly access count (8.3). */
import { idOnWire, organizationOfPage } from '../api/organization.ts'
import { linkTo, writePage } from '../http/page.tsx'
import { loadShownCount, monthOf } from '../limits/month.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import type { Person } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** For members of the organization in the address. @throws Refusal `not_found` */
export function planPage(c: HandlerContext, person: DeepReadonly<Person>): Answered {
  const context = c.get('context')
  const organization = organizationOfPage(c, person)
  const plan = limitsOf(context, organization)
  const count = loadShownCount(context, organization)
  const { ends_at_ms } = monthOf(context, organization)
  return writePage(
    c,
    { title: `Plan of ${organization.name}`, person },
    <>
      <p class="eyebrow">{organization.name}</p>
      <h1>
        Plan: <span class="capital">{plan.name}</span>
      </h1>
      <MonthCard count={count} limit={plan.per_month} endsAtMs={ends_at_ms} />
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">Limits of the plan</h2>
        <dl class="facts">
          <Limit name="Reads a minute, for each token" value={plan.read_per_minute} />
          <Limit name="Updates a minute, for each token" value={plan.update_per_minute} />
          <Limit name="API keys" value={plan.api_keys} />
          <Limit name="OAuth applications" value={plan.oauth_applications} />
        </dl>
      </section>
      <p class="links">
        <a href={linkTo(c, `projects?organization_id=${idOnWire(context.state, organization)}`)}>Projects</a>
        <a href={linkTo(c, `settings?organization_id=${organization.id}`)}>Settings</a>
      </p>
    </>,
  )
}

interface MonthCardProps {
  count: number
  /** `undefined`: unlimited. */
  limit: number | undefined
  endsAtMs: number
}

const MonthCard = ({ count, limit, endsAtMs }: MonthCardProps) => (
  <section class="card" aria-labelledby="month">
    <h2 id="month" class="capital">
      monthly access count
    </h2>
    <p class="count">
      <strong>{count}</strong> {limit === undefined ? 'requests, unlimited' : `of ${limit} requests`}
    </p>
    {limit !== undefined && <Bar percent={Math.min(100, (100 * count) / limit)} />}
    <p class="quiet">
      All keys and tokens of the organization together. Reset on{' '}
      <time datetime={new Date(endsAtMs).toISOString()}>{formatInstant(endsAtMs)}</time>.
    </p>
  </section>
)

/** The text beside it has the numbers. */
export const Bar = ({ percent }: { percent: number }) => (
  <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="4" />
    <rect class="fill" width={percent} height="4" />
  </svg>
)

const Limit = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** For example "1 December 2026, 00:00 UTC". The sandbox does not know the reader's time zone. */
export const formatInstant = (ms: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`
