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
import { parseOrganizationId } from '../../src/contract/organization.ts'
import { type Place, placeOf } from '../../src/contract/page.ts'

test.each<[string, Place]>([
  ['/', { name: 'home' }],
  ['/organizations/1001', { name: 'organization', id: parseOrganizationId('1001') }],
  ['/organizations/9007199254740993/', { name: 'organization', id: parseOrganizationId('9007199254740993') }],
  ['/organizations', { name: 'organizations' }],
  ['/ledger', { name: 'ledger' }],
  ['/learnt', { name: 'learnt' }],
  ['/sessions', { name: 'sessions' }],
  ['/callback', { name: 'callback' }],
  ['/guide', { name: 'guide' }],
  ['/organizations/', { name: 'unknown' }],
  ['/organizations/one', { name: 'unknown' }],
  ['/organizations/0', { name: 'unknown' }],
  ['/organizations/-1', { name: 'unknown' }],
  ['/organizations/%31', { name: 'unknown' }],
  ['/organizations/1001/members', { name: 'unknown' }],
  ['/my/organizations/1001', { name: 'unknown' }],
  ['/ledger/', { name: 'unknown' }],
])('at %s is the page %j', (pathname, place) => {
  expect(placeOf(pathname)).toEqual(place)
})

test('no route of ours can be taken for one that is forwarded to the service (4)', () => {
  for (const path of Object.values(BFF)) expect(path.startsWith(`${API_PREFIX}/`)).toBe(false)
})

test('a form of another page can send none of the headers that we ask for (RFC 9110 5.1)', () => {
  const names = [CSRF_HEADER, SESSION_HEADER, SPEND_HEADER, SPENT_HEADER, SERVICE_TIME_HEADER, TOKEN_HEADER]
  for (const name of names) expect(name).toMatch(/^X-[A-Za-z-]+$/)
  expect(new Set(names).size).toBe(names.length)
})
