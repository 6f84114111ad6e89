/** @jsxImportSource hono/jsx */
/** The start page, the project list, and the plan page with its count. */
import { idOnWire, organizationOfPage } from '../api/organization.ts'
import { requireLogin, rolesOf } from '../authorize/login.tsx'
import type { Answered, Handler, HandlerContext } from '../http/handler.ts'
import { Facts, Links, writePage } from '../http/page.tsx'
import { limitsOf, loadShownCount, monthOf } from '../limits/month.ts'
import type { Person } from '../state/seed.ts'
import { SETTINGS } from './screen.tsx'

/** Needs no sign-in and shows no secret. */
export const START_PAGE: Handler = (c) => {
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
      {state.organizations.map(({ id, name, plan }) => (
        <section key={id}>
          <h2>
            {name} <mark>{plan}</mark> <code>{id}</code>
          </h2>
          <Links c={c} id={id} of={name} />
        </section>
      ))}
      <section>
        <h2>Who can sign in</h2>
        <Facts facts={state.people.map((person) => [person.name, rolesOf(state, person)])} />
      </section>
    </>,
  )
}

/** The project list, whose address has the `organization_id` that a sign-in needs (5.3). */
function projectPage(c: HandlerContext, person: Person): Answered {
  const { id, name, projects } = organizationOfPage(c, person)
  return writePage(
    c,
    { title: `Projects of ${name}`, person },
    <>
      <Links c={c} id={id} of={name} />
      <h1>Projects of {name}</h1>
      <p>
        The address of this page names the organization: <code>organization_id={id}</code>. Enter the number,
        or the whole address, where an application asks for it.
      </p>
      {projects.map(({ name: project, lead, due_on, done_tasks, open_tasks }) => (
        <section key={project}>
          <h2>{project}</h2>
          <p>
            {lead}, due <time>{due_on}</time>: {done_tasks} of {done_tasks + open_tasks} tasks done
          </p>
        </section>
      ))}
    </>,
  )
}

/** For example "1 December 2026 at 00:00". The sandbox does not know the reader's time zone. */
const INSTANT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function planPage(c: HandlerContext, person: Person): Answered {
  const context = c.get('context')
  const organization = organizationOfPage(c, person)
  const limits = limitsOf(context, organization)
  const { ends_at_ms } = monthOf(context, organization)
  return writePage(
    c,
    { title: `Plan of ${organization.name}`, person },
    <>
      <Links c={c} id={idOnWire(context.state, organization)} of={organization.name} />
      <h1>
        Plan of {organization.name}: <span>{limits.name}</span>
      </h1>
      <section>
        <h2>monthly access count</h2>
        <p class="count">
          <strong>{loadShownCount(context, organization)}</strong>{' '}
          {limits.per_month === undefined ? 'requests, unlimited' : `of ${limits.per_month} requests`}
        </p>
        <p>
          All keys and tokens of the organization together. Reset on{' '}
          <time datetime={new Date(ends_at_ms).toISOString()}>{INSTANT.format(ends_at_ms)} UTC</time>.
        </p>
      </section>
      <section>
        <h2>Limits of the plan</h2>
        <Facts
          facts={[
            ['Reads a minute, for each token', limits.read_per_minute],
            ['Updates a minute, for each token', limits.update_per_minute],
            ['API keys', limits.api_keys],
            ['OAuth applications', limits.oauth_applications],
          ]}
        />
      </section>
    </>,
  )
}

/** By path below {base_url}. A page without a form of its own takes that of the sign-in. */
export const PAGES: readonly [path: string, handlers: { get: Handler; post?: Handler }][] = [
  ['/projects', { get: requireLogin(projectPage) }],
  ['/plan', { get: requireLogin(planPage) }],
  ...SETTINGS,
]
