import { expect, test } from 'vitest'
import {
  API_PREFIX,
  BFF,
  CSRF_HEADER,
  SERVICE_TIME_HEADER,
  SESSION_HEADER,
  SPEND_HEADER,
  SPENT_HEADER,
  TOKEN_HEADER,
} from '../../src/contract/api.ts'

test('no route of ours can be taken for one that is forwarded to the service (4)', () => {
  for (const path of Object.values(BFF)) expect(path.startsWith(`${API_PREFIX}/`)).toBe(false)
})

test('a form of another page can send none of the headers that we ask for (RFC 9110 5.1)', () => {
  const names = [CSRF_HEADER, SESSION_HEADER, SPEND_HEADER, SPENT_HEADER, SERVICE_TIME_HEADER, TOKEN_HEADER]
  for (const name of names) expect(name).toMatch(/^X-[A-Za-z-]+$/)
  expect(new Set(names).size).toBe(names.length)
})
