/** @jsxImportSource hono/jsx */
/** The start page, the project list, the plan page with its count, and the first screen of the settings. */
import { idOnWire, organizationOfPage } from '../api/organization.ts'
import { requireLogin, rolesOf } from '../authorize/login.tsx'
import type { Answered, Handler, HandlerContext } from '../http/handler.ts'
import { linkTo, writePage } from '../http/page.tsx'
import { loadShownCount, monthOf } from '../limits/month.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import type { Person } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { type CredentialKind, maximumOf, planName } from './kind.ts'
import { type Member, memberPage } from './member.ts'
import { administratorsHint, KINDS, settingsLink, writeSettings } from './frame.tsx'
import { screensOf } from './screen.tsx'

const Links = ({ c, id, of }: { c: HandlerContext; id: number | string; of: string }) => (
  <nav aria-label={`Pages of ${of}`}>
    <a href={linkTo(c, `projects?organization_id=${id}`)}>Projects</a>
    <a href={linkTo(c, `plan?organization_id=${id}`)}>Plan</a>
    <a href={linkTo(c, `settings?organization_id=${id}`)}>Settings</a>
  </nav>
)

/** Needs no sign-in and shows no secret. */
function startPage(c: HandlerContext): Answered {
  const { state } = c.get('context')
  return writePage(
    c,
    { title: 'Start' },
    <>
      <h1>The service, on your machine</h1>
      <p>
        Sign-in, consent, tokens, organizations and request limits work as in the service's document. Requests
        are counted and refused as by the service, and cost nothing.
      </p>
      <h2>Organizations</h2>
      <ul class="cards">
        {state.organizations.map(({ id, name, plan }) => (
          <li key={id}>
            <h3>{name}</h3>
            <p>
              <mark class="capital">{plan}</mark> <code>{id}</code>
            </p>
            <Links c={c} id={id} of={name} />
          </li>
        ))}
      </ul>
      <section>
        <h2>Who can sign in</h2>
        <dl>
          {state.people.map((person) => (
            <div key={person.id}>
              <dt>{person.name}</dt>
              <dd class="capital">{rolesOf(state, person)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>,
  )
}

/** The project list, whose address has the `organization_id` that a sign-in needs (5.3). */
function projectPage(c: HandlerContext, person: DeepReadonly<Person>): Answered {
  const { id, name, projects } = organizationOfPage(c, person)
  return writePage(
    c,
    { title: `Projects of ${name}`, person },
    <>
      <div>
        <p class="quiet">{name}</p>
        <h1>Projects</h1>
      </div>
      <p class="hint">
        The address of this page names the organization: <code>organization_id={id}</code>. Enter the number,
        or the whole address, where an application asks for it.
      </p>
      <ul class="cards">
        {projects.map(({ name: project, lead, due_on, done_tasks, open_tasks }) => (
          <li key={project}>
            <h2>{project}</h2>
            <p class="quiet">
              {lead}, due <time>{due_on}</time>
            </p>
            <progress value={done_tasks} max={Math.max(1, done_tasks + open_tasks)} aria-hidden="true" />
            <p>
              {done_tasks} of {done_tasks + open_tasks} tasks done
            </p>
          </li>
        ))}
      </ul>
      <Links c={c} id={id} of={name} />
    </>,
  )
}

/** The plan page, with the monthly access count (8.3). */
function planPage(c: HandlerContext, person: DeepReadonly<Person>): Answered {
  const context = c.get('context')
  const organization = organizationOfPage(c, person)
  const limits = limitsOf(context, organization)
  const facts: [string, number][] = [
    ['Reads a minute, for each token', limits.read_per_minute],
    ['Updates a minute, for each token', limits.update_per_minute],
    ['API keys', limits.api_keys],
    ['OAuth applications', limits.oauth_applications],
  ]
  return writePage(
    c,
    { title: `Plan of ${organization.name}`, person },
    <>
      <div>
        <p class="quiet">{organization.name}</p>
        <h1>
          Plan: <span class="capital">{limits.name}</span>
        </h1>
      </div>
      <MonthCard
        count={loadShownCount(context, organization)}
        limit={limits.per_month}
        endsAtMs={monthOf(context, organization).ends_at_ms}
      />
      <section>
        <h2>Limits of the plan</h2>
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Links c={c} id={idOnWire(context.state, organization)} of={organization.name} />
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
  <section>
    <h2 class="capital">monthly access count</h2>
    <p class="count">
      <strong>{count}</strong> {limit === undefined ? 'requests, unlimited' : `of ${limit} requests`}
    </p>
    {limit !== undefined && <progress value={Math.min(count, limit)} max={limit} aria-hidden="true" />}
    <p class="quiet">
      All keys and tokens of the organization together. Reset on{' '}
      <time datetime={new Date(endsAtMs).toISOString()}>{formatInstant(endsAtMs)}</time>.
    </p>
  </section>
)

/** For example "1 December 2026, 00:00 UTC". The sandbox does not know the reader's time zone. */
const formatInstant = (ms: number): string => `${INSTANT.format(ms)} UTC`
const INSTANT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function countText(member: Member, kind: CredentialKind): string {
  const counts = `${kind.count(member)} of ${maximumOf(member, kind)}`
  return `${counts} ${kind.participle} on the ${planName(member.organization)} plan.`
}

const settingsPage = (member: Member): Answered =>
  writeSettings(
    member,
    { title: 'Settings' },
    <ul class="cards">
      {KINDS.map((kind) => (
        <li key={kind.path}>
          <h2>
            {kind.isFor(member) ? <a href={settingsLink(member, kind.path)}>{kind.title}</a> : kind.title}
          </h2>
          <p class="quiet">
            {kind.isFor(member) ? countText(member, kind) : administratorsHint(member, kind)}
          </p>
        </li>
      ))}
    </ul>,
  )

/** By path below {base_url}. A page without a form of its own takes that of the sign-in. */
export const PAGES: readonly [path: string, handlers: { get: Handler; post?: Handler }][] = [
  ['/projects', { get: requireLogin(projectPage) }],
  ['/plan', { get: requireLogin(planPage) }],
  ['/settings', { get: memberPage(settingsPage) }],
  ...KINDS.flatMap(screensOf),
]
export const START_PAGE: Handler = startPage
