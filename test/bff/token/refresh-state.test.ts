import { expect, test } from 'vitest'
import { changeRefreshNote } from '../../../src/bff/token/refresh-note.ts'
import { isReplaced, look, stateOf } from '../../../src/bff/token/refresh-state.ts'
import { changeSession, endSession, storeSession, tokenOf } from '../../../src/bff/session/record.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

const credential = {
  method: 'oauth',
  organizationId: '1001',
  tokens: { accessToken: 'a', refreshToken: 'r', staleAtMs: START_MS + 1000, expiresAtMs: START_MS + 2000 },
} as const

async function withSession() {
  const made = createContext()
  const { session } = await storeSession(made.context, { credential, proven: true, copies: {} })
  return { ...made, session }
}

test.each([
  [999, 'none'],
  [1000, 'soon'],
  [1999, 'soon'],
  [2000, 'now'],
])('after %d ms new tokens are needed: %s (5.4.2)', async (ms, need) => {
  const { context, clock, session } = await withSession()
  clock.ms += ms
  expect(await stateOf(context, session, credential)).toMatchObject({ credential, need })
  expect(await look(context, session)).toMatchObject({ credential, need })
})

test('a token that was refused is of no use before its end, in no process (5.5)', async () => {
  const { context, session } = await withSession()
  await changeRefreshNote(context, session, tokenOf(credential), (known) => ({ ...known, isRefused: true }))
  expect((await stateOf(context, session, credential)).need).toBe('now')
})

test('the state is that of what is stored now (5.4)', async () => {
  const { context, session } = await withSession()
  const before = await look(context, session)
  const next = { ...credential, tokens: { ...credential.tokens, accessToken: 'b' } }
  await changeSession(context, session, (record) => ({ ...record, credential: next }))
  const current = await look(context, session)
  expect(current.credential).toEqual(next)
  expect([isReplaced(current, before), isReplaced(before, before)]).toEqual([true, false])
})

test('a session that has ended is signed out, or its access is withdrawn where a refresh found that out (5.4)', async () => {
  const { context, session } = await withSession()
  await endSession(context, session)
  expect(await problemOf(look(context, session))).toEqual({ code: 'signed_out' })
  await changeRefreshNote(context, session, tokenOf(credential), (known) => ({
    ...known,
    code: 'access_withdrawn',
  }))
  expect(await problemOf(look(context, session))).toEqual({ code: 'access_withdrawn' })
})
