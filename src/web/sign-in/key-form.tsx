import { isApiKey } from '../../contract/credential.ts'
import { postSession } from '../lib/api.ts'
import { OneField, type Reports } from './one-field.tsx'
import { currentAddress } from './return-to.ts'
import { changeSession } from '../session/session.ts'
import { text } from '../text/text.ts'

export const KEY_FIELD = 'api-key'

export function KeyForm({ onProblem }: Reports) {
  const t = text().signIn.key
  const send = async (typed: string): Promise<void> => {
    await postSession({ api_key: typed.trim() })
    changeSession(currentAddress(), { hasRead: true })
  }
  return (
    <OneField
      label={t.label}
      input={{ id: KEY_FIELD, type: 'password' }}
      initial=""
      hint={() => t.hint}
      errorOf={keyError}
      button={{ kind: undefined, label: t.button, busy: t.busy }}
      send={send}
      onProblem={onProblem}
    />
  )
}

function keyError(typed: string): string {
  const t = text().signIn.key
  if (isApiKey(typed.trim())) return ''
  return typed.trim() === '' ? t.empty : t.invalid
}
