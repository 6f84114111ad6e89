/** @jsxImportSource hono/jsx */
/** The project list, whose address has the `organization_id` that a sign-in needs (5.3). */
import { organizationOfPage } from '../api/organization.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Person, Project } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { Bar } from './plan.tsx'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** For members of the organization in the address. @throws Refusal `not_found` */
export function projectPage(c: HandlerContext, person: DeepReadonly<Person>): Answered {
  const organization = organizationOfPage(c, person)
  return writePage(
    c,
    { title: `Projects of ${organization.name}`, person },
    <>
      <p class="eyebrow">{organization.name}</p>
      <h1>Projects</h1>
      <p class="hint">
        The address of this page names the organization: <code>organization_id={organization.id}</code>. Enter
        the number, or the whole address, where an application asks for it.
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

const ProjectCard = ({ project }: { project: DeepReadonly<Project> }) => {
  const tasks = project.open_tasks + project.done_tasks
  return (
    <li class="card">
      <h2>{project.name}</h2>
      <p class="quiet">
        {project.lead}, due <time>{project.due_on}</time>
      </p>
      <Bar percent={tasks === 0 ? 0 : (100 * project.done_tasks) / tasks} />
      <p>
        {project.done_tasks} of {tasks} tasks done
      </p>
    </li>
  )
}
