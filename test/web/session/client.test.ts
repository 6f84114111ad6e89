import { expect, test } from 'vitest'
import { beforeQuery } from '../../../src/web/record/queries.ts'
import { clientOf } from '../../../src/web/session/client.ts'
import { clearSession, forgetSession, setSession } from '../../../src/web/session/session.ts'
import { SESSION } from '../_month.tsx'

test('the page’s data goes with the session, and stays while it is the same one', () => {
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

test('the answer before the last press goes with the session', () => {
  const dataOf = () => clientOf(SESSION, () => {}).getQueryData(beforeQuery(SESSION).queryKey)
  setSession(SESSION)
  clientOf(SESSION, () => {}).setQueryData(beforeQuery(SESSION).queryKey, { text: '{}', readAtMs: 0 })
  expect(dataOf()).toBeDefined()
  forgetSession({ kind: 'done' })
  expect(dataOf()).toBeUndefined()
})
