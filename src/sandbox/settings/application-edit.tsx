/** @jsxImportSource hono/jsx */
/** Edits, disables and deletes one OAuth application, and gives it a new secret (5.2.5). */
import type { Choices } from '../choices/choices.ts'
import { Refusal } from '../http/problem.tsx'
import { applicationsOf, redirectUrisOf } from '../state/registered.ts'
import { revokeApplicationTokens } from '../state/revoke.ts'
import type { Application } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { deleteExpired } from '../state/sweep.ts'
import { ApplicationFields, type ApplicationValues, readApplication } from './application-form.tsx'
import { disablingActions, type EditActions, runAction, writeEditPage } from './edit-page.tsx'
import type { FormErrors } from './field.tsx'
import { APPLICATIONS } from './maximum.tsx'
import type { Member } from './member.ts'
import { handleOf, isShownOnce } from './secret.tsx'
import { redirectToSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

type StoredApplication = DeepReadonly<Application>

/** U79: the actions besides deleting. */
const OFFERS: Record<Choices['appedit'], { edit: boolean; newSecret: boolean }> = {
  edit_and_delete: { edit: true, newSecret: false },
  edit_delete_and_new_secret: { edit: true, newSecret: true },
  delete_only: { edit: false, newSecret: false },
}
const offersOf = ({ context }: Member) => OFFERS[context.choices.appedit]

export function editApplicationPage(member: Member): Answered {
  const application = findApplication(member)
  return writeApplication(member, application, valuesOf(application), {})
}

const APPLICATION_ACTIONS: EditActions<StoredApplication> = {
  save: (member, application, form) => {
    if (!offersOf(member).edit) throw new Refusal('invalid_request')
    const { values, errors, record } = readApplication(member, form)
    if (record === undefined) return writeApplication(member, application, values, errors)
    changeApplication(member, application, (stored) => {
      delete stored.description
      delete stored.more_redirect_uris
      Object.assign(stored, record)
    })
    dropPending(member, application, redirectUrisOf(record))
    return redirectToSettings(member, 'applications', 'application_saved')
  },
  renew: (member, application) => {
    if (!offersOf(member).newSecret) throw new Refusal('invalid_request')
    const { context } = member
    const client_secret = context.nextRandom()
    changeApplication(member, application, (stored) => {
      stored.client_secret = client_secret
      if (isShownOnce(context.choices)) stored.secret_unseen = true
    })
    revokeApplicationTokens(context, application.client_id, 'secret')
    return redirectToSettings(member, 'applications', 'application_renewed')
  },
  ...disablingActions(APPLICATIONS, { disable: 'application_disabled', enable: 'application_enabled' }),
  delete: (member, { client_id }) => {
    revokeApplicationTokens(member.context, client_id, 'application')
    member.context.change((state) => {
      state.applications = state.applications.filter((stored) => stored.client_id !== client_id)
    })
    return redirectToSettings(member, 'applications', 'application_deleted')
  },
}

/** @throws Refusal `invalid_request` for an action that is unknown or not offered */
export const submitEditApplication = (member: Member, form: URLSearchParams): Answered =>
  runAction(APPLICATION_ACTIONS, member, findApplication(member), form)

/** @throws Refusal `not_found` */
function findApplication(member: Member): StoredApplication {
  const handle = member.c.req.id
  const found = applicationsOf(member.context.state, member.organization.id).find(
    ({ client_id }) => handleOf(client_id) === handle,
  )
  if (found === undefined) throw new Refusal('not_found')
  return found
}

const valuesOf = (application: StoredApplication): ApplicationValues => ({
  name: application.name,
  redirect_uri: redirectUrisOf(application).join('\n'),
  description: application.description ?? '',
})

const changeApplication = (
  { context }: Member,
  { client_id }: StoredApplication,
  edit: (application: Application) => void,
): void =>
  context.change(({ applications }) => {
    for (const application of applications) if (application.client_id === client_id) edit(application)
  })

/** An open consent page must not redirect to an address that is no longer registered. */
const dropPending = ({ context }: Member, { client_id }: StoredApplication, uris: readonly string[]): void =>
  context.change(({ pending }) => {
    deleteExpired(pending, (asked) => asked.client_id === client_id && !uris.includes(asked.redirect_uri))
  })

function writeApplication(
  member: Member,
  application: StoredApplication,
  values: ApplicationValues,
  errors: FormErrors,
): Answered {
  const { edit, newSecret } = offersOf(member)
  return writeEditPage(member, {
    kind: APPLICATIONS,
    issued: application,
    title: `${edit ? 'Edit' : 'Delete'} application`,
    ...(edit
      ? { fields: <ApplicationFields member={member} values={values} errors={errors} /> }
      : { note: `${application.name} cannot be edited, only deleted.` }),
    errors,
    renewal: newSecret
      ? {
          title: 'Make a new secret',
          means: 'The Client Id stays. Requests with the old secret are refused.',
        }
      : undefined,
    deletion: 'Its codes and tokens end, and another application can be added. This cannot be undone.',
  })
}
