import { expect, test } from 'vitest'
import {
  changeRefreshNote,
  isReplaced,
  readState,
  stateOf,
  assertNoBackOff,
  readRefreshNote,
  type RefreshNote,
  refreshProblem,
  withFailure,
} from '../../../src/bff/token/refresh-state.ts'
import { changeSession, endSession, storeSession, tokenOf } from '../../../src/bff/session/record.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'
import { Problem, type ProblemCode } from '../../../src/contract/problem.ts'

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
  expect(await readState(context, session)).toMatchObject({ credential, need })
})

test('a token that was refused is of no use before its end, in no process (5.5)', async () => {
  const { context, session } = await withSession()
  await changeRefreshNote(context, session, tokenOf(credential), (known) => ({ ...known, isRefused: true }))
  expect((await stateOf(context, session, credential)).need).toBe('now')
})

test('the state is that of what is stored now (5.4)', async () => {
  const { context, session } = await withSession()
  const before = await readState(context, session)
  const next = { ...credential, tokens: { ...credential.tokens, accessToken: 'b' } }
  await changeSession(context, session, (record) => ({ ...record, credential: next }))
  const current = await readState(context, session)
  expect(current.credential).toEqual(next)
  expect([isReplaced(current, before), isReplaced(before, before)]).toEqual([true, false])
})

test('an ended session is signed out, or its access is withdrawn if a refresh found that out (5.4)', async () => {
  const { context, session } = await withSession()
  await endSession(context, session)
  expect(await problemOf(readState(context, session))).toEqual({ code: 'signed_out' })
  await changeRefreshNote(context, session, tokenOf(credential), (known) => ({
    ...known,
    code: 'access_withdrawn',
  }))
  expect(await problemOf(readState(context, session))).toEqual({ code: 'access_withdrawn' })
})

const SESSION = { id: 'a session' }
const FRESH: RefreshNote = {
  token: 't',
  isRefused: false,
  failures: 0,
  retryAtMs: 0,
  code: 'refresh_failed',
}
const HOUR_MS = 3_600_000

test('a note is about one access token, and states nothing about the next (5.4)', async () => {
  const { context } = createContext()
  expect(await readRefreshNote(context, SESSION, 't')).toEqual(FRESH)
  const mark = { fence: 3, startedAtMs: START_MS }
  await changeRefreshNote(context, SESSION, 't', (known) => ({ ...known, isRefused: true, mark }))
  await context.store.sweep(START_MS + HOUR_MS)
  expect(await readRefreshNote(context, SESSION, 't')).toEqual({ ...FRESH, isRefused: true, mark })
  expect(await readRefreshNote(context, SESSION, 'next')).toEqual({ ...FRESH, token: 'next' })
  await changeRefreshNote(context, SESSION, 'next', (known) => ({ ...known, failures: known.failures + 1 }))
  expect(await readRefreshNote(context, SESSION, 'next')).toEqual({ ...FRESH, token: 'next', failures: 1 })
  await changeRefreshNote(context, SESSION, 'next', () => undefined)
  expect(await context.store.readNote('refresh a session')).toBeUndefined()
})

test('a caller that knows only a former token leaves the note and mark of the next one (5.4.3)', async () => {
  const { context } = createContext()
  const mark = { fence: 4, startedAtMs: START_MS }
  await changeRefreshNote(context, SESSION, 'next', (known) => ({ ...known, mark }))
  await changeRefreshNote(context, SESSION, 't', (known) => (known.mark?.fence === 3 ? undefined : known))
  expect(await readRefreshNote(context, SESSION, 'next')).toEqual({ ...FRESH, token: 'next', mark })
  await changeRefreshNote(context, SESSION, 'next', (known) => known)
  expect(await readRefreshNote(context, SESSION, 'next')).toEqual({ ...FRESH, token: 'next', mark })
})

test('a failure takes the mark away, and each one waits longer, up to half a minute (RFC 9110 15.6)', () => {
  const { context } = createContext()
  let note: RefreshNote = { ...FRESH, mark: { fence: 3, startedAtMs: 1 } }
  const waits: number[] = []
  for (let failures = 1; failures <= 40; failures += 1) {
    note = withFailure(context, note, new Problem('upstream_failed'))
    waits.push(note.retryAtMs - START_MS)
    expect(() => assertNoBackOff(context, note)).toThrow(Problem)
  }
  expect(note).toMatchObject({ failures: 40, code: 'refresh_failed' })
  expect(note).not.toHaveProperty('mark')
  expect(waits[0]).toBeLessThanOrEqual(2000)
  expect(Math.max(...waits)).toBeGreaterThan(4000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
})

test.each<[ProblemCode, ProblemCode]>([
  ['upstream_failed', 'refresh_failed'],
  ['upstream_timeout', 'refresh_failed'],
  ['limit_unknown', 'refresh_failed'],
  ['unexpected_reply', 'refresh_failed'],
  ['client_rejected', 'client_rejected'],
])('after %s a person gets %s, with the time to wait and the cause for the log (7)', (code, reported) => {
  const { context, clock } = createContext()
  const cause = new Problem(code, { retryInMs: 7000 })
  const note = withFailure(context, FRESH, cause)
  clock.ms += 1000
  expect(refreshProblem(context, note, cause)).toMatchObject({ code: reported, retryInMs: 6000, cause })
  clock.ms += 6000
  expect(() => assertNoBackOff(context, note)).not.toThrow()
})

test('when for an hour no answer made sense, a person may sign in again, and the session stays (7)', () => {
  const { context, clock } = createContext()
  const codes = (note: RefreshNote) => refreshProblem(context, note).code
  const first = withFailure(context, FRESH, new Problem('unexpected_reply'))
  clock.ms += HOUR_MS - 1
  const second = withFailure(context, first, new Problem('unexpected_reply'))
  expect(codes(second)).toBe('refresh_failed')
  clock.ms += 1
  expect(codes(second)).toBe('credential_refused')
  // An outage between them does not count as a refusal.
  expect(codes(withFailure(context, second, new Problem('upstream_failed')))).toBe('refresh_failed')
})
