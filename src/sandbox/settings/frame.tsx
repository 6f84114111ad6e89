/** @jsxImportSource hono/jsx */
/** The common frame of the settings screens: their links, and the organization. */
import type { Child } from 'hono/jsx'
import type { Answered } from '../http/handler.ts'
import { linkTo, writePage } from '../http/page.tsx'
import { API_KEYS, APPLICATIONS, type CredentialKind } from './kind.ts'
import { administratorsOf, type Member } from './member.ts'

export const KINDS = [API_KEYS, APPLICATIONS]

/** @param path below `/settings`; '' is the first screen */
export const settingsLink = ({ c, organization }: Member, path: string, more = ''): string =>
  linkTo(c, `settings${path && `/${path}`}?organization_id=${organization.id}${more}`)

export function writeSettings(
  member: Member,
  { title, status = 200 }: { title: string; status?: number },
  content: Child,
): Answered {
  const { c, person, organization } = member
  const [, , current = ''] = c.req.path.split('/')
  const links = [
    ['', 'Settings'],
    ...KINDS.filter((kind) => kind.isFor(member)).map((kind) => [kind.path, kind.tab]),
  ]
  return writePage(
    c,
    { title: `${status === 200 ? '' : 'Error: '}${title} of ${organization.name}`, person, status },
    <>
      <nav aria-label="Settings">
        {links.map(([path = '', name]) => (
          <a
            key={path}
            href={settingsLink(member, path)}
            {...(path === current && { 'aria-current': 'page' as const })}
          >
            {name}
          </a>
        ))}
        <a href={linkTo(c, `projects?organization_id=${organization.id}`)}>Projects</a>
        <a href={linkTo(c, `plan?organization_id=${organization.id}`)}>Plan</a>
      </nav>
      <div>
        <p class="quiet">{organization.name}</p>
        <h1>{title}</h1>
      </div>
      {content}
    </>,
  )
}

/** For example "Only administrators can manage applications: Ada Lindqvist." */
export function administratorsHint(member: Member, { many }: CredentialKind): string {
  const names = administratorsOf(member).join(', ') || 'this organization has none'
  return `Only administrators can manage ${many}: ${names}.`
}
