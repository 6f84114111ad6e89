import { afterEach, expect, test } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../src/contract/authorize.ts'
import { consumeState, startSignIn } from '../../src/web/authorize.ts'
import { NOBODY, standIn } from './_bff.ts'

afterEach(() => sessionStorage.clear())

const { authorize } = NOBODY
const start = async (returnTo = '/organizations/1001?a=1#b', application = authorize) =>
  new URL(await startSignIn(application, '1001', returnTo))
const back = (state: string, code = 'the-code') =>
  `http://localhost:3000/callback?code=${code}&state=${state}`

test('the address has exactly the five parameters (5.3)', async () => {
  const bff = standIn()
  const address = await start()
  expect(address.origin + address.pathname).toBe(authorize.authorization_endpoint)
  expect([...address.searchParams.keys()].toSorted()).toEqual([...AUTHORIZATION_PARAMETERS].toSorted())
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: 'the-client',
    redirect_uri: 'http://localhost:3000/callback',
    response_type: 'code',
    organization_id: '1001',
  })
  expect(bff.calls.map(({ body }) => body)).toEqual([
    { state: address.searchParams.get('state'), organization_id: '1001' },
  ])
})

test('a challenge is sent where the server asks for it, and there alone (RFC 7636 4.3)', async () => {
  standIn()
  const address = await start('/', { ...authorize, code_challenge_method: 'S256' })
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  expect(address.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  const { codeVerifier } = await consumeState(back(address.searchParams.get('state') ?? ''))
  expect(codeVerifier).toMatch(/^[\w.~-]{43,128}$/)
})

test('each sign-in has a state of its own, kept in this tab alone', async () => {
  standIn()
  const states = await Promise.all([start(), start(), start()])
  expect(new Set(states.map(({ searchParams }) => searchParams.get('state'))).size).toBe(3)
  expect(sessionStorage).toHaveLength(3)
  expect(localStorage).toHaveLength(0)
})

test('a state is taken back once, with the way back', async () => {
  standIn()
  const state = (await start()).searchParams.get('state') ?? ''
  expect(await consumeState(back(state))).toEqual({
    state,
    returnTo: '/organizations/1001?a=1#b',
    codeVerifier: undefined,
  })
  await expect(consumeState(back(state))).rejects.toMatchObject({ code: 'state_mismatch' })
})

test.each(['unknown-state-0123456789', '%25', '', '__proto__'])(
  'the state %j was not made here',
  async (state) => {
    standIn()
    await expect(consumeState(back(state))).rejects.toMatchObject({ code: 'state_mismatch' })
  },
)

test('a way back that leads elsewhere leads to the start page', async () => {
  standIn()
  const state = (await start('//evil.example')).searchParams.get('state') ?? ''
  expect(await consumeState(back(state))).toMatchObject({ returnTo: '/' })
})

test('a server that was not told keeps the address to itself', async () => {
  standIn({ failures: { 'POST /bff/login': { code: 'invalid_request' } } })
  await expect(start()).rejects.toMatchObject({ code: 'invalid_request' })
})
