import { afterEach, expect, test } from 'vitest'
import {
  askSession,
  clearSession,
  currentSession,
  idOf,
  isSessionUnknown,
  setSession,
  useSessionState,
} from '../../../src/web/session/session.ts'
import { SESSION } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'

afterEach(clearSession)

test('it is asked for, and known when the answer is there', async () => {
  const network = await signedInNetwork()
  expect(isSessionUnknown()).toBe(true)
  const asked = askSession()
  expect([isSessionUnknown(), currentSession()]).toEqual([false, undefined])
  await asked
  expect(useSessionState.getState()).toMatchObject({ problem: undefined, isAsked: false })
  expect([isSessionUnknown(), network.calls.length]).toEqual([false, 1])
  expect(currentSession()).toMatchObject({ signed_in: true, organization_id: '1001' })
})

test('why the server did not answer is known, until it is asked again', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/session')
  await askSession()
  expect(useSessionState.getState()).toMatchObject({ isAsked: false, problem: { code: 'bff_unreachable' } })
  expect(isSessionUnknown()).toBe(false)
  network.cut.clear()
  const asked = askSession()
  expect(useSessionState.getState().problem).toBeUndefined()
  await asked
  expect(idOf(currentSession())).toBeDefined()
})

test.each([
  ['a sign-out', clearSession, undefined],
  ['another answer', () => setSession({ ...SESSION, id: 'another' }), 'another'],
])('%s overtakes the answer, or the failure, that is on its way', async (_, overtake, id) => {
  const network = await signedInNetwork()
  for (const cut of ['nothing', 'GET /bff/session']) {
    network.cut.add(cut)
    const asked = askSession()
    overtake()
    await asked
    expect([idOf(currentSession()), useSessionState.getState().problem]).toEqual([id, undefined])
  }
})

test('the time of the answer, and which session this page saw open, are beside it', () => {
  const before = Date.now()
  setSession(SESSION, SESSION.id)
  expect(useSessionState.getState().atMs).toBeGreaterThanOrEqual(before)
  setSession({ ...SESSION, ends_in: 1 })
  expect(useSessionState.getState().openedId).toBe(SESSION.id)
  clearSession()
  expect(useSessionState.getState().openedId).toBeUndefined()
})
