/** @jsxImportSource hono/jsx */
/** The common frame of the settings screens: organization, links between the screens, confirmation. */
import type { Answer } from '../../contract/answer.ts'
import type { Child } from 'hono/jsx'
import { valueOf } from '../http/form.ts'
import { isAdministrator, mayHaveKeys, type Member } from './member.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Choices } from '../choices/choices.ts'
import { ownValue } from '../state/state.ts'
import type { Answered } from '../http/handler-context.ts'

/** Shown after a form was accepted. The address of the page has the key. */
const CONFIRMATIONS = {
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
  plan_unchanged: 'The plan was not changed.',
  access_revoked: 'The access of the application was revoked.',
}
export type Confirmation = keyof typeof CONFIRMATIONS

/** U51: each person has a page of authorized applications, and can revoke them. */
export const CAN_REVOKE_APPS: Record<Choices['states'], boolean> = {
  exist_or_deleted: false,
  can_be_disabled: false,
  grants_withdrawable: true,
}

export interface SettingsOptions {
  title: string
  status?: number
  hasErrors?: boolean
}

/** @param path below `/settings`; '' is the first screen */
export const settingsLink = ({ c, organization }: Member, path: string, more = ''): string =>
  linkTo(c, `settings${path && `/${path}`}?organization_id=${organization.id}${more}`)

/** RFC 9700 4.12: after a 303, a reload does not send the form again. */
export const redirectToSettings = (member: Member, path: string, confirmation: Confirmation): Answer =>
  member.c.redirect(settingsLink(member, path, `&done=${confirmation}`), 303)

export function writeSettings(
  member: Member,
  { title, status, hasErrors = false }: SettingsOptions,
  content: Child,
): Answered {
  const { c, person, organization } = member
  const options = {
    title: `${hasErrors ? 'Error: ' : ''}${title} of ${organization.name}`,
    person,
    ...(status !== undefined && { status }),
  }
  return writePage(
    c,
    options,
    <>
      <ScreenTabs member={member} />
      <ConfirmationLine c={c} />
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

const ScreenTabs = ({ member }: { member: Member }) => {
  const screens: [path: string, name: string, isOpen: boolean][] = [
    ['', 'Settings', true],
    ['api-keys', 'API keys', mayHaveKeys(member)],
    ['applications', 'Applications', member.isAdministrator],
    ['plan', 'Plan', member.isAdministrator],
    ['permissions', 'Authorized applications', CAN_REVOKE_APPS[member.context.choices.states]],
  ]
  const [, , current = '', below] = member.c.req.path.split('/')
  const currentValue = below === undefined ? ('page' as const) : ('true' as const)
  return (
    <nav class="tabs" aria-label="Settings">
      {screens
        .filter(([, , isOpen]) => isOpen)
        .map(([path, name]) => (
          <a
            key={path}
            href={settingsLink(member, path)}
            {...(path === current && { 'aria-current': currentValue })}
          >
            {name}
          </a>
        ))}
    </nav>
  )
}

const ConfirmationLine = ({ c }: Pick<Member, 'c'>) => {
  const key = valueOf(c.req.url.searchParams, 'done') ?? ''
  const text = ownValue<string>(CONFIRMATIONS, key)
  return text === undefined || c.req.method === 'POST' ? <></> : <output class="done">{text}</output>
}

/** For example "Only administrators can manage API keys: Ada Lindqvist." */
export function administratorsHint({ context, organization }: Member, what: string): string {
  const names = context.state.people
    .filter((person) => isAdministrator(person, organization))
    .map(({ name }) => name)
  return `Only administrators can manage ${what}: ${names.join(', ') || 'this organization has none'}.`
}

/** Refuses a member who may not open a screen or send its form (5.1.4, 5.2.5). */
const refuseMember = (member: Member, title: string, what: string): Answered =>
  writeSettings(member, { title, status: 403 }, <p class="empty">{administratorsHint(member, what)}</p>)

type Screen<Rest extends unknown[]> = (member: Member, ...rest: Rest) => Answered

export const forAdministrators =
  <Rest extends unknown[]>(screen: Screen<Rest>, title: string, what: string): Screen<Rest> =>
  (member, ...rest) =>
    member.isAdministrator ? screen(member, ...rest) : refuseMember(member, title, what)

/** U76. */
export const forKeyHolders =
  <Rest extends unknown[]>(screen: Screen<Rest>): Screen<Rest> =>
  (member, ...rest) =>
    mayHaveKeys(member) ? screen(member, ...rest) : refuseMember(member, 'API key setting', 'API keys')
