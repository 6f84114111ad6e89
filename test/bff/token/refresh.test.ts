import { setTimeout as delay, setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Outgoing, Tokens } from '../../../src/bff/core/context.ts'
import { freshCredential } from '../../../src/bff/token/refresh.ts'
import { changeCredential, type Credential, tokenOf } from '../../../src/bff/session/grant.ts'
import {
  changeRefreshNote,
  needOf,
  readRefreshNote,
  assertNoBackOff,
  type RefreshNote,
  refreshProblem,
  withFailure,
} from '../../../src/bff/token/refresh-state.ts'
import { endSession, reloadSession, storeSession } from '../../../src/bff/session/record.ts'
import { Problem, type ProblemCode } from '../../../src/contract/problem.ts'
import { STANDARD } from '../../kit/app.ts'
import { createContext, problemOf, START_MS, newMemory } from '../_context.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { told } from '../_answers.ts'
import { answerReads, signedIn } from '../_signed-in.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { readTokenNote, writeTokenNote } from '../../../src/bff/limits/note.ts'
import { type Admission, replaceTokens } from '../../../src/bff/token/refresh-run.ts'
import { noteTokenOutcome } from '../../../src/bff/token/pause.ts'
import { newPress } from '../../../src/bff/service/request.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

const NEW = { access_token: 'new', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r2' }

const UNAVAILABLE = new Problem('store_unavailable')
const ANSWER = () => Response.json(NEW)
const FAILURE = () => new Response('', { status: 500 })
const INVALID_GRANT = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
const OLD = { accessToken: 'old', refreshToken: 'r1', staleAtMs: START_MS, expiresAtMs: START_MS + 1000 }
const LATER = { staleAtMs: START_MS + HOUR_MS, expiresAtMs: START_MS + HOUR_MS }
const BY_CODE = { method: 'oauth', organizationId: '1001' } as const
const OF_ANOTHER = { ...BY_CODE, tokens: { accessToken: 'of another', refreshToken: 'r2', ...LATER } }

/** A session whose token is stale, and good for a second; and another process at its store. */
async function withSession(answer: () => Response = ANSWER, tokens: Partial<Tokens> = {}) {
  const measured: Measurement[] = []
  const seen = {
    sent: 0,
    polledMs: 0,
    onPoll: (_polledMs: number): Promise<unknown> => Promise.resolve(),
    onRetry: (): Promise<unknown> => Promise.resolve(),
  }
  const made = createContext(async () => {
    seen.sent += 1
    return answer()
  })
  const context = {
    ...made.context,
    measure: (one: Measurement) => void measured.push(one),
    // Waiting for another process, and for the store, takes no time.
    async wait(ms: number) {
      if (ms !== 50 && ms !== 500) return made.context.wait(ms)
      await settle()
      if (ms === 500) return void (await seen.onRetry())
      seen.polledMs += ms
      await seen.onPoll(seen.polledMs)
    },
  }
  const credential = { ...BY_CODE, tokens: { ...OLD, ...tokens } }
  const { session } = await storeSession(context, { credential, proven: true })
  const elsewhere = { ...context, memory: newMemory() }
  return {
    ...made,
    context,
    session,
    credential,
    seen,
    fresh: (refused?: Credential) => freshCredential(context, session, newPress(), refused && { refused }),
    /** As `freshCredential` does for a press that waits for 15 s. */
    async replace(press = newPress(), admitted?: Admission) {
      for (;;) {
        const found = await replaceTokens(context, session, press, admitted)
        if (found !== 'wait') return found
        if (seen.polledMs === 15_000) throw new Problem('upstream_timeout')
      }
    },
    stored: async () => (await reloadSession(context, session))?.record,
    note: () => readRefreshNote(context, session.grant, tokenOf(credential)),
    problems: () => made.log.filter(({ event }) => event === 'problem'),
    refreshes: () => measured.flatMap((one) => (one.what === 'refresh' ? [one.outcome] : [])),
    storeOthers: () => changeCredential(elsewhere, session.grant, OF_ANOTHER),
    holdElsewhere: (untilMs: number) =>
      changeRefreshNote(elsewhere, session.grant, tokenOf(credential), (known) => ({
        ...known,
        lease: { holder: 'another press', untilMs },
      })),
  }
}
const accessTokenOf = (credential?: Credential) =>
  credential?.method === 'oauth' ? credential.tokens.accessToken : undefined

test('a stale token is replaced and stored, and nothing else of the session changes (5.4.3)', async () => {
  const { context, session, fresh, stored, credential } = await withSession()
  const before = await stored()
  const renewed = await fresh()
  expect(renewed).toEqual({ ...credential, tokens: expect.objectContaining({ accessToken: 'new' }) })
  expect(await stored()).toEqual({ ...before, credential: renewed })
  expect((await readRefreshNote(context, session.grant, tokenOf(credential))).lease).toBeUndefined()
})

const STEPS = ['addEntry', 'changeGrant'] as const
test.each(STEPS)('a defect of ours in %s is not hidden (5.4)', async (method) => {
  const { context, fresh } = await withSession()
  failIn(context.store, method, new TypeError('a defect'))
  await expect(fresh()).rejects.toThrow(TypeError)
})

test.each([
  [999, false, 'none'],
  [1000, false, 'soon'],
  [1999, false, 'soon'],
  [2000, false, 'now'],
  [0, true, 'now'],
])('after %d ms, refused: %s, new tokens are needed: %s (5.4.2, 5.5)', (nowMs, isRefused, need) => {
  expect(needOf({ isRefused }, { staleAtMs: 1000, expiresAtMs: 2000 }, nowMs)).toBe(need)
})

test('a token that is not stale yet is returned, one that is refused is replaced (5.4.2, 5.5)', async () => {
  const { context, session, fresh, credential, seen } = await withSession(undefined, {
    staleAtMs: START_MS + 1,
  })
  const current = tokenOf(credential)
  expect(await fresh()).toBe(credential)
  const another = { ...credential, tokens: { ...credential.tokens, accessToken: 'another' } }
  await changeRefreshNote(context, session.grant, current, (known) => ({ ...known, failures: 3 }))
  expect(await fresh(another)).toEqual(credential)
  expect(await readRefreshNote(context, session.grant, current)).toMatchObject({
    failures: 3,
    isRefused: false,
  })
  expect(await fresh({ method: 'api_key', apiKey: 'old', name: 'name-of-old' })).toBe(credential)
  expect(seen.sent).toBe(0)
  expect(accessTokenOf(await fresh(credential))).toBe('new')
})

test('an API key is returned as it is, and is a problem when it was refused (5.5)', async () => {
  const { context } = createContext()
  const credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const
  const { session } = await storeSession(context, { credential, proven: true })
  expect(await freshCredential(context, session, newPress())).toBe(credential)
  expect(await problemOf(freshCredential(context, session, newPress(), { refused: credential }))).toEqual({
    code: 'credential_refused',
  })
})

test.each([
  ['alone', false],
  ['while a paired one has its grant', true],
])(
  'a session that ended meanwhile, %s, is signed out and refreshes no tokens (5.4, C8)',
  async (_, shares) => {
    const { context, session, credential, fresh, seen } = await withSession()
    if (shares) await storeSession(context, { credential, proven: true, grant: session.grant })
    await endSession(context, session)
    expect(await problemOf(fresh())).toEqual({ code: 'signed_out' })
    expect(seen.sent).toBe(0)
  },
)

test('a press of a paired session does not end with the session whose refresh it shares (5.4)', async () => {
  const { context, session, credential, fresh, seen } = await withSession()
  const paired = await storeSession(context, { credential, proven: true, grant: session.grant })
  await endSession(context, session)
  const ended = problemOf(fresh())
  expect(accessTokenOf(await freshCredential(context, paired.session, newPress()))).toBe('new')
  expect([await ended, seen.sent]).toEqual([{ code: 'signed_out' }, 1])
})

test('ten requests while the endpoint fails send one refresh, and never the refused token again (5.5)', async () => {
  const { fresh, seen, credential, clock } = await withSession(FAILURE, LATER)
  for (const refused of [credential, ...Array.from({ length: 9 }, () => undefined)])
    expect(await problemOf(fresh(refused))).toEqual({
      code: 'refresh_failed',
      retryInMs: expect.toSatisfy((ms) => ms >= 1000 && ms <= 2000),
    })
  expect(seen.sent).toBe(1)
  clock.ms += 2000
  expect(await problemOf(fresh())).toMatchObject({ code: 'refresh_failed' })
  expect(seen.sent).toBe(2)
})

test('a refusal that a running refresh has not seen starts one of its own (5.5)', async () => {
  const { context, session, credential, fresh, seen } = await withSession(ANSWER, { staleAtMs: START_MS + 1 })
  const running = delay(30, credential)
  context.memory.sharedWork.set(`refresh ${session.grant.id}`, running)
  void running.then(() => context.memory.sharedWork.clear())
  expect(accessTokenOf(await fresh(credential))).toBe('new')
  expect(seen.sent).toBe(1)
})

test.each([
  ['succeeds', ANSWER],
  ['is refused', INVALID_GRANT],
])('a session that ends during a refresh that %s stays ended (5.4)', async (_, answer) => {
  const { context, session, stored } = await withSession(answer)
  const { upstream } = context
  const ending = {
    ...context,
    upstream: async (request: Outgoing) => {
      await endSession(context, session)
      return upstream(request)
    },
  }
  expect(await problemOf(freshCredential(ending, session, newPress()))).toEqual({ code: 'signed_out' })
  expect(await stored()).toBeUndefined()
})

test('a refused token is not sent again where the store cannot note the refusal (5.5)', async () => {
  const { fixture, browser } = await signedIn()
  onCall(fixture.store, 'changeNote', (name) => {
    if (name.startsWith('refresh ')) throw UNAVAILABLE
  })
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 401 })))
  expect(await told(browser.spend(PATH))).toBe('503 store_unavailable')
  expect(fixture.paid()).toHaveLength(2)
  expect((await browser.session()).body.signed_in).toBe(true)
})

