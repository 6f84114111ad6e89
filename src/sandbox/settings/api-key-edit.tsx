/** @jsxImportSource hono/jsx */
/** Edits, disables and deletes one API key (5.1.4). */
import { Description, type Key, keysFor, readDescription } from './api-key.tsx'
import { DisablingForm, changeDisabled } from './disabling.tsx'
import { type Faults, ErrorList, OwnForm, Sure } from './field.tsx'
import { API_KEYS } from './maximum.tsx'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { handleOf } from './secret.tsx'
import { goTo, settingsLink, writeSettings } from './settings-page.tsx'
import { revokeKey } from '../state/revoke.ts'
import { type ApiKey, lookUp } from '../state/state.ts'

type Answer = Response | Promise<Response>

/** What can be edited besides the description (U78). */
const HAS_NEW_VALUE: Record<Choices['keyedit'], boolean> = { description: false, description_and_value: true }

/** The page on which one key is edited and deleted (5.1.4). */
export const oneKey = (member: Member): Answer => {
  const key = findKey(member)
  return writeKey(member, key, key.description ?? '', {})
}

/** What is done with one key, by the name of the button. */
const ACTIONS: Record<string, (member: Member, key: Key, form: URLSearchParams) => Answer> = {
  save: (member, key, form) => {
    const { text, fault } = readDescription(form)
    if (fault !== undefined) return writeKey(member, key, text, { description: fault }, 422)
    changeKey(member, key, (known) => {
      if (text === '') delete known.description
      else known.description = text
    })
    return goTo(member, 'api-keys', 'key_saved')
  },
  renew: (member, key) => {
    if (!HAS_NEW_VALUE[member.context.choices.keyedit]) throw new Refusal('invalid_request')
    const value = member.context.nextRandom()
    const renewed = { ...structuredClone(key as ApiKey), value }
    const at = member.context.state.api_keys.findIndex((known) => known.value === key.value)
    revokeKey(member.context, key)
    member.context.change(({ api_keys }) => api_keys.splice(at, 0, renewed))
    return goTo(member, 'api-keys', 'key_renewed')
  },
  disable: (member, key) => {
    changeDisabled(member, API_KEYS, key, 'disable')
    return goTo(member, 'api-keys', 'key_disabled')
  },
  enable: (member, key) => {
    changeDisabled(member, API_KEYS, key, 'enable')
    return goTo(member, 'api-keys', 'key_enabled')
  },
  delete: (member, key) => {
    revokeKey(member.context, key)
    return goTo(member, 'api-keys', 'key_deleted')
  },
}

/** @throws Refusal `invalid_request` for an action that there is not, or that is not offered */
export function changeOneKey(member: Member, form: URLSearchParams): Answer {
  const key = findKey(member)
  const act = lookUp(ACTIONS, form.getAll('action').join(' '))
  if (act === undefined) throw new Refusal('invalid_request')
  return act(member, key, form)
}

/** The key that the address means. @throws Refusal `not_found`, also for one that somebody else manages */
function findKey(member: Member): Key {
  const handle = member.c.req.param('handle')
  const key = keysFor(member).find(({ value }) => handleOf(value) === handle)
  if (key === undefined) throw new Refusal('not_found')
  return key
}

const changeKey = ({ context }: Member, { value }: Key, edit: (key: ApiKey) => void): void =>
  context.change(({ api_keys }) => {
    for (const key of api_keys) if (key.value === value) edit(key)
  })

const writeKey = (member: Member, key: Key, description: string, faults: Faults, status = 200): Answer =>
  writeSettings(
    member,
    { title: 'Edit API key', status, isFaulty: status !== 200 },
    <>
      <section class="card">
        <ErrorList faults={faults} />
        <OwnForm member={member} class="form">
          <Description value={description} fault={faults['description']} />
          <div class="answers">
            <button class="primary" name="action" value="save">
              Save
            </button>
            <a class="button" href={settingsLink(member, 'api-keys')}>
              Cancel
            </a>
          </div>
        </OwnForm>
      </section>
      <DisablingForm member={member} kind={API_KEYS} issued={key} />
      {HAS_NEW_VALUE[member.context.choices.keyedit] && (
        <Sure
          member={member}
          action="renew"
          title="Make a new value"
          means="The key keeps its place and description. Whatever still sends the old value is refused."
        />
      )}
      <Sure
        member={member}
        action="delete"
        title="Delete API key"
        means="Whatever sends this key is refused, and its place on the plan is free. This cannot be undone."
      />
    </>,
  )
