/** @jsxImportSource hono/jsx */
/** The API key setting: the list of issued keys and the action "add API key" (5.1). */
import { keysOf } from '../state/registered.ts'
import type { ApiKey } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { StateChip } from './disabling.tsx'
import {
  Agreement,
  ErrorList,
  Field,
  type FormErrors,
  hasErrors,
  OwnForm,
  readAgreement,
  readText,
} from './field.tsx'
import { AddAction, API_KEYS, assertOffered, refuseAtMaximum } from './maximum.tsx'
import type { Member } from './member.ts'
import { handleOf, Secret } from './secret.tsx'
import { redirectToSettings, settingsLink, writeSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

export type StoredKey = DeepReadonly<ApiKey>

const LONGEST_KEY_DESCRIPTION = 200

export const keysFor = ({ context, organization, person, isAdministrator }: Member): readonly StoredKey[] =>
  keysOf(context.state, organization.id).filter(({ issued_by }) => isAdministrator || issued_by === person.id)

/** Sections 5.1.1 and 5.1.3. */
export function keyListPage(member: Member): Answered {
  const { context, organization } = member
  const keys = keysFor(member)
  const others = keysOf(context.state, organization.id).length - keys.length
  return writeSettings(
    member,
    { title: 'API key setting' },
    <>
      <AddAction member={member} kind={API_KEYS} />
      {keys.length === 0 && (
        <p class="empty">{others === 0 ? 'No API key is issued yet.' : 'You have no API key.'}</p>
      )}
      <ul class="issued">
        {keys.map((key) => (
          <KeyCard key={handleOf(key.value)} member={member} apiKey={key} />
        ))}
      </ul>
      {others > 0 && (
        <p class="quiet">
          {others === 1 ? 'One more was' : `${others} more were`} issued by others. Administrators can see
          them.
        </p>
      )}
      <p class="quiet">
        Send a key in the header <code>X-Service-Api-Key</code> of every request.
      </p>
    </>,
  )
}

const KeyCard = ({ member, apiKey }: { member: Member; apiKey: StoredKey }) => {
  const { value, description, issued_by } = apiKey
  const issuer = member.context.state.people.find(({ id }) => id === issued_by)
  return (
    <li class="card">
      <h2>
        {description ?? 'Without a description'} <StateChip issued={apiKey} />
      </h2>
      <dl class="facts">
        <div>
          <dt>API key</dt>
          <dd>
            <Secret member={member} value={value} name={`the key ${description ?? ''}`} path="api-keys" />
          </dd>
        </div>
        <div>
          <dt>Issued by</dt>
          <dd>{issuer?.name ?? issued_by}</dd>
        </div>
      </dl>
      <p class="links">
        <a href={settingsLink(member, `api-keys/${handleOf(value)}`)}>
          Edit or delete<span class="aside"> {description ?? 'the key without a description'}</span>
        </a>
      </p>
    </li>
  )
}

/** Section 5.1.2. */
export function addKeyPage(member: Member): Answered {
  assertOffered(member, API_KEYS)
  return writeAddKey(member, '', {})
}

/** The description is optional, the agreement required (5.1.2). */
export function submitAddKey(member: Member, form: URLSearchParams): Answered {
  const reason = refuseAtMaximum(member, API_KEYS)
  const { text, error } = readDescription(form)
  const errors = { form: reason, description: error, agreement: readAgreement(form) }
  if (hasErrors(errors)) return writeAddKey(member, text, errors, reason === undefined ? 422 : 409)
  const { context, organization, person } = member
  const value = context.nextRandom()
  context.change(({ api_keys }) => {
    api_keys.push({
      value,
      ...(text !== '' && { description: text }),
      organization_id: organization.id,
      issued_by: person.id,
    })
  })
  return redirectToSettings(member, 'api-keys', 'key_issued')
}

export const readDescription = (form: URLSearchParams) =>
  readText(form, 'description', { label: 'Description', longest: LONGEST_KEY_DESCRIPTION })

export const DescriptionField = ({ value, error }: { value: string; error: string | undefined }) => (
  <Field
    name="description"
    label="Description"
    hint="What the key is used for."
    value={value}
    error={error}
    longest={LONGEST_KEY_DESCRIPTION}
  />
)

const writeAddKey = (member: Member, description: string, errors: FormErrors, status = 200): Answered =>
  writeSettings(
    member,
    { title: 'Add API key', status, hasErrors: status !== 200 },
    <section class="card">
      <ErrorList errors={errors} />
      <OwnForm member={member} class="form">
        <DescriptionField value={description} error={errors['description']} />
        <Agreement error={errors['agreement']} />
        <div class="answers">
          <button class="primary">Add API key</button>
          <a class="button" href={settingsLink(member, 'api-keys')}>
            Cancel
          </a>
        </div>
      </OwnForm>
    </section>,
  )
