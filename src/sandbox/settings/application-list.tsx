/** @jsxImportSource hono/jsx */
/** The application setting: the list of registered OAuth applications (5.2.1, 5.2.4). */
import { applicationsOf, redirectUrisOf } from '../state/registered.ts'
import type { Application } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { StateChip } from './disabling.tsx'
import { AddAction, APPLICATIONS } from './maximum.tsx'
import type { Member } from './member.ts'
import { isUnprotected } from './redirect-uri.ts'
import { ApplicationSecret, handleOf } from './secret.tsx'
import { settingsLink, writeSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

/** Shows the Client Id and Client Secret of each application (5.2.4). */
export function applicationListPage(member: Member): Answered {
  const { c, context, organization } = member
  const applications = applicationsOf(context.state, organization.id)
  const answer = writeSettings(
    member,
    { title: 'Application setting' },
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

interface ApplicationProps {
  member: Member
  application: DeepReadonly<Application>
}

const ApplicationCard = ({ member, application }: ApplicationProps) => {
  const { name, description, client_id } = application
  return (
    <li class="card">
      <h2>
        {name} <StateChip issued={application} />
      </h2>
      {description !== undefined && <p>{description}</p>}
      <ApplicationFacts member={member} application={application} />
      {redirectUrisOf(application).some(isUnprotected) && (
        <p class="hint">
          With <code>http:</code> the code is sent unencrypted. That is acceptable on this machine only.
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

const ApplicationFacts = ({ member, application }: ApplicationProps) => {
  const { name, client_id, client_secret, secret_unseen = false } = application
  const uris = redirectUrisOf(application)
  return (
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
  )
}
