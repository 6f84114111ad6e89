/** @jsxImportSource hono/jsx */
/** The application setting: the list of registered OAuth applications, and "add application" (5.2). */
import { StateChip } from './disabling.tsx'
import {
  Agreement,
  type Faults,
  ErrorList,
  Field,
  hasErrors,
  OwnForm,
  readAgreement,
  readText,
} from './field.tsx'
import { isRepeated } from '../http/form.ts'
import { AddAction, APPLICATIONS, assertOffered, refuseAtMaximum } from './maximum.tsx'
import type { Member } from './member.ts'
import { isUnprotected, LONGEST_REDIRECT_URI, mostRedirectUris, readRedirectUris } from './redirect-uri.ts'
import { ApplicationSecret, handleOf, isShownOnce } from './secret.tsx'
import { goTo, settingsLink, writeSettings } from './settings-page.tsx'
import { applicationsOf, redirectUrisOf } from '../state/registered.ts'
import type { Application, Frozen } from '../state/state.ts'

type Answer = Response | Promise<Response>

const TITLE = 'Application setting'
const LONGEST_NAME = 100
const LONGEST_DESCRIPTION = 500

/** What is entered for an application (5.2.3), as it was typed. */
export interface Entered {
  name: string
  redirect_uri: string
  description: string
}

/** The list, with Client Id and Client Secret of each (5.2.4). */
export function applicationList(member: Member): Answer {
  const { c, context, organization } = member
  const applications = applicationsOf(context.state, organization.id)
  const answer = writeSettings(
    member,
    { title: TITLE },
    <>
      <AddAction member={member} kind={APPLICATIONS} />
      {applications.length === 0 && <p class="empty">No application is registered yet.</p>}
      <ul class="issued">
        {applications.map((application) => (
          <ApplicationCard key={application.client_id} member={member} application={application} />
        ))}
      </ul>
    </>,
  )
  if (c.req.method === 'GET' && applications.some(({ secret_unseen }) => secret_unseen))
    context.change((state) => {
      for (const application of state.applications)
        if (application.organization_id === organization.id) delete application.secret_unseen
    })
  return answer
}

const ApplicationCard = ({ member, application }: { member: Member; application: Frozen<Application> }) => {
  const { name, description, client_id, client_secret, secret_unseen = false } = application
  const uris = redirectUrisOf(application)
  return (
    <li class="card">
      <h2>
        {name} <StateChip issued={application} />
      </h2>
      {description !== undefined && <p>{description}</p>}
      <dl class="facts">
        <div>
          <dt>Client Id</dt>
          <dd>
            <code class="value">{client_id}</code>
          </dd>
        </div>
        <div>
          <dt>Client Secret</dt>
          <dd>
            <ApplicationSecret
              member={member}
              value={client_secret}
              name={`the secret of ${name}`}
              path="applications"
              isUnseen={secret_unseen}
            />
          </dd>
        </div>
        <div>
          <dt>{uris.length === 1 ? 'Redirect URI' : 'Redirect URIs'}</dt>
          {uris.map((uri) => (
            <dd key={uri}>
              <code class="value">{uri}</code>
            </dd>
          ))}
        </div>
      </dl>
      {uris.some(isUnprotected) && (
        <p class="hint">
          With <code>http:</code> nothing protects the code on its way. That does no harm on this machine, but
          anywhere else it does.
        </p>
      )}
      <p class="links">
        <a href={settingsLink(member, `applications/${handleOf(client_id)}`)}>
          Edit or delete<span class="aside"> {name}</span>
        </a>
      </p>
    </li>
  )
}

/** The form behind "add application" (5.2.3), empty. */
export function newApplication(member: Member): Answer {
  assertOffered(member, APPLICATIONS)
  return writeNewApplication(member, { name: '', redirect_uri: '', description: '' }, {})
}

