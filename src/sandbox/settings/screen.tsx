/** @jsxImportSource hono/jsx */
/** The settings: the first screen, and a list and forms for each kind of credential (5.1, 5.2). */
import type { Child } from 'hono/jsx'
import { type Answered, type Handler, Refusal, write } from '../http/handler.ts'
import { Facts, Links, linkTo, writePage } from '../http/page.tsx'
import { derive } from '../state/seed.ts'
import { AGREEMENT, Field, type FormErrors, readFields } from './field.tsx'
import {
  administratorsHint,
  type Credential,
  countText,
  csrfTokenOf,
  isAtMaximum,
  KINDS,
  type Kind,
  type Member,
  memberForm,
  memberPage,
  type Values,
  visibleTo,
} from './kind.ts'

/** @param path below `/settings` */
const settingsLink = ({ c, organization }: Member, path: string): string =>
  linkTo(c, `settings/${path}?organization_id=${organization.id}`)

function writeSettings(
  member: Member,
  { title, status = 200 }: { title: string; status?: number },
  content: Child,
): Answered {
  const { c, person, organization } = member
  return writePage(
    c,
    { title: `${status === 200 ? '' : 'Error: '}${title} of ${organization.name}`, person, status },
    <>
      <Links c={c} id={organization.id} of={organization.name} />
      <h1>{title}</h1>
      {content}
    </>,
  )
}

const settingsPage = (member: Member): Answered =>
  writeSettings(
    member,
    { title: 'Settings' },
    KINDS.map((kind) => (
      <section key={kind.path}>
        <h2>
          {kind.isFor(member) ? <a href={settingsLink(member, kind.path)}>{kind.title}</a> : kind.title}
        </h2>
        <p>{kind.isFor(member) ? countText(member, kind) : administratorsHint(member)}</p>
      </section>
    )),
  )

const handleOf = (kind: Kind, one: Credential): string => derive(kind.id(one), 'handle').slice(0, 16)

/** At the maximum the action is disabled, with the reason (8.1). */
function listPage(member: Member, kind: Kind): Answered {
  const credentials = visibleTo(member, kind)
  const isFull = isAtMaximum(member, kind)
  return writeSettings(
    member,
    { title: kind.title },
    <>
      <p id="count">{countText(member, kind)}</p>
      {isFull ? (
        <button type="button" disabled aria-describedby="count">
          {kind.action}
        </button>
      ) : (
        <a class="button primary" href={settingsLink(member, `${kind.path}/add`)}>
          {kind.action}
        </a>
      )}
      {credentials.length === 0 && <p>{`There is no ${kind.one} of yours.`}</p>}
      {credentials.map((one) => (
        <section key={kind.id(one)}>
          <h2>{kind.name(one)}</h2>
          <Facts facts={kind.facts(member.context, one)} />
          <a
            href={settingsLink(member, `${kind.path}/${handleOf(kind, one)}`)}
            aria-label={`Edit or delete ${kind.name(one)}`}
          >
            Edit or delete
          </a>
        </section>
      ))}
    </>,
  )
}

function writeForm(
  member: Member,
  kind: Kind,
  { values = {}, errors = {}, edited }: { values?: object; errors?: FormErrors; edited?: Credential },
) {
  const title = edited ? `Edit ${kind.one}` : `Add ${kind.one}`
  const isRefused = Object.keys(errors).length > 0
  return writeSettings(
    member,
    { title, status: isRefused ? 422 : 200 },
    <>
      {isRefused && <p role="alert">Nothing was saved: {Object.values(errors).join(' ')}</p>}
      <form method="post">
        <input type="hidden" name="csrf_token" value={csrfTokenOf(member.c)} />
        {fieldsOf(kind, edited).map((rule) => (
          <Field
            key={rule.name}
            rule={rule}
            value={(values as Values)[rule.name] ?? ''}
            error={errors[rule.name]}
          />
        ))}
        <button class="primary" name="action" value="save">
          {edited ? 'Save' : title}
        </button>{' '}
        {edited && (
          <button class="danger" name="action" value="delete" formnovalidate>
            Delete {kind.one}
          </button>
        )}
      </form>
    </>,
  )
}

const fieldsOf = ({ fields }: Kind, edited: Credential | undefined) =>
  edited ? fields : [...fields, AGREEMENT]

const filled = ({ fields }: Kind, values: Values): Values =>
  Object.fromEntries(fields.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : [])))

type Submit = (member: Member, kind: Kind, form: URLSearchParams) => Answered

/** RFC 9700 4.12: after a 303, a reload does not send the form again. */
const redirectToList = (member: Member, { path }: Kind): Answered =>
  write(member.c, 303, null, { Location: settingsLink(member, path) })

/** The one in the address; `undefined`: a new one. @throws Refusal `not_found`, `maximum_reached` (8.1) */
function editedBy(member: Member, kind: Kind): Credential | undefined {
  const handle = member.c.req.param('handle')
  if (handle === undefined && isAtMaximum(member, kind))
    throw new Refusal('maximum_reached', { description: `${countText(member, kind)}. Delete one first.` })
  const edited = visibleTo(member, kind).find((one) => handleOf(kind, one) === handle)
  if (handle !== undefined && edited === undefined) throw new Refusal('not_found')
  return edited
}

const formPage: Submit = (member, kind) => {
  const edited = editedBy(member, kind)
  return writeForm(member, kind, edited ? { edited, values: edited } : {})
}

const submitForm: Submit = (member, kind, form) => {
  const edited = editedBy(member, kind)
  const action = edited ? form.getAll('action').join(' ') : 'save'
  if (action !== 'save' && action !== 'delete') throw new Refusal('invalid_request')
  if (edited && action === 'delete') {
    kind.remove(member.context, edited)
    return redirectToList(member, kind)
  }
  const { values, errors } = readFields(fieldsOf(kind, edited), form)
  if (Object.keys(errors).length > 0)
    return writeForm(member, kind, { values, errors, ...(edited && { edited }) })
  if (edited) {
    delete edited.description
    kind.change(member.context, edited, filled(kind, values))
  } else kind.add(member, filled(kind, values))
  return redirectToList(member, kind)
}

const NO_FORM = new URLSearchParams()

/** By path below {base_url}; the document names none. Without `post`, a page takes the sign-in form alone. */
export const SETTINGS: [path: string, handlers: { get: Handler; post?: Handler }][] = [
  ['/settings', { get: memberPage(settingsPage) }],
  ...KINDS.flatMap((kind): [string, { get: Handler; post?: Handler }][] => {
    const forPeople = (submit: Submit) => (member: Member, form: URLSearchParams) =>
      kind.isFor(member)
        ? submit(member, kind, form)
        : writeSettings(member, { title: kind.title, status: 403 }, <p>{administratorsHint(member)}</p>)
    const page = (submit: Submit) => memberPage((member) => forPeople(submit)(member, NO_FORM))
    const form = (submit: Submit) => memberForm(forPeople(submit))
    return [
      [`/settings/${kind.path}`, { get: page(listPage) }],
      [`/settings/${kind.path}/add`, { get: page(formPage), post: form(submitForm) }],
      [`/settings/${kind.path}/:handle`, { get: page(formPage), post: form(submitForm) }],
    ]
  }),
]
