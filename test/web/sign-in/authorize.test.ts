import { afterEach, expect, test, vi } from 'vitest'
import { act, renderHook } from '@testing-library/react'
import { AUTHORIZATION_PARAMETERS } from '../../../src/contract/authorize.ts'
import { startSignIn } from '../../../src/web/sign-in/authorize.ts'
import { applicationOf, joinNetwork, type Network, signedInNetwork } from '../_network.ts'
import { startApp } from '../../kit/app.ts'
import { parseOrganizationId } from '../../../src/contract/organization.ts'
import { useEntry, currentAddress, safeReturnTo } from '../../../src/web/sign-in/entry.ts'

afterEach(() => vi.restoreAllMocks())

const PLACE = '/organizations/1001?a=1#b'
const start = async (network: Network, returnTo = PLACE) =>
  new URL(await startSignIn(await applicationOf(network), '1001', returnTo))
const stateOf = (address: URL): string => address.searchParams.get('state') ?? ''
const askStarted = (network: Network, state: string) =>
  network.browser.request('POST', '/bff/login/started', { json: { state } })

test('the address has exactly the five parameters, and the server knows the state (5.3)', async () => {
  const network = joinNetwork()
  const address = await start(network)
  const application = await applicationOf(network)
  expect(address.origin + address.pathname).toBe(application.authorization_endpoint)
  expect([...address.searchParams.keys()].toSorted()).toEqual([...AUTHORIZATION_PARAMETERS].toSorted())
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: application.client_id,
    redirect_uri: 'http://localhost:3000/callback',
    response_type: 'code',
    organization_id: '1001',
  })
  expect(network.calls.map(({ body }) => body)).toEqual([
    { state: stateOf(address), organization_id: '1001', return_to: PLACE },
  ])
  expect([...network.browser.cookies.keys()].join()).toContain('plimsoll-http-3000-login-')
})

test('a challenge is sent only if the server asks for it, and its verifier to the server (RFC 7636 4.1)', async () => {
  const network = joinNetwork(startApp({ pkce: 'S256' }))
  const address = await start(network, '/')
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  expect(address.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(network.calls[0]?.body).toEqual({
    state: stateOf(address),
    organization_id: '1001',
    code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/),
  })
})

test('a state has 256 random bits, and is not a UUID (ASVS 11.5.1)', async () => {
  const states: string[] = []
  for (let count = 0; count < 20; count += 1) states.push(stateOf(await start(joinNetwork())))
  for (const state of states) expect(state).toMatch(/^[\w-]{43}$/)
  // A hexadecimal state would have only 16 different digits.
  expect(new Set(states.join('')).size).toBeGreaterThan(60)
})

test('each sign-in has its own state, which the page stores nowhere (RFC 6749 10.12)', async () => {
  const network = joinNetwork()
  const states = await Promise.all([start(network), start(network), start(network)])
  expect(new Set(states.map(stateOf)).size).toBe(3)
  expect([sessionStorage.length, localStorage.length]).toEqual([0, 0])
})

test.each([
  [PLACE, PLACE],
  ['/', '/'],
  [`/ledger?${'a'.repeat(600)}`, '/'],
])('a sign-in from %s returns to %s (RFC 6749 10.12, attack 14)', async (place, returnTo) => {
  const network = joinNetwork()
  const { body } = await askStarted(network, stateOf(await start(network, place)))
  expect(body).toEqual({ organization_id: '1001', return_to: returnTo })
})

test('ten tabs that send verifiers each finish their own sign-in (RFC 6749 10.12, attack 15)', async () => {
  const network = joinNetwork(startApp({ pkce: 'S256' }))
  const states: string[] = []
  for (let tab = 0; tab < 10; tab += 1) states.push(stateOf(await start(network, `/organizations/${tab}#a`)))
  for (const [tab, state] of states.entries())
    expect((await askStarted(network, state)).body).toMatchObject({ return_to: `/organizations/${tab}#a` })
})

const ID = parseOrganizationId('2002')

test('a sign-in returns to the wanted address, and starts once for all buttons (5.3)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const network = await signedInNetwork('none')
  const application = await applicationOf(network)
  const { result } = renderHook(() => useEntry(application, (id) => `/organizations/${id}`))
  act(() => {
    result.current.run({ by: 'sign_in', with: ID })
    result.current.run({ by: 'sign_in', with: ID })
  })
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect([network.count('POST', '/bff/login'), result.current.busy]).toEqual([1, true])
  const state = stateOf(new URL(String(assign.mock.calls[0]?.[0])))
  const { body } = await askStarted(network, state)
  expect(body).toEqual({ organization_id: ID, return_to: '/organizations/2002' })
})

const HOSTS =
  'evil.example evil.example:443 user@evil.example localhost@evil.example/x [::1] 3232235777 ev\u0456l.example xn--evl-8cd.example'
/** The space stands for itself in '|'. */
const STARTS =
  '// /// //// /\\ \\/ \\\\ /\\/ //\\ /\t/ /\n/ /\r/ \t// |// /|/ /./\u200b/ /\u200b/ /\u3002/ /\uff0f /\u2028/ /.// /..// /%2e// /a/..// ' +
  '/a/../..// /./\\ /..\\ https:// http:// HTTPS: https: https:/ \u0000// /\u0000/ /\u007f/ /\u00a0/ https:\\\\ https:\\/ ht\ntps:// ' +
  '\rhttps:// \u0001// \ufeff// /\ufeff/ //\u00ad /\\\t/ ftp:// wss:// javascript:// javascript:alert(1)// view-source:https://'
const PATHS =
  '| organizations/1001 ./ ../ ?a=1 #a javascript:alert(1) data:text/html,x vbscript:x blob:x file:///etc/passwd /callback ' +
  '/callback?code=1&state=2 /x/../callback /a|b /\r\nSet-Cookie:|a=b /organizations/1\r\nLocation:|//evil.example /\u0000 /\ud800 ' +
  '/\u00c0\u00af\u00c0\u00aeevil.example /a\u0001 /\\evil.example /a\\b'
const NO_TEXTS = [
  undefined,
  null,
  1001,
  true,
  {},
  [],
  ['/'],
  { toString: () => '//evil.example' },
  Symbol.iterator,
  () => '/',
]
const listOf = (words: string) => words.split(' ').map((word) => word.replaceAll('|', ' '))
const HOSTILE = [
  ...listOf(HOSTS).flatMap((host) => listOf(STARTS).map((start) => start + host)),
  ...listOf(PATHS),
  '',
  `/${'a'.repeat(2048)}`,
  ...NO_TEXTS,
]

test(`${HOSTILE.length} addresses of other sites become the start page (RFC 9700 4.11, attack 13)`, () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(300)
  expect(HOSTILE.filter((address) => safeReturnTo(address) !== '/')).toEqual([])
})

test.each([
  ['/', '/'],
  ['/organizations/1001?tab=raw&q=%2F%2Fevil', '/organizations/1001?tab=raw&q=%2F%2Fevil'],
  ['/?next=//evil.example#//evil', '/?next=//evil.example#//evil'],
  ['/a/b:c@d', '/a/b:c@d'],
  ['/a/../organizations/./7', '/organizations/7'],
])('%s returns to %s', (address, returnTo) => {
  expect(safeReturnTo(address)).toBe(returnTo)
})

test('the present address has path, query and fragment', () => {
  history.replaceState(null, '', '/organizations/7?a=1#b')
  expect(currentAddress()).toBe('/organizations/7?a=1#b')
})
