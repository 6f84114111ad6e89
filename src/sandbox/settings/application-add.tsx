/** @jsxImportSource hono/jsx */
/** The action "add application" (5.2.3). */
import { ApplicationFields, type ApplicationValues, readApplication } from './application-form.tsx'
import { Agreement, ErrorList, type FormErrors, hasErrors, OwnForm, readAgreement } from './field.tsx'
import { APPLICATIONS, assertOffered, refuseAtMaximum } from './maximum.tsx'
import type { Member } from './member.ts'
import { isShownOnce } from './secret.tsx'
import { redirectToSettings, settingsLink, writeSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

export function addApplicationPage(member: Member): Answered {
  assertOffered(member, APPLICATIONS)
  return writeAddApplication(member, { name: '', redirect_uri: '', description: '' }, {})
}

/** The application gets its Client Id and Client Secret (5.2.3, 5.2.4). */
export function submitAddApplication(member: Member, form: URLSearchParams): Answered {
  const reason = refuseAtMaximum(member, APPLICATIONS)
  const { values, errors: fieldErrors, record } = readApplication(member, form)
  const errors = { form: reason, ...fieldErrors, agreement: readAgreement(form) }
  if (hasErrors(errors) || record === undefined)
    return writeAddApplication(member, values, errors, reason === undefined ? 422 : 409)
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
  return redirectToSettings(member, 'applications', 'application_added')
}

const writeAddApplication = (
  member: Member,
  values: ApplicationValues,
  errors: FormErrors,
  status = 200,
): Answered =>
  writeSettings(
    member,
    { title: 'Add application', status, hasErrors: status !== 200 },
    <section class="card">
      <ErrorList errors={errors} />
      <OwnForm member={member} class="form">
        <ApplicationFields member={member} values={values} errors={errors} />
        <Agreement error={errors['agreement']} />
        <div class="answers">
          <button class="primary">Add application</button>
          <a class="button" href={settingsLink(member, 'applications')}>
            Cancel
          </a>
        </div>
      </OwnForm>
    </section>,
  )
