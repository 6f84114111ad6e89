/** @jsxImportSource hono/jsx */
/** Edits, disables and deletes one API key (5.1.4). */
import type { Choices } from '../choices/choices.ts'
import { Refusal } from '../http/problem.tsx'
import { revokeKey } from '../state/revoke.ts'
import type { ApiKey } from '../state/seed.ts'
import { DescriptionField, type StoredKey, keysFor, readDescription } from './api-key.tsx'
import { disablingActions, type EditActions, runAction, writeEditPage } from './edit-page.tsx'
import type { FormErrors } from './field.tsx'
import { API_KEYS } from './maximum.tsx'
import type { Member } from './member.ts'
import { handleOf } from './secret.tsx'
import { redirectToSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

/** U78. */
const HAS_NEW_VALUE: Record<Choices['keyedit'], boolean> = { description: false, description_and_value: true }

export const editKeyPage = (member: Member): Answered => {
  const key = findKey(member)
  return writeKey(member, key, key.description ?? '', {})
}

const KEY_ACTIONS: EditActions<StoredKey> = {
  save: (member, key, form) => {
    const { text, error } = readDescription(form)
    if (error !== undefined) return writeKey(member, key, text, { description: error })
    changeKey(member, key, (stored) => {
      if (text === '') delete stored.description
      else stored.description = text
    })
    return redirectToSettings(member, 'api-keys', 'key_saved')
  },
  renew: (member, key) => {
    if (!HAS_NEW_VALUE[member.context.choices.keyedit]) throw new Refusal('invalid_request')
    const value = member.context.nextRandom()
    const renewed = { ...structuredClone(key as ApiKey), value }
    const at = member.context.state.api_keys.findIndex((stored) => stored.value === key.value)
    revokeKey(member.context, key)
    member.context.change(({ api_keys }) => api_keys.splice(at, 0, renewed))
    return redirectToSettings(member, 'api-keys', 'key_renewed')
  },
  ...disablingActions(API_KEYS, { disable: 'key_disabled', enable: 'key_enabled' }),
  delete: (member, key) => {
    revokeKey(member.context, key)
    return redirectToSettings(member, 'api-keys', 'key_deleted')
  },
}

/** @throws Refusal `invalid_request` for an action that is unknown or not offered */
export const submitEditKey = (member: Member, form: URLSearchParams): Answered =>
  runAction(KEY_ACTIONS, member, findKey(member), form)

/** @throws Refusal `not_found`, also if the person may not manage the key */
function findKey(member: Member): StoredKey {
  const handle = member.c.req.id
  const key = keysFor(member).find(({ value }) => handleOf(value) === handle)
  if (key === undefined) throw new Refusal('not_found')
  return key
}

const changeKey = ({ context }: Member, { value }: StoredKey, edit: (key: ApiKey) => void): void =>
  context.change(({ api_keys }) => {
    for (const key of api_keys) if (key.value === value) edit(key)
  })

const writeKey = (member: Member, key: StoredKey, description: string, errors: FormErrors): Answered =>
  writeEditPage(member, {
    kind: API_KEYS,
    issued: key,
    title: 'Edit API key',
    fields: <DescriptionField value={description} error={errors['description']} />,
    errors,
    renewal: HAS_NEW_VALUE[member.context.choices.keyedit]
      ? {
          title: 'Make a new value',
          means: 'The description stays. Requests with the old value are refused.',
        }
      : undefined,
    deletion: 'Requests with this key are refused, and another key can be added. This cannot be undone.',
  })
