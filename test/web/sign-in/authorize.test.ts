import { afterEach, expect, test, vi } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../../src/contract/authorize.ts'
import { consumeState, startSignIn } from '../../../src/web/sign-in/authorize.ts'
import { applicationOf, joinNetwork, type Network } from '../_network.ts'
import { startApp } from '../../kit/app.ts'

afterEach(() => vi.restoreAllMocks())

const start = async (network: Network, returnTo = '/organizations/1001?a=1#b') =>
  new URL(await startSignIn(await applicationOf(network), '1001', returnTo))
const stateOf = (address: URL): string => address.searchParams.get('state') ?? ''

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
    { state: stateOf(address), organization_id: '1001' },
  ])
  expect([...network.browser.cookies.keys()].join()).toContain('plimsoll-http-3000-login-')
})

test('a challenge is sent only if the server asks for it (RFC 7636 4.3)', async () => {
  const address = await start(joinNetwork(startApp({ pkce: 'S256' })), '/')
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  expect(address.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  const { codeVerifier } = await consumeState(stateOf(address))
  expect(codeVerifier).toMatch(/^[\w.~-]{43,128}$/)
})

test('a state has 256 random bits, and is not a UUID (ASVS 11.5.1)', async () => {
  const states: string[] = []
  for (let count = 0; count < 20; count += 1) states.push(stateOf(await start(joinNetwork())))
  for (const state of states) expect(state).toMatch(/^[\w-]{43}$/)
  // A hexadecimal state would have only 16 different digits.
  expect(new Set(states.join('')).size).toBeGreaterThan(60)
})

test('each sign-in has its own state, stored only in this tab (RFC 6749 10.12)', async () => {
  const network = joinNetwork()
  const states = await Promise.all([start(network), start(network), start(network)])
  expect(new Set(states.map(stateOf)).size).toBe(3)
  expect(sessionStorage).toHaveLength(3)
  expect(localStorage).toHaveLength(0)
})

test('a state is consumed once, and has the address to return to (RFC 6749 10.12)', async () => {
  const state = stateOf(await start(joinNetwork()))
  const { startedAtMs, ...started } = await consumeState(state)
  expect(Math.abs(Date.now() - startedAtMs)).toBeLessThan(20_000)
  expect(started).toEqual({
    state,
    organizationId: '1001',
    returnTo: '/organizations/1001?a=1#b',
    codeVerifier: undefined,
  })
  await expect(consumeState(state)).rejects.toMatchObject({ code: 'state_mismatch' })
})

test.each(['unknown-state-0123456789', '%', '', '__proto__', 'a&state=b'])(
  'the state %j, which this tab did not make, is refused (RFC 6749 10.12)',
  async (state) => {
    await start(joinNetwork())
    await expect(consumeState(state)).rejects.toMatchObject({ code: 'state_mismatch' })
    expect(sessionStorage).toHaveLength(1)
  },
)

/** As a browser does whose settings refuse the storage (HTML 12.2.1). */
const refuseStorage = () =>
  vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })

test('without the storage of the tab the cookie keeps the place and the verifier (RFC 7636 4.1)', async () => {
  refuseStorage()
  for (const pkce of ['off', 'S256'] as const) {
    const network = joinNetwork(startApp({ pkce }))
    const state = stateOf(await start(network))
    const { startedAtMs, ...started } = await consumeState(state)
    expect(startedAtMs).toBeLessThanOrEqual(Date.now())
    expect(started).toEqual({
      state,
      organizationId: '1001',
      returnTo: '/organizations/1001?a=1#b',
      codeVerifier: undefined,
    })
    expect(network.calls[0]?.body).toHaveProperty('return_to', '/organizations/1001?a=1#b')
    expect(Object.hasOwn(network.calls[0]?.body as object, 'code_verifier')).toBe(pkce === 'S256')
    await expect(consumeState('unknown-state-0123456789')).rejects.toMatchObject({ code: 'state_mismatch' })
    const long = stateOf(await start(network, `/ledger?${'a'.repeat(600)}`))
    expect(await consumeState(long)).toMatchObject({ returnTo: '/' })
  }
})

test('a return address of another site becomes the start page (RFC 9700 4.11)', async () => {
  const state = stateOf(await start(joinNetwork(), '//evil.example'))
  expect(await consumeState(state)).toMatchObject({ returnTo: '/' })
})

test('without an answer of the server the sign-in does not start (RFC 6749 10.12)', async () => {
  const network = joinNetwork()
  network.cut.add('POST /bff/login')
  await expect(start(network)).rejects.toMatchObject({ code: 'bff_unreachable' })
})
