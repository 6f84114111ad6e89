import { expect, test } from 'vitest'
import { beforeQuery } from '../../../src/web/record/queries.ts'
import { clientOf } from '../../../src/web/session/client.ts'
import { forgetSession, setSession } from '../../../src/web/session/session.ts'
import { SESSION } from '../_month.tsx'

test('what the page showed before goes with the session', () => {
  const dataOf = () => clientOf(SESSION, () => {}).getQueryData(beforeQuery(SESSION).queryKey)
  setSession(SESSION)
  clientOf(SESSION, () => {}).setQueryData(beforeQuery(SESSION).queryKey, { text: '{}', readAtMs: 0 })
  expect(dataOf()).toBeDefined()
  forgetSession({ kind: 'done' })
  expect(dataOf()).toBeUndefined()
})