test('a service that refuses every token gets two reads and no more (5.5, attack 68)', async () => {
  const { fixture, browser } = await signedIn()
  answerReads(fixture, () => new Response('{}', { status: 401 }))
  expect(await told(browser.spend(PATH))).toBe('401 credential_refused')
  expect([fixture.paid().length, fixture.tokenRequests().length]).toEqual([3, 2])
  const rows = await fixture.store.listEntries(STANDARD, { sinceMs: 0, most: 5 })
  const initiators = rows?.map(({ initiator }) => initiator).toSorted()
  expect(initiators).toEqual(['call', 'call', 'person', 'sign_in', 'sign_in'])
})

const LIMIT = { code: 'limit_unknown', retryInMs: 20_000 } as const

/** The end of a lease that was just taken. */
const LEASED_MS = START_MS + 50_000

test.each<[string, number, boolean, unknown, polledMs: number]>([
  ['is held is waited for', LEASED_MS, false, { code: 'upstream_timeout' }, 15_000],
  ['is held by a process that has stored tokens gives those', LEASED_MS, true, 'of another', 0],
  ['lapsed this moment is respected for two seconds', START_MS, false, 'new', 2000],
  ['lapsed a second ago is respected for another', START_MS - 1000, false, 'new', 1000],
  ['lapsed long ago holds nobody up', START_MS - 2000, false, 'new', 0],
  [
    'was taken before the clock stepped back by five seconds is waited for',
    LEASED_MS + 5000,
    false,
    { code: 'upstream_timeout' },
    15_000,
  ],
  ['was taken before the clock was set back by more holds nobody up', LEASED_MS + 5001, false, 'new', 0],
])('a lease that %s (5.4.3; RFC 9700 4.14.2)', async (_, untilMs, hasStored, outcome, polledMs) => {
  const { clock, replace, seen, holdElsewhere, storeOthers } = await withSession()
  await holdElsewhere(untilMs)
  if (hasStored) await storeOthers()
  if (outcome === 'new') seen.onPoll = async (ms) => (clock.ms = START_MS + ms)
  const replaced = replace()
  expect(await replaced.then(accessTokenOf, () => problemOf(replaced))).toEqual(outcome)
  expect([seen.polledMs, seen.sent]).toEqual([polledMs, outcome === 'new' ? 1 : 0])
})

