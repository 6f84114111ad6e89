/** @jsxImportSource hono/jsx */
/** The screens of one kind of credential: the list, and the forms that add, edit and delete (5.1, 5.2). */
import { valueOf } from '../http/form.ts'
import { type Answered, type Handler, queryOf, write } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import { ownValue } from '../state/state.ts'
import { Agreement, ErrorList, Field, type FormErrors, OwnForm, readAgreement, readFields } from './field.tsx'
import { type Credential, type CredentialKind, maximumOf, maximumReason, planName } from './kind.ts'
import { administratorsHint, settingsLink, writeSettings } from './frame.tsx'
import { csrfTokenOf, type Member, memberForm, memberPage } from './member.ts'

/** Shown after a form was accepted. The address of the page has the key. */
const CONFIRMATIONS: Record<string, (kind: CredentialKind) => string> = {
  added: ({ one, participle }) => `The ${one} was ${participle}.`,
  saved: ({ one }) => `The ${one} was saved.`,
  deleted: ({ one }) => `The ${one} was deleted.`,
}

/** RFC 9700 4.12: after a 303, a reload does not send the form again. */
const redirectToList = (member: Member, { path }: CredentialKind, done: string): Answered =>
  write(member.c, 303, null, { Location: settingsLink(member, path, `&done=${done}`) })

function listPage(member: Member, kind: CredentialKind): Answered {
  const credentials = kind.list(member)
  const others = kind.count(member) - credentials.length
  const done = ownValue(CONFIRMATIONS, valueOf(queryOf(member.c), 'done') ?? '')
  return writeSettings(
    member,
    { title: kind.title },
    <>
      {done && <output>{done(kind)}</output>}
      <AddAction member={member} kind={kind} />
      {credentials.length === 0 && (
        <p class="quiet">
          {others === 0 ? `No ${kind.one} is ${kind.participle} yet.` : `You have no ${kind.one}.`}
        </p>
      )}
      {credentials.map((one) => (
        <Card key={one.handle} credential={one} href={settingsLink(member, `${kind.path}/${one.handle}`)} />
      ))}
      {others > 0 && (
        <p class="quiet">
          {others === 1 ? 'One more was' : `${others} more were`} {kind.participle} by others. Administrators
          can see them.
        </p>
      )}
      <p class="quiet">{kind.help}</p>
    </>,
  )
}

/** Has count and maximum. At the maximum it is disabled and shows the reason (8.1). */
const AddAction = ({ member, kind }: { member: Member; kind: CredentialKind }) => {
  const reason = maximumReason(member, kind)
  return (
    <div class="row spread">
      <p>
        <strong>
          {kind.count(member)} of {maximumOf(member, kind)}
        </strong>{' '}
        {kind.participle} on the {planName(member.organization)} plan
      </p>
      {reason === undefined ? (
        <a class="button primary" href={settingsLink(member, `${kind.path}/add`)}>
          <span class="capital">{kind.action}</span>
        </a>
      ) : (
        <>
          <button type="button" disabled aria-describedby="maximum">
            <span class="capital">{kind.action}</span>
          </button>
          <p class="hint" id="maximum">
            {reason} Delete one first.
          </p>
        </>
      )}
    </div>
  )
}

const Card = ({ credential, href }: { credential: Credential; href: string }) => (
  <section>
    <h2>{credential.name}</h2>
    {credential.description && <p>{credential.description}</p>}
    <dl>
      {credential.facts.map(([name, value, isExact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isExact ? <code>{value}</code> : value}</dd>
        </div>
      ))}
    </dl>
    {credential.warning && <p class="hint">{credential.warning}</p>}
    <p>
      <a href={href} aria-label={`Edit or delete ${credential.name}`}>
        Edit or delete
      </a>
    </p>
  </section>
)

interface FormContent {
  values?: Record<string, string>
  errors?: FormErrors
  /** Absent if the form adds one. */
  edited?: Credential
}

