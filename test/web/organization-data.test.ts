import { expect, test } from 'vitest'
import { beforeQuery, freshQuery } from '../../src/web/organization-data.ts'
import { createQueryClient } from '../../src/web/query.ts'
import { forgetSession } from '../../src/web/session.ts'
import { SESSION } from './_month.tsx'

test('what the page showed before goes with the session', () => {
  const client = createQueryClient(() => {})
  client.setQueryData(beforeQuery(SESSION).queryKey, { text: '{}', readAtMs: 0 })
  client.setQueryData(freshQuery(SESSION).queryKey, true)
  forgetSession(client, { kind: 'done' })
  expect(client.getQueryData(beforeQuery(SESSION).queryKey)).toBeUndefined()
  expect(client.getQueryData(freshQuery(SESSION).queryKey)).toBeUndefined()
})
