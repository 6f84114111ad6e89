/** @jsxImportSource hono/jsx */
/** The settings of an organization (5): the first screen, and the handlers of all screens. */
import { signIn } from '../authorize/login.tsx'
import { editKeyPage, submitEditKey } from './api-key-edit.tsx'
import { addKeyPage, keyListPage, submitAddKey } from './api-key.tsx'
import { addApplicationPage, submitAddApplication } from './application-add.tsx'
import { editApplicationPage, submitEditApplication } from './application-edit.tsx'
import { applicationListPage } from './application-list.tsx'
import { authorizedAppsPage, revokeApp } from './authorized-apps.tsx'
import { API_KEYS, APPLICATIONS, type CredentialKind, maximumOf, planName } from './maximum.tsx'
import { mayHaveKeys, type Member, memberForm, memberPage } from './member.ts'
import { changePlan, planForm } from './plan-change.tsx'
import {
  administratorsHint,
  CAN_REVOKE_APPS,
  forAdministrators,
  forKeyHolders,
  settingsLink,
  writeSettings,
} from './settings-page.tsx'
import type { Answered, Handler } from '../http/handler-context.ts'

type Page = (member: Member) => Answered
type Submit = (member: Member, form: URLSearchParams) => Answered

const keyPage = (page: Page) => memberPage(forKeyHolders(page))
const keyForm = (submit: Submit) => memberForm(forKeyHolders(submit))
const APPLICATION_SETTING = ['Application setting', 'applications'] as const
const applicationPage = (page: Page) => memberPage(forAdministrators(page, ...APPLICATION_SETTING))
const applicationForm = (submit: Submit) => memberForm(forAdministrators(submit, ...APPLICATION_SETTING))
const PLAN = ['Plan', 'the plan'] as const

const firstPage = (member: Member): Answered =>
  writeSettings(
    member,
    { title: 'Settings' },
    <ul class="projects">
      {settingCards(member).map(({ href, name, description, isOpen }) => (
        <li key={name} class="card">
          <h2>{isOpen ? <a href={href}>{name}</a> : name}</h2>
          <p class="quiet">{description}</p>
        </li>
      ))}
    </ul>,
  )

interface SettingCard {
  href: string
  name: string
  description: string
  /** True if the person may open it. */
  isOpen: boolean
}

function settingCards(member: Member): SettingCard[] {
  const { isAdministrator, organization, context } = member
  const hasKeys = mayHaveKeys(member)
  const plan = planName(organization)
  const cards = [
    {
      href: settingsLink(member, 'api-keys'),
      name: 'API key setting',
      description: hasKeys ? countText(member, API_KEYS) : administratorsHint(member, 'API keys'),
      isOpen: hasKeys,
    },
    {
      href: settingsLink(member, 'applications'),
      name: 'Application setting',
      description: isAdministrator
        ? countText(member, APPLICATIONS)
        : administratorsHint(member, 'applications'),
      isOpen: isAdministrator,
    },
    {
      href: settingsLink(member, 'plan'),
      name: 'Plan',
      description: isAdministrator ? plan : `${plan}. ${administratorsHint(member, 'it')}`,
      isOpen: isAdministrator,
    },
  ]
  const authorizedApps = {
    href: settingsLink(member, 'permissions'),
    name: 'Authorized applications',
    description: 'Applications that may use the API as you.',
    isOpen: true,
  }
  return CAN_REVOKE_APPS[context.choices.states] ? [...cards, authorizedApps] : cards
}

const countText = (member: Member, kind: CredentialKind): string =>
  `${kind.list(member.context.state, member.organization.id).length} of ${maximumOf(member, kind)} ${kind.participle}.`

/** By path below {base_url}. The document names no paths; these are ours. */
export const SETTINGS_PAGES: readonly [path: string, handlers: { get: Handler; post: Handler }][] = [
  ['/settings', { get: memberPage(firstPage), post: signIn }],
  ['/settings/api-keys', { get: keyPage(keyListPage), post: signIn }],
  ['/settings/api-keys/add', { get: keyPage(addKeyPage), post: keyForm(submitAddKey) }],
  ['/settings/api-keys/:handle', { get: keyPage(editKeyPage), post: keyForm(submitEditKey) }],
  ['/settings/applications', { get: applicationPage(applicationListPage), post: signIn }],
  [
    '/settings/applications/add',
    { get: applicationPage(addApplicationPage), post: applicationForm(submitAddApplication) },
  ],
  [
    '/settings/applications/:handle',
    { get: applicationPage(editApplicationPage), post: applicationForm(submitEditApplication) },
  ],
  [
    '/settings/plan',
    {
      get: memberPage(forAdministrators(planForm, ...PLAN)),
      post: memberForm(forAdministrators(changePlan, ...PLAN)),
    },
  ],
  ['/settings/permissions', { get: memberPage(authorizedAppsPage), post: memberForm(revokeApp) }],
]
