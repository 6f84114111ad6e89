/** @jsxImportSource hono/jsx */
/** The API key setting: the list of issued keys, and "add API key" (5.1). */
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
import { AddAction, API_KEYS, assertOffered, refuseAtMaximum } from './maximum.tsx'
import type { Member } from './member.ts'
import { handleOf, Secret } from './secret.tsx'
import { goTo, settingsLink, writeSettings } from './settings-page.tsx'
import { keysOf } from '../state/registered.ts'
import type { ApiKey, Frozen } from '../state/state.ts'

type Answer = Response | Promise<Response>
export type Key = Frozen<ApiKey>

const TITLE = 'API key setting'
const LONGEST_DESCRIPTION = 200

/** The keys that this person manages. */
export const keysFor = ({ context, organization, person, isAdministrator }: Member): readonly Key[] =>
  keysOf(context.state, organization.id).filter(({ issued_by }) => isAdministrator || issued_by === person.id)

/** The list (5.1.1, 5.1.3). */
export function keyList(member: Member): Answer {
  const { context, organization } = member
  const keys = keysFor(member)
  const others = keysOf(context.state, organization.id).length - keys.length
  const nameOf = (id: string) => context.state.people.find((person) => person.id === id)?.name ?? id
  return writeSettings(
    member,
    { title: TITLE },
    <>
      <AddAction member={member} kind={API_KEYS} />
      {keys.length === 0 && (
        <p class="empty">{others === 0 ? 'No API key is issued yet.' : 'You have no API key.'}</p>
      )}
      <ul class="issued">
        {keys.map((key) => (
          <li key={handleOf(key.value)} class="card">
            <h2>
              {key.description ?? 'Without a description'} <StateChip issued={key} />
            </h2>
            <dl class="facts">
              <div>
                <dt>API key</dt>
                <dd>
                  <Secret
                    member={member}
                    value={key.value}
                    name={`the key ${key.description ?? ''}`}
                    path="api-keys"
                  />
                </dd>
              </div>
              <div>
                <dt>Issued by</dt>
                <dd>{nameOf(key.issued_by)}</dd>
              </div>
            </dl>
            <p class="links">
              <a href={settingsLink(member, `api-keys/${handleOf(key.value)}`)}>
                Edit or delete<span class="aside"> {key.description ?? 'the key without a description'}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p class="quiet">
          {others === 1 ? 'One more was' : `${others} more were`} issued by others. Administrators can see
          them.
        </p>
      )}
      <p class="quiet">
        A key is sent with every request, in the header <code>X-Service-Api-Key</code>.
      </p>
    </>,
  )
}

/** The form behind "add API key" (5.1.2), empty. */
export function newKey(member: Member): Answer {
  assertOffered(member, API_KEYS)
  return writeNewKey(member, '', {})
}

/** Issues a key, for the description that may be entered and the agreement that must be ticked (5.1.2). */
export function issueKey(member: Member, form: URLSearchParams): Answer {
  const reason = refuseAtMaximum(member, API_KEYS)
  const { text, fault } = readDescription(form)
  const faults = { form: reason, description: fault, agreement: readAgreement(form) }
  if (hasErrors(faults)) return writeNewKey(member, text, faults, reason === undefined ? 422 : 409)
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
  return goTo(member, 'api-keys', 'key_issued')
}

export const readDescription = (form: URLSearchParams) =>
  readText(form, 'description', { label: 'Description', longest: LONGEST_DESCRIPTION })

export const Description = ({ value, fault }: { value: string; fault: string | undefined }) => (
  <Field
    name="description"
    label="Description"
    hint="What the key is for, so that you know later which one to delete."
    value={value}
    fault={fault}
    longest={LONGEST_DESCRIPTION}
  />
)

const writeNewKey = (member: Member, description: string, faults: Faults, status = 200): Answer =>
  writeSettings(
    member,
    { title: 'Add API key', status, isFaulty: status !== 200 },
    <section class="card">
      <ErrorList faults={faults} />
      <OwnForm member={member} class="form">
        <Description value={description} fault={faults['description']} />
        <Agreement fault={faults['agreement']} />
        <div class="answers">
          <button class="primary">Add API key</button>
          <a class="button" href={settingsLink(member, 'api-keys')}>
            Cancel
          </a>
        </div>
      </OwnForm>
    </section>,
  )
