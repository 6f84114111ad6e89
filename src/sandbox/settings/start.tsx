/** @jsxImportSource hono/jsx */
/** The first page: says what this is, who can sign in, and where the pages of each organization are. */
import { linkTo, writePage } from '../http/page.tsx'
import { rolesOf } from '../authorize/login.tsx'
import type { HonoContext } from '../state/context.ts'

/** For anybody, signed in or not; it names no secret. */
export function startPage(c: HonoContext): Response | Promise<Response> {
  const { state } = c.get('context')
  return writePage(
    c,
    { title: 'Start' },
    <>
      <h1>The service, on your machine</h1>
      <p class="lead">
        Sign-in, permission, tokens, organizations and request limits work here as the service's document
        says. Requests are counted and refused as in life, and cost nothing.
      </p>
      <section aria-labelledby="organizations">
        <h2 id="organizations">Organizations</h2>
        <ul class="projects">
          {state.organizations.map(({ id, name, plan }) => (
            <li key={id} class="card">
              <h3>{name}</h3>
              <p class="quiet">
                <span class="chip capital">{plan}</span> <code>{id}</code>
              </p>
              <p class="links">
                <a href={linkTo(c, `projects?organization_id=${id}`)}>
                  Projects<span class="aside"> of {name}</span>
                </a>
                <a href={linkTo(c, `plan?organization_id=${id}`)}>
                  Plan<span class="aside"> of {name}</span>
                </a>
                <a href={linkTo(c, `settings?organization_id=${id}`)}>
                  Settings<span class="aside"> of {name}</span>
                </a>
              </p>
            </li>
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