test('tokens of the former holder are used, even if they come after the old ones were refused (5.4.3)', async () => {
  const { replace, seen, refreshes, holdElsewhere, storeOthers } = await withSession(INVALID_GRANT)
  await holdElsewhere(START_MS - 2000)
  seen.onPoll = async (polledMs) => polledMs === 1000 && storeOthers()
  expect(await replace()).toEqual(OF_ANOTHER)
  expect([seen.polledMs, seen.sent, refreshes()]).toEqual([1000, 1, ['replaced']])
})

test.each([
  ['give way to those of another process', 'of another'],
  ['are given up when the session ends', 'signed_out'],
])('new tokens that the store could not save %s (5.4.4)', async (_, ended) => {
  const { context, session, replace, seen, storeOthers } = await withSession()
  const whole = { ...context.store }
  failIn(context.store, 'changeGrant', UNAVAILABLE)
  seen.onRetry = () => {
    Object.assign(context.store, whole)
    return ended === 'signed_out' ? endSession(context, session) : storeOthers()
  }
  expect(await replace().then(accessTokenOf, ({ code }: Problem) => code)).toBe(ended)
  expect(accessTokenOf((await reloadSession(context, session))?.record.credential)).toBe(
    ended === 'signed_out' ? undefined : ended,
  )
})

