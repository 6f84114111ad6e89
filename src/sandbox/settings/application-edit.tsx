/** @jsxImportSource hono/jsx */
/** Edits, disables and deletes one OAuth application, and gives it a new secret (5.2.5). */
import { ApplicationFields, type Entered, readApplication } from './application.tsx'
import { DisablingForm, changeDisabled } from './disabling.tsx'
import { type Faults, ErrorList, OwnForm, Sure } from './field.tsx'
import { APPLICATIONS } from './maximum.tsx'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { handleOf, isShownOnce } from './secret.tsx'
import { goTo, settingsLink, writeSettings } from './settings-page.tsx'
import { applicationsOf, redirectUrisOf } from '../state/registered.ts'
import { revokeApplicationTokens } from '../state/revoke.ts'
import { type Application, type Frozen, lookUp } from '../state/state.ts'
import { deleteExpired } from '../state/sweep.ts'

type Answer = Response | Promise<Response>
type Known = Frozen<Application>

/** What is offered besides deleting (U79). */
const OFFERS: Record<Choices['appedit'], { edit: boolean; newSecret: boolean }> = {
  edit_and_delete: { edit: true, newSecret: false },
  edit_delete_and_new_secret: { edit: true, newSecret: true },
  delete_only: { edit: false, newSecret: false },
}
const offersOf = ({ context }: Member) => OFFERS[context.choices.appedit]

/** The page on which one application is edited and deleted. */
export function oneApplication(member: Member): Answer {
  const application = findOne(member)
  return writeApplication(member, application, enteredOf(application), {})
}

/** What is done with one application, by the name of the button. */
const ACTIONS: Record<string, (member: Member, application: Known, form: URLSearchParams) => Answer> = {
  save: (member, application, form) => {
    if (!offersOf(member).edit) throw new Refusal('invalid_request')
    const { entered, faults, record } = readApplication(member, form)
    if (record === undefined) return writeApplication(member, application, entered, faults, 422)
    change(member, application, (known) => {
      delete known.description
      delete known.more_redirect_uris
      Object.assign(known, record)
    })
    dropQuestions(member, application, redirectUrisOf(record))
    return goTo(member, 'applications', 'application_saved')
  },
  renew: (member, application) => {
    if (!offersOf(member).newSecret) throw new Refusal('invalid_request')
    const { context } = member
    const client_secret = context.nextRandom()
    change(member, application, (known) => {
      known.client_secret = client_secret
      if (isShownOnce(context.choices)) known.secret_unseen = true
    })
    revokeApplicationTokens(context, application.client_id, 'secret')
    return goTo(member, 'applications', 'application_renewed')
  },
  disable: (member, application) => {
    changeDisabled(member, APPLICATIONS, application, 'disable')
    return goTo(member, 'applications', 'application_disabled')
  },
  enable: (member, application) => {
    changeDisabled(member, APPLICATIONS, application, 'enable')
    return goTo(member, 'applications', 'application_enabled')
  },
  delete: (member, { client_id }) => {
    revokeApplicationTokens(member.context, client_id, 'application')
    member.context.change((state) => {
      state.applications = state.applications.filter((known) => known.client_id !== client_id)
    })
    return goTo(member, 'applications', 'application_deleted')
  },
}

/** @throws Refusal `invalid_request` for an action that there is not, or that is not offered */
export function changeOneApplication(member: Member, form: URLSearchParams): Answer {
  const application = findOne(member)
  const act = lookUp(ACTIONS, form.getAll('action').join(' '))
  if (act === undefined) throw new Refusal('invalid_request')
  return act(member, application, form)
}

/** @throws Refusal `not_found` */
function findOne(member: Member): Known {
  const handle = member.c.req.param('handle')
  const known = applicationsOf(member.context.state, member.organization.id).find(
    ({ client_id }) => handleOf(client_id) === handle,
  )
  if (known === undefined) throw new Refusal('not_found')
  return known
}

const enteredOf = (application: Known): Entered => ({
  name: application.name,
  redirect_uri: redirectUrisOf(application).join('\n'),
  description: application.description ?? '',
})

const change = ({ context }: Member, { client_id }: Known, edit: (application: Application) => void): void =>
  context.change(({ applications }) => {
    for (const application of applications) if (application.client_id === client_id) edit(application)
  })

/** A question that is still open must not send anybody to an address that is no longer registered. */
const dropQuestions = ({ context }: Member, { client_id }: Known, uris: readonly string[]): void =>
  context.change(({ pending }) => {
    deleteExpired(pending, (asked) => asked.client_id === client_id && !uris.includes(asked.redirect_uri))
  })

const writeApplication = (
  member: Member,
  application: Known,
  entered: Entered,
  faults: Faults,
  status = 200,
): Answer => {
  const { edit, newSecret } = offersOf(member)
  return writeSettings(
    member,
    { title: `${edit ? 'Edit' : 'Delete'} application`, status, isFaulty: status !== 200 },
    <>
      {edit ? (
        <section class="card">
          <ErrorList faults={faults} />
          <OwnForm member={member} class="form">
            <ApplicationFields member={member} entered={entered} faults={faults} />
            <div class="answers">
              <button class="primary" name="action" value="save">
                Save
              </button>
              <a class="button" href={settingsLink(member, 'applications')}>
                Cancel
              </a>
            </div>
          </OwnForm>
        </section>
      ) : (
        <p class="lead">{application.name} cannot be edited, only deleted.</p>
      )}
      <DisablingForm member={member} kind={APPLICATIONS} issued={application} />
      {newSecret && (
        <Sure
          member={member}
          action="renew"
          title="Make a new secret"
          means="The Client Id stays. Whatever still sends the old secret is refused."
        />
      )}
      <Sure
        member={member}
        action="delete"
        title="Delete application"
        means="Its codes and tokens end with it, and its place on the plan is free. This cannot be undone."
      />
    </>,
  )
}
