import { expect, test } from 'vitest'
import { clientOf } from '../../../src/web/session/client.ts'
import { clearSession, setSession } from '../../../src/web/session/session.ts'
import { SESSION } from '../_month.tsx'

test('what the page knows goes with the session, and stays while it is the same one', () => {
  setSession(SESSION)
  const client = clientOf(SESSION, () => {})
  setSession({ ...SESSION, ends_in: 1 })
  expect(clientOf(SESSION, () => {})).toBe(client)
  setSession({ ...SESSION, id: 'another' })
  expect(clientOf(SESSION, () => {})).not.toBe(client)
  setSession(SESSION)
  const again = clientOf(SESSION, () => {})
  clearSession()
  expect(clientOf(SESSION, () => {})).not.toBe(again)
})
