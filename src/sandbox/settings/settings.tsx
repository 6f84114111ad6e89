/** @jsxImportSource hono/jsx */
/** The settings of an organization (5): the first screen, and which address of them is answered by whom. */
import type { Handler } from 'hono'
import { changeOneKey, oneKey } from './api-key-edit.tsx'
import { issueKey, keyList, newKey } from './api-key.tsx'
import { changeOneApplication, oneApplication } from './application-edit.tsx'
import { applicationList, newApplication, registerApplication } from './application.tsx'
import { API_KEYS, APPLICATIONS, type Kind, maximumOf, planName } from './maximum.tsx'
import { forMembers, fromMembers, mayHaveKeys, type Member } from './member.ts'
import { signIn } from '../authorize/login.tsx'
import { changePlan, planForm } from './plan-change.tsx'
import {
  forAdministrators,
  forKeyHolders,
  settingsLink,
  whoManages,
  REVOCABLE_APPS,
  writeSettings,
} from './settings-page.tsx'
import { authorizedAppList, revokeApp } from './authorized-apps.tsx'
import type { Env } from '../state/context.ts'

type Shown = (member: Member) => Response | Promise<Response>
type Sent = (member: Member, form: URLSearchParams) => Response | Promise<Response>

const keys = (screen: Shown) => forMembers(forKeyHolders(screen))
const keysForm = (act: Sent) => fromMembers(forKeyHolders(act))
const APPLICATION_SETTING = ['Application setting', 'applications'] as const
const applications = (screen: Shown) => forMembers(forAdministrators(screen, ...APPLICATION_SETTING))
const applicationsForm = (act: Sent) => fromMembers(forAdministrators(act, ...APPLICATION_SETTING))
const plan = (screen: Shown) => forMembers(forAdministrators(screen, 'Plan', 'the plan'))
const planChange = (act: Sent) => fromMembers(forAdministrators(act, 'Plan', 'the plan'))

/** Addresses below {base_url}; ours, the document names none. */
export const SETTINGS_PAGES: readonly [path: string, handlers: { get: Handler<Env>; post: Handler<Env> }][] =
  [
    ['/settings', { get: forMembers(firstScreen), post: signIn }],
    ['/settings/api-keys', { get: keys(keyList), post: signIn }],
    ['/settings/api-keys/add', { get: keys(newKey), post: keysForm(issueKey) }],
    ['/settings/api-keys/:handle', { get: keys(oneKey), post: keysForm(changeOneKey) }],
    ['/settings/applications', { get: applications(applicationList), post: signIn }],
    [
      '/settings/applications/add',
      { get: applications(newApplication), post: applicationsForm(registerApplication) },
    ],
    [
      '/settings/applications/:handle',
      { get: applications(oneApplication), post: applicationsForm(changeOneApplication) },
    ],
    ['/settings/plan', { get: plan(planForm), post: planChange(changePlan) }],
    ['/settings/permissions', { get: forMembers(authorizedAppList), post: fromMembers(revokeApp) }],
  ]

function firstScreen(member: Member): Response | Promise<Response> {
  const { context, organization } = member
  return writeSettings(
    member,
    { title: 'Settings' },
    <ul class="projects">
      <SettingCard
        href={settingsLink(member, 'api-keys')}
        name="API key setting"
        description={mayHaveKeys(member) ? countOf(member, API_KEYS) : whoManages(member, 'API keys')}
        isOpen={mayHaveKeys(member)}
      />
      <SettingCard
        href={settingsLink(member, 'applications')}
        name="Application setting"
        description={
          member.isAdministrator ? countOf(member, APPLICATIONS) : whoManages(member, 'applications')
        }
        isOpen={member.isAdministrator}
      />
      <SettingCard
        href={settingsLink(member, 'plan')}
        name="Plan"
        description={
          member.isAdministrator
            ? planName(organization)
            : `${planName(organization)}. ${whoManages(member, 'it')}`
        }
        isOpen={member.isAdministrator}
      />
      {REVOCABLE_APPS[context.choices.states] && (
        <SettingCard
          href={settingsLink(member, 'permissions')}
          name="Permissions"
          description="What applications may do as you."
          isOpen
        />
      )}
    </ul>,
  )
}

const countOf = (member: Member, kind: Kind): string =>
  `${kind.list(member.context.state, member.organization.id).length} of ${maximumOf(member, kind)} ${kind.done}.`

const SettingCard = ({
  href,
  name,
  description,
  isOpen,
}: {
  href: string
  name: string
  description: string
  isOpen: boolean
}) => (
  <li class="card">
    <h2>{isOpen ? <a href={href}>{name}</a> : name}</h2>
    <p class="quiet">{description}</p>
  </li>
)