test('the new token has the limits of the old one (8.2)', async () => {
  const { context, replace } = await withSession()
  const pauses = { read: { code: 'rate_limited', reasons: [], untilMs: START_MS + 20_000 } } as const
  await writeTokenNote(context, tokenOf({ ...BY_CODE, tokens: OLD }), { gauges: {}, pauses })
  expect((await readTokenNote(context, tokenOf(await replace()))).pauses).toEqual(pauses)
})

test('while the token endpoint is left alone no refresh is tried, and none is counted as failed (8)', async () => {
  const { context, replace, seen, note, problems } = await withSession()
  await noteTokenOutcome(context, LIMIT)
  expect(await problemOf(replace())).toEqual({ code: 'refresh_failed', retryInMs: 20_000 })
  expect([seen.sent, (await note()).failures, problems()]).toEqual([0, 0, []])
})

test('a refresh that cannot be recorded is not sent, and not counted as failed (8.3)', async () => {
  const { context, replace, seen, note, problems } = await withSession()
  const { transaction } = context.store
  failIn(context.store, 'addEntry', UNAVAILABLE)
  expect(await problemOf(replace())).toEqual({ code: 'store_unavailable' })
  const { failures, lease } = await note()
  expect([seen.sent, failures, lease, problems()]).toEqual([0, 0, undefined, []])
  context.store.transaction = transaction
  expect((await replace()).tokens.accessToken).toBe('new')
})

test('a press that has sent a refresh was admitted with it, and may send it again (8.3)', async () => {
  const { replace, seen } = await withSession()
  const refusing = () => Promise.reject(new Problem('month_suspected'))
  expect(await problemOf(replace(newPress(), refusing))).toEqual({ code: 'month_suspected' })
  expect(seen.sent).toBe(0)
  expect(accessTokenOf(await replace({ ...newPress(), refreshes: 1 }, refusing))).toBe('new')
})

const GRANT = { id: 'a grant' }
const FRESH: RefreshNote = { token: 't', isRefused: false, failures: 0, retryAtMs: 0, code: 'refresh_failed' }

test('a note is about one access token, and states nothing about the next (5.4)', async () => {
  const { context } = createContext()
  expect(await readRefreshNote(context, GRANT, 't')).toEqual(FRESH)
  const lease = { holder: 'a press', untilMs: START_MS }
  await changeRefreshNote(context, GRANT, 't', (known) => ({ ...known, isRefused: true, lease }))
  await context.store.sweep(START_MS + HOUR_MS)
  expect(await readRefreshNote(context, GRANT, 't')).toEqual({ ...FRESH, isRefused: true, lease })
  expect(await readRefreshNote(context, GRANT, 'next')).toEqual({ ...FRESH, token: 'next' })
  await changeRefreshNote(context, GRANT, 'next', (known) => ({ ...known, failures: known.failures + 1 }))
  expect(await readRefreshNote(context, GRANT, 'next')).toEqual({ ...FRESH, token: 'next', failures: 1 })
  // A caller that knows only a former token leaves the note and lease of the next one.
  await changeRefreshNote(context, GRANT, 'next', (known) => ({ ...known, lease }))
  await changeRefreshNote(context, GRANT, 't', (known) => known)
  expect(await readRefreshNote(context, GRANT, 'next')).toMatchObject({ failures: 1, lease })
  await changeRefreshNote(context, GRANT, 'next', () => undefined)
  expect(await context.store.readNotes([`refresh ${GRANT.id}`])).toEqual([undefined])
})

test.each<[ProblemCode, ProblemCode]>([
  ['upstream_failed', 'refresh_failed'],
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

test('failures of a clock far ahead stop no refresh once the clock is set back (5.4)', () => {
  const { context, clock } = createContext()
  clock.ms += 24 * HOUR_MS
  const ahead = withFailure(context, FRESH, new Problem('unexpected_reply'))
  expect(() => assertNoBackOff(context, ahead)).toThrow(Problem)
  clock.ms = START_MS
  expect(() => assertNoBackOff(context, ahead)).not.toThrow()
  expect(refreshProblem(context, ahead)).toMatchObject({ retryInMs: 0 })
  const again = withFailure(context, ahead, new Problem('unexpected_reply'))
  expect(() => assertNoBackOff(context, again)).toThrow(Problem)
  clock.ms += HOUR_MS
  expect(refreshProblem(context, again)).toMatchObject({ code: 'credential_refused' })
})
