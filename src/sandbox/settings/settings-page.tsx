/** @jsxImportSource hono/jsx */
/** The frame that the settings screens share: whose settings these are, the way between them, and what was just done. */
import type { Child } from 'hono/jsx'
import { valueOf } from '../http/form.ts'
import { isAdministrator, mayHaveKeys, type Member } from './member.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Choices } from '../choices/choices.ts'
import { lookUp } from '../state/state.ts'

/** What the page says once it is done. */
const DONE = {
  key_issued: 'The API key was issued.',
  key_saved: 'The API key was saved.',
  key_renewed: 'The API key has a new value.',
  key_disabled: 'The API key is disabled.',
  key_enabled: 'The API key is enabled again.',
  key_deleted: 'The API key was deleted.',
  application_added: 'The application was registered.',
  application_saved: 'The application was saved.',
  application_renewed: 'The application has a new secret.',
  application_disabled: 'The application is disabled.',
  application_enabled: 'The application is enabled again.',
  application_deleted: 'The application was deleted.',
  plan_changed: 'The plan was changed.',
  plan_planned: 'The plan will change with the next month.',
  plan_kept: 'The plan stays as it is.',
  permission_withdrawn: 'The permission was withdrawn.',
}
export type Done = keyof typeof DONE

/** Whether each person has a page of what they permitted (U51). */
export const REVOCABLE_APPS: Record<Choices['states'], boolean> = {
  exist_or_deleted: false,
  can_be_disabled: false,
  grants_withdrawable: true,
}

export interface SettingsOptions {
  title: string
  status?: number
  /** The form was sent and came back. */
  isFaulty?: boolean
}

/** The address of a settings screen of the same organization, as a link. @param path below `/settings`, '' for the first one */
export const settingsLink = ({ c, organization }: Member, path: string, more = ''): string =>
  linkTo(c, `settings${path && `/${path}`}?organization_id=${organization.id}${more}`)

/** RFC 9700 4.12: 303, so that a reload does not send the form again. */
export const goTo = (member: Member, path: string, done: Done): Response =>
  member.c.redirect(settingsLink(member, path, `&done=${done}`), 303)

export function writeSettings(
  member: Member,
  { title, status, isFaulty = false }: SettingsOptions,
  content: Child,
): Response | Promise<Response> {
  const { c, person, organization, context } = member
  const done = lookUp<string>(DONE, valueOf(new URL(c.req.url).searchParams, 'done') ?? '')
  const pages: [path: string, name: string, isOpen: boolean][] = [
    ['', 'Settings', true],
    ['api-keys', 'API keys', mayHaveKeys(member)],
    ['applications', 'Applications', member.isAdministrator],
    ['plan', 'Plan', member.isAdministrator],
    ['permissions', 'Permissions', REVOCABLE_APPS[context.choices.states]],
  ]
  const [, , current = ''] = c.req.path.split('/')
  const isBelow = c.req.path.split('/').length > 3
  return writePage(
    c,
    {
      title: `${isFaulty ? 'Error: ' : ''}${title} of ${organization.name}`,
      person,
      ...(status !== undefined && { status }),
    },
    <>
      <nav class="tabs" aria-label="Settings">
        {pages
          .filter(([, , isOpen]) => isOpen)
          .map(([path, name]) => (
            <a
              key={path}
              href={settingsLink(member, path)}
              {...(path === current && { 'aria-current': isBelow ? ('true' as const) : ('page' as const) })}
            >
              {name}
            </a>
          ))}
      </nav>
      {done !== undefined && c.req.method !== 'POST' && <output class="done">{done}</output>}
      <div class="heading">
        <p class="eyebrow">{organization.name}</p>
        <h1>{title}</h1>
      </div>
      {content}
      <p class="links">
        <a href={linkTo(c, `projects?organization_id=${organization.id}`)}>Projects</a>
        <a href={linkTo(c, `plan?organization_id=${organization.id}`)}>Plan and monthly access count</a>
      </p>
    </>,
  )
}

/** As "Only administrators can manage API keys: Ada Lindqvist." */
export function whoManages({ context, organization }: Member, what: string): string {
  const names = context.state.people
    .filter((person) => isAdministrator(person, organization))
    .map(({ name }) => name)
  return `Only administrators can manage ${what}: ${names.join(', ') || 'this organization has none'}.`
}

/** Answers a member in place of a screen that is for administrators, and in place of what its form would do (5.1.4, 5.2.5). */
export const notYours = (member: Member, title: string, what: string): Response | Promise<Response> =>
  writeSettings(member, { title, status: 403 }, <p class="empty">{whoManages(member, what)}</p>)

type Screen<Rest extends unknown[]> = (member: Member, ...rest: Rest) => Response | Promise<Response>

/** Keeps a screen, or what its form does, for administrators. */
export const forAdministrators =
  <Rest extends unknown[]>(screen: Screen<Rest>, title: string, what: string): Screen<Rest> =>
  (member, ...rest) =>
    member.isAdministrator ? screen(member, ...rest) : notYours(member, title, what)

/** Keeps it for those who may have keys (U76). */
export const forKeyHolders =
  <Rest extends unknown[]>(screen: Screen<Rest>): Screen<Rest> =>
  (member, ...rest) =>
    mayHaveKeys(member) ? screen(member, ...rest) : notYours(member, 'API key setting', 'API keys')
