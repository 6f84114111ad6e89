import { expect, test } from 'vitest'
import { API_PREFIX, BFF, CSRF_HEADER, SPEND_HEADER, SPENT_HEADER } from '../../src/contract/api.ts'

test('no route of ours can be taken for one that is forwarded to the service (4)', () => {
  for (const path of Object.values(BFF)) expect(path.startsWith(`${API_PREFIX}/`)).toBe(false)
})

test('a form of another page can send none of the headers that we ask for (RFC 9110 5.1)', () => {
  for (const name of [CSRF_HEADER, SPEND_HEADER, SPENT_HEADER]) expect(name).toMatch(/^X-[A-Za-z-]+$/)
  expect(SPEND_HEADER).not.toBe(SPENT_HEADER)
})
