/** @jsxImportSource hono/jsx */
/** The start page explains the sandbox, and lists the people and the pages of each organization. */
import { rolesOf } from '../authorize/login.tsx'
import { linkTo, writePage } from '../http/page.tsx'
import type { Organization } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** Needs no sign-in and shows no secret. */
export function startPage(c: HandlerContext): Answered {
  const { state } = c.get('context')
  return writePage(
    c,
    { title: 'Start' },
    <>
      <h1>The service, on your machine</h1>
      <p class="lead">
        Sign-in, consent, tokens, organizations and request limits work as in the service's document. Requests
        are counted and refused as by the service, and cost nothing.
      </p>
      <section aria-labelledby="organizations">
        <h2 id="organizations">Organizations</h2>
        <ul class="projects">
          {state.organizations.map((organization) => (
            <OrganizationCard key={organization.id} c={c} organization={organization} />
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="people">
        <h2 id="people">Who can sign in</h2>
        <dl class="facts roster">
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

const LINKS = [
  ['projects', 'Projects'],
  ['plan', 'Plan'],
  ['settings', 'Settings'],
] as const

const OrganizationCard = ({
  c,
  organization,
}: {
  c: HandlerContext
  organization: DeepReadonly<Organization>
}) => {
  const { id, name, plan } = organization
  return (
    <li class="card">
      <h3>{name}</h3>
      <p class="quiet">
        <span class="chip capital">{plan}</span> <code>{id}</code>
      </p>
      <p class="links">
        {LINKS.map(([path, text]) => (
          <a key={path} href={linkTo(c, `${path}?organization_id=${id}`)}>
            {text}
            <span class="aside"> of {name}</span>
          </a>
        ))}
      </p>
    </li>
  )
}
