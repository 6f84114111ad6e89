/** @jsxImportSource hono/jsx */
/** The project-list screen, whose address has the `organization_id` that a sign-in asks for (5.3). */
import { organizationOfPage } from '../api/organization.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Frozen, Person, Project } from '../state/state.ts'
import type { HonoContext } from '../state/context.ts'

/** The projects of the organization that the address names, for its members. @throws Refusal `not_found` */
export function projectPage(c: HonoContext, person: Frozen<Person>): Response | Promise<Response> {
  const organization = organizationOfPage(c, person)
  return writePage(
    c,
    { title: `Projects of ${organization.name}`, person },
    <>
      <p class="eyebrow">{organization.name}</p>
      <h1>Projects</h1>
      <p class="hint">
        The address of this page names the organization: <code>organization_id={organization.id}</code>. An
        application that asks for it takes the number, or the whole address.
      </p>
      <ul class="projects">
        {organization.projects.map((project) => (
          <ProjectCard key={project.name} project={project} />
        ))}
      </ul>
      <p class="links">
        <a href={linkTo(c, `plan?organization_id=${organization.id}`)}>Plan and monthly access count</a>
        <a href={linkTo(c, `settings?organization_id=${organization.id}`)}>Settings</a>
      </p>
    </>,
  )
}

const ProjectCard = ({ project }: { project: Frozen<Project> }) => {
  const tasks = project.open_tasks + project.done_tasks
  return (
    <li class="card">
      <h2>{project.name}</h2>
      <p class="quiet">
        {project.lead}, due <time>{project.due_on}</time>
      </p>
      <svg class="load" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="sea" width="100" height="4" />
        <rect class="cargo" width={tasks === 0 ? 0 : (100 * project.done_tasks) / tasks} height="4" />
      </svg>
      <p>
        {project.done_tasks} of {tasks} tasks done
      </p>
    </li>
  )
}