function writeForm(member: Member, kind: CredentialKind, { values = {}, errors = {}, edited }: FormContent) {
  const title = edited ? `Edit ${kind.one}` : `Add ${kind.one}`
  const csrfToken = csrfTokenOf(member.c)
  return writeSettings(
    member,
    { title, status: Object.keys(errors).length === 0 ? 200 : 422 },
    <>
      <section>
        <ErrorList errors={errors} />
        <OwnForm csrfToken={csrfToken}>
          {kind.fields.map((rule) => (
            <Field key={rule.name} rule={rule} value={values[rule.name] ?? ''} error={errors[rule.name]} />
          ))}
          {!edited && <Agreement error={errors['agreement']} />}
          <div class="row">
            <button class="primary" {...(edited && { name: 'action', value: 'save' })}>
              {edited ? 'Save' : title}
            </button>
            <a class="button" href={settingsLink(member, kind.path)}>
              Cancel
            </a>
          </div>
        </OwnForm>
      </section>
      {edited && (
        <details>
          <summary>Delete {kind.one}</summary>
          <OwnForm csrfToken={csrfToken}>
            <p>{kind.deletion}</p>
            <div class="row">
              <button class="danger" name="action" value="delete">
                Delete {kind.one}
              </button>
            </div>
          </OwnForm>
        </details>
      )}
    </>,
  )
}

/** @throws Refusal `maximum_reached` (8.1): no form is filled in to be refused */
function assertBelowMaximum(member: Member, kind: CredentialKind): void {
  const description = maximumReason(member, kind)
  if (description !== undefined) throw new Refusal('maximum_reached', { description })
}

function addPage(member: Member, kind: CredentialKind): Answered {
  assertBelowMaximum(member, kind)
  return writeForm(member, kind, {})
}

function submitAdd(member: Member, kind: CredentialKind, form: URLSearchParams): Answered {
  assertBelowMaximum(member, kind)
  const { values, errors } = readFields(kind.fields, form)
  const all = { ...errors, ...readAgreement(form) }
  if (Object.keys(all).length > 0) return writeForm(member, kind, { values, errors: all })
  kind.add(member, values)
  return redirectToList(member, kind, 'added')
}

/** @throws Refusal `not_found`, also if the person may not manage it */
function credentialOf(member: Member, kind: CredentialKind): Credential {
  const found = kind.list(member).find(({ handle }) => handle === member.c.req.param('handle'))
  if (found === undefined) throw new Refusal('not_found')
  return found
}

function editPage(member: Member, kind: CredentialKind): Answered {
  const edited = credentialOf(member, kind)
  return writeForm(member, kind, { edited, values: edited.values })
}

/** @throws Refusal `invalid_request` for an unknown action */
function submitEdit(member: Member, kind: CredentialKind, form: URLSearchParams): Answered {
  const edited = credentialOf(member, kind)
  const action = form.getAll('action').join(' ')
  if (action === 'delete') {
    edited.remove()
    return redirectToList(member, kind, 'deleted')
  }
  if (action !== 'save') throw new Refusal('invalid_request')
  const { values, errors } = readFields(kind.fields, form)
  if (Object.keys(errors).length > 0) return writeForm(member, kind, { edited, values, errors })
  edited.change(values)
  return redirectToList(member, kind, 'saved')
}

type Screen = (member: Member, kind: CredentialKind, form: URLSearchParams) => Answered
const NO_FORM = new URLSearchParams()

/** The document names no paths; these are ours. `post: undefined` takes the sign-in form alone. */
export function screensOf(
  kind: CredentialKind,
): [path: string, handlers: { get: Handler; post?: Handler }][] {
  const forPeople = (screen: Screen) => (member: Member, form: URLSearchParams) =>
    kind.isFor(member)
      ? screen(member, kind, form)
      : writeSettings(member, { title: kind.title, status: 403 }, <p>{administratorsHint(member, kind)}</p>)
  const page = (screen: Screen) => memberPage((member) => forPeople(screen)(member, NO_FORM))
  const form = (screen: Screen) => memberForm(forPeople(screen))
  return [
    [`/settings/${kind.path}`, { get: page(listPage) }],
    [`/settings/${kind.path}/add`, { get: page(addPage), post: form(submitAdd) }],
    [`/settings/${kind.path}/:handle`, { get: page(editPage), post: form(submitEdit) }],
  ]
}
