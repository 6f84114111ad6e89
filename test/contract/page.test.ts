import { expect, test } from 'vitest'
import * as api from '../../src/contract/api.ts'
import { parseOrganizationId } from '../../src/contract/organization.ts'
import { type Place, placeOf } from '../../src/contract/page.ts'
import { planPage } from '../../src/contract/readings.ts'

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
  for (const path of Object.values(api.BFF)) expect(path.startsWith(`${api.API_PREFIX}/`)).toBe(false)
})

test('a form of another page can send none of the headers that we ask for (RFC 9110 5.1)', () => {
  const names = Object.entries(api).flatMap(([name, value]) => (name.endsWith('_HEADER') ? [value] : []))
  for (const name of names) expect(name).toMatch(/^X-[A-Za-z-]+$/)
  expect(new Set(names).size).toBe(7)
})

test('the plan page is below the address of the service, and names the organization if it is known (8.3)', () => {
  expect(planPage('https://tasks.example/app', '1001')).toBe(
    'https://tasks.example/app/plan?organization_id=1001',
  )
  expect(planPage('https://tasks.example', undefined)).toBe('https://tasks.example/plan')
})
