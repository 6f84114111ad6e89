import { expect, test } from 'vitest'
import * as api from '../../src/contract/api.ts'
import { parseOrganizationId } from '../../src/contract/organization.ts'
import { isForStrangers, isOwnPage, isSidePage, type Place, placeOf } from '../../src/contract/page.ts'
import { planPage, readingShows } from '../../src/contract/readings.ts'
import { isKeptAddress, LONGEST_KEPT_ADDRESS } from '../../src/contract/session.ts'

const LINK = 'AZaz09_-AZaz09_-'

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
  ['/pair', { name: 'pair' }],
  [`/watch/${LINK}`, { name: 'watched', id: LINK }],
  [`/watch/${LINK}%23secret`, { name: 'watched', id: LINK }],
  [`/watch/${LINK}-`, { name: 'unknown' }],
  [`/my/watch/${LINK}`, { name: 'unknown' }],
  ['/watch/-', { name: 'unknown' }],
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

test('some pages show an organization, some stand beside it, and some open without a session', () => {
  const paths = ['/', '/organizations/1001', '/ledger', '/callback', '/guide', '/pair', `/watch/${LINK}`]
  const those = (is: (place: Place) => boolean) => paths.filter((path) => is(placeOf(path)))
  expect(those(isOwnPage)).toEqual(['/', '/organizations/1001'])
  expect(those(isSidePage)).toEqual(['/ledger'])
  expect(those(isForStrangers)).toEqual(['/pair', `/watch/${LINK}`])
})

test('only an address of this app is kept for after a sign-in, and no long one (5.3, RFC 9700 4.11)', () => {
  const longest = `/${'a'.repeat(LONGEST_KEPT_ADDRESS - 1)}`
  for (const address of ['/', '/ledger?a=%20#b', longest]) expect(isKeptAddress(address)).toBe(true)
  for (const other of ['', `${longest}a`, 'https://evil.example/', '/a b', '/é', '/a\r\nb', ['/'], 7])
    expect([other, isKeptAddress(other)]).toEqual([other, false])
})

test('no route of ours can be taken for one that is forwarded to the service (4)', () => {
  for (const path of Object.values(api.BFF)) expect(path.startsWith(`${api.API_PREFIX}/`)).toBe(false)
})

test('a form of another page can send none of the headers that we ask for (RFC 9110 5.1)', () => {
  const names = Object.entries(api).flatMap(([name, value]) => (name.endsWith('_HEADER') ? [value] : []))
  for (const name of names) expect(name).toMatch(/^X-[A-Za-z-]+$/)
  expect(new Set(names).size).toBe(7)
})

test.each([
  ['none', 'exact'],
  ['suspected', 'used_up'],
  ['below_own', 'below_own'],
  ['old', 'again'],
] as const)('a reading that is wanted because of "%s" shows: %s (8.3)', (wanted, shows) => {
  expect(readingShows(wanted)).toBe(shows)
})

test('the plan page is below the address of the service, and names the organization if it is known (8.3)', () => {
  expect(planPage('https://tasks.example/app', '1001')).toBe(
    'https://tasks.example/app/plan?organization_id=1001',
  )
  expect(planPage('https://tasks.example', undefined)).toBe('https://tasks.example/plan')
})
