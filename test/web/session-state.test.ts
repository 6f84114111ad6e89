import { afterEach, expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import type { Session } from '../../src/contract/session.ts'
import {
  askSession,
  clearSession,
  currentSession,
  idOf,
  setSession,
  useSessionState,
} from '../../src/web/session-state.ts'
import { SESSION } from './_month.tsx'
import { signedInNetwork } from './_network.ts'

afterEach(clearSession)

const OTHER: Session = { ...SESSION, id: 'another' }

test('it is asked for, and known when the answer is there', async () => {
  const network = await signedInNetwork()
  const asked = askSession()
  expect(useSessionState.getState()).toMatchObject({ session: undefined, isAsked: true })
  await asked
  expect(useSessionState.getState()).toMatchObject({ problem: undefined, isAsked: false })
  expect(currentSession()).toMatchObject({ signed_in: true, organization_id: '1001' })
  expect(network.calls).toHaveLength(1)
})

test('why the server did not answer is known, until it is asked again', async () => {
  await askSession(() => Promise.reject(new Problem('bff_unreachable')))
  expect(useSessionState.getState()).toMatchObject({ isAsked: false, problem: { code: 'bff_unreachable' } })
  await askSession(() => Promise.resolve(SESSION))
  expect(useSessionState.getState()).toMatchObject({ problem: undefined, session: SESSION })
})

test.each([
  ['a sign-out', clearSession, undefined],
  ['another answer', () => setSession(OTHER), 'another'],
])('%s overtakes the answer, or the failure, that is on its way', async (_, overtake, id) => {
  const answers = [() => Promise.resolve(SESSION), () => Promise.reject(new Problem('bff_unreachable'))]
  for (const answer of answers) {
    const asked = askSession(answer)
    overtake()
    await asked
    expect([idOf(currentSession()), useSessionState.getState().problem]).toEqual([id, undefined])
  }
})

test('the time of the answer, and which session this page saw open, are kept beside it', () => {
  const before = Date.now()
  setSession(SESSION, SESSION.id)
  expect(useSessionState.getState().atMs).toBeGreaterThanOrEqual(before)
  setSession({ ...SESSION, ends_in: 1 })
  expect(useSessionState.getState().openedId).toBe(SESSION.id)
  clearSession()
  expect(useSessionState.getState().openedId).toBeUndefined()
})
