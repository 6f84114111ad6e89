/** @jsxImportSource hono/jsx */
/** The page that asks for an organization if the request has no valid one and `picker` is chosen (U10). */
import { organizationById } from '../api/organization.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Application, Person } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** Each organization of the person has a link: the same request with its id. */
export function organizationPicker(
  c: HandlerContext,
  {
    application,
    person,
    redirectUri,
  }: { application: DeepReadonly<Application>; person: DeepReadonly<Person>; redirectUri: string },
): Answered {
  const { state } = c.get('context')
  const { searchParams } = c.req.url
  return writePage(
    c,
    { title: 'Which organization?', person, redirectUri },
    <section class="card">
      <h1>Which organization is {application.name} for?</h1>
      <ul class="links">
        {person.organizations.map(({ organization_id }) => {
          const query = new URLSearchParams(searchParams)
          query.set('organization_id', String(organization_id))
          const name = organizationById(state, String(organization_id))?.name
          return (
            <li key={organization_id}>
              <a href={`${linkTo(c, c.req.path.slice(1))}?${query.toString()}`}>{name ?? organization_id}</a>
            </li>
          )
        })}
      </ul>
    </section>,
  )
}
