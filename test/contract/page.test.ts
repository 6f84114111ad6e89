import { expect, test } from 'vitest'
import { parseOrganizationId } from '../../src/contract/organization.ts'
import { isOwnPage, isSidePage, type Place, placeOf } from '../../src/contract/page.ts'

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

test('the organization has one page, and the side pages are those with an address of their own', () => {
  const names = [
    'home',
    'organization',
    'organizations',
    'ledger',
    'learnt',
    'sessions',
    'callback',
    'guide',
  ] as const
  const places = names.map((name) => ({ name }) as Place)
  expect(places.filter(isOwnPage).map(({ name }) => name)).toEqual(['home', 'organization'])
  expect(places.filter(isSidePage).map(({ name }) => name)).toEqual([
    'organizations',
    'ledger',
    'learnt',
    'sessions',
  ])
})