/** Registers an application, which gets its Client Id and Client Secret (5.2.3, 5.2.4). */
export function registerApplication(member: Member, form: URLSearchParams): Answer {
  const reason = refuseAtMaximum(member, APPLICATIONS)
  const { entered, faults: entries, record } = readApplication(member, form)
  const faults = { form: reason, ...entries, agreement: readAgreement(form) }
  if (hasErrors(faults) || record === undefined)
    return writeNewApplication(member, entered, faults, reason === undefined ? 422 : 409)
  const { context, organization } = member
  const [client_id, client_secret] = [context.nextRandom().slice(0, 20), context.nextRandom()]
  context.change(({ applications }) => {
    applications.push({
      client_id,
      client_secret,
      ...record,
      ...(isShownOnce(context.choices) && { secret_unseen: true as const }),
      organization_id: organization.id,
    })
  })
  return goTo(member, 'applications', 'application_added')
}

type ApplicationRecord = Pick<Application, 'name' | 'redirect_uri' | 'more_redirect_uris' | 'description'>

/** @returns what was entered and what is wrong with it; the record only where nothing is */
export function readApplication(
  { context }: Member,
  form: URLSearchParams,
): { entered: Entered; faults: Faults; record?: ApplicationRecord } {
  const name = readText(form, 'name', { label: 'Application name', longest: LONGEST_NAME, isRequired: true })
  const description = readText(form, 'description', { label: 'Description', longest: LONGEST_DESCRIPTION })
  const redirect_uri = form.get('redirect_uri') ?? ''
  const read = isRepeated(form, 'redirect_uri')
    ? { fault: 'The redirect URI stands twice in the form.' }
    : readRedirectUris(redirect_uri, context.choices)
  const entered = { name: name.text, redirect_uri, description: description.text }
  const faults: Faults = {
    name: name.fault,
    redirect_uri: 'fault' in read ? read.fault : undefined,
    description: description.fault,
  }
  if ('fault' in read || hasErrors(faults)) return { entered, faults }
  const [first, ...more] = read.uris
  const record: ApplicationRecord = {
    name: name.text,
    redirect_uri: first,
    ...(more.length > 0 && { more_redirect_uris: more }),
    ...(description.text !== '' && { description: description.text }),
  }
  return { entered, faults, record }
}

/** The three fields of 5.2.3. */
export const ApplicationFields = ({
  member,
  entered,
  faults,
}: {
  member: Member
  entered: Entered
  faults: Faults
}) => {
  const most = mostRedirectUris(member.context.choices)
  return (
    <>
      <Field
        name="name"
        label="Application name"
        hint="People read it when the application asks for their permission."
        value={entered.name}
        fault={faults['name']}
        longest={LONGEST_NAME}
        required
      />
      <Field
        name="redirect_uri"
        label={most === 1 ? 'Redirect URI' : 'Redirect URIs'}
        hint={
          most === 1
            ? 'Where the service sends people back to, character by character as the application sends it.'
            : `Where the service sends people back to: one a line, at most ${most}.`
        }
        value={entered.redirect_uri}
        fault={faults['redirect_uri']}
        longest={most === 1 ? LONGEST_REDIRECT_URI : 8000}
        isAddress
        required
        {...(most > 1 && { lines: 4 })}
      />
      <Field
        name="description"
        label="Description"
        value={entered.description}
        fault={faults['description']}
        longest={LONGEST_DESCRIPTION}
        lines={3}
      />
    </>
  )
}

const writeNewApplication = (member: Member, entered: Entered, faults: Faults, status = 200): Answer =>
  writeSettings(
    member,
    { title: 'Add application', status, isFaulty: status !== 200 },
    <section class="card">
      <ErrorList faults={faults} />
      <OwnForm member={member} class="form">
        <ApplicationFields member={member} entered={entered} faults={faults} />
        <Agreement fault={faults['agreement']} />
        <div class="answers">
          <button class="primary">Add application</button>
          <a class="button" href={settingsLink(member, 'applications')}>
            Cancel
          </a>
        </div>
      </OwnForm>
    </section>,
  )
