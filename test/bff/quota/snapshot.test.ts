import { expect, test } from 'vitest'
import { limitsAt, quotaHolder, readSnapshot, readSnapshots } from '../../../src/bff/quota/snapshot.ts'
import { tokenOf } from '../../../src/bff/session/grant.ts'
import { storeSession, type LoadedSession } from '../../../src/bff/session/record.ts'
import { BUSINESS, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION, reserve, settle } from '../_reservation.ts'
import { readRecent } from '../../../src/bff/quota/recent.ts'
import type { Tokens, Context } from '../../../src/bff/core/context.ts'
import { changeServiceNote, NO_EVIDENCE } from '../../../src/bff/evidence/note.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { changeRefreshNote, type RefreshNote } from '../../../src/bff/token/refresh-state.ts'
import { HOUR_MS } from '../../../src/contract/duration.ts'
import { readLimitNotes, writeOrganizationNote, writeTokenNote } from '../../../src/bff/limits/note.ts'
import { fold } from '../../../src/contract/gauge.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signInByKey, unsent } from '../_answers.ts'
import { answerTokens, signedIn } from '../_signed-in.ts'
import { ticking } from './_requests.ts'
import type { RecentRequest } from '../../../src/contract/quota.ts'
import type { Person } from '../../kit/person.ts'

const PATH = `/organizations/${STANDARD}`

const KEY = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const

test("its times are delays, so that the browser's clock does not matter (2.2)", async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(12_000)
  const { read, month } = await browser.quota()
  expect(read).toMatchObject({ known: 'measured', age_ms: 12_000, reset_in_ms: 49_000 })
  expect(month.resets_in_ms).toEqual({
    earliest: Date.UTC(2026, 10, 30, 10) - fixture.now(),
    latest: Date.UTC(2026, 11, 1, 12) - fixture.now(),
  })
  expect(JSON.stringify(await browser.quota())).not.toMatch(/20\d\d-|1[67]\d{8}/)
})

test('requests in flight are counted beside the remaining ones (8.2)', async () => {
  const { fixture, browser } = await signedIn()
  let during: Promise<unknown> | undefined
  fixture.intercept(async (request, through) => {
    during = browser.quota()
    await during
    return through(request)
  })
  await browser.spend('/rate_limit')
  expect(await during).toMatchObject({ read: { remaining: 59, in_flight: 1 } })
  expect(await browser.quota()).toMatchObject({ read: { remaining: 58, in_flight: 0 } })
})

test('unknown values are absent: reset and age of an unseen class, the plan and its limit (8.2, 8.3)', async () => {
  const { context } = createContext()
  const { session } = await storeSession(context, { credential: KEY, proven: true })
  const unseen = { known: 'unseen', in_flight: 0 }
  expect(JSON.parse(JSON.stringify(await readSnapshot(context, session)))).toEqual({
    version: 0,
    token: expect.any(String),
    read: unseen,
    update: unseen,
    month: { low: 0, high: 0, resets_in_ms: expect.anything(), may_have_reset: false },
    pauses: [],
    recent: [],
  })
})

test('the snapshot says when a press refreshes first and if that counts; an API key needs none (5.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const dueMs = (await browser.quota()).refresh?.due_in_ms ?? 0
  expect(dueMs).toBeGreaterThan(3_500_000)
  fixture.advance(dueMs - 1)
  expect((await browser.quota()).refresh).toEqual({ due_in_ms: 1, counts: 'unknown' })
  fixture.advance(3_600_000)
  expect((await browser.quota()).refresh).toEqual({ due_in_ms: 0, counts: 'unknown' })
  await signInByKey(fixture, browser)
  expect((await browser.quota()).refresh).toBeUndefined()
})

test('a token that the service refused is refreshed by the next press, whatever the clock shows (5.4)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.intercept(() => Promise.resolve(new Response('', { status: 401 })))
  await browser.spend('/rate_limit')
  expect((await browser.quota()).refresh?.due_in_ms).toBe(0)
})

test('after a failed refresh a good token is used until the next try, and the price is one (5.4)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance((await browser.quota()).refresh?.due_in_ms ?? 0)
  expect((await browser.quota()).refresh?.due_in_ms).toBe(0)
  answerTokens(fixture, () => new Response('', { status: 500 }))
  await browser.spend('/rate_limit')
  const before = fixture.sent.length
  expect((await browser.quota()).refresh?.due_in_ms).toBeGreaterThan(0)
  await browser.spend('/rate_limit')
  expect(fixture.sent.slice(before).map(({ path }) => path)).toEqual(['/rate_limit'])
  fixture.advance(60_000)
  expect((await browser.quota()).refresh?.due_in_ms).toBe(0)
})

test('the snapshot says if an exchange and a check count, once that is known (4.3, 5.3, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  expect(Object.keys(await browser.quota())).not.toContain('sign_in_counts')
  const confirmed = { 'token.code': { counts: true, atMs: 0 }, rate_limit: { counts: false, atMs: 0 } }
  const { context } = createContext()
  await changeServiceNote({ ...context, store: fixture.store }, () => ({ ...NO_EVIDENCE, confirmed }))
  expect(await browser.quota()).toMatchObject({ sign_in_counts: 'yes', check_counts: 'no' })
})

/** An answer of a service whose clock is `aheadMs` ahead. */
function onClock(answer: Response, aheadMs: number): Response {
  const { headers } = answer
  headers.set('Date', new Date(Date.parse(headers.get('Date') ?? '') + aheadMs).toUTCString())
  const reset = headers.get('X-RateLimit-Reset')
  if (reset !== null) headers.set('X-RateLimit-Reset', String(Number(reset) + aheadMs / 1000))
  return answer
}

test.each([7_200_000, -7_200_000])('a clock set by %d ms signs nobody out (attack 35)', async (jumpMs) => {
  const { fixture, browser } = await signedIn()
  let code: string | undefined
  for (let read = 1; read < 70 && code !== 'rate_limited'; read += 1)
    ({ code } = (await browser.spend(PATH)).body)
  expect(code).toBe('rate_limited')
  fixture.advance(jumpMs)
  fixture.intercept(async (request, through) => onClock(await through(request), -jumpMs))
  const resetInMs = async () => (await browser.quota()).read.reset_in_ms ?? 0
  expect(await resetInMs()).toBeLessThanOrEqual(61_000)
  expect((await browser.session()).body.signed_in).toBe(true)
  // The answer of the read or of a refresh shows the clock of the service.
  expect((await browser.spend(PATH)).body.retry_in_ms ?? 0).toBeLessThanOrEqual(61_000)
  expect(await resetInMs()).toBeLessThanOrEqual(61_000)
  fixture.advance(61_000)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.session()).body.signed_in).toBe(true)
})

type Three = [string, string, string]
const REASONS = [{ code: 'minute_used_up' }] as const

/** Sessions of two organizations, one of them by a key and one unproven. Each has its own minute. */
async function createSessions() {
  const { context, clock } = createContext()
  const open = async (nth: number, organizationId: string, proven = true) => {
    const ends = START_MS + (nth + 1) * HOUR_MS
    const tokens: Tokens = { accessToken: `access ${nth}`, staleAtMs: ends, expiresAtMs: ends }
    const credential = { method: 'oauth', organizationId, tokens } as const
    const { session } = await storeSession(context, { credential, proven })
    await writeTokenNote(context, tokenOf(credential), {
      gauges: fold({}, [{ servedAtSeconds: START_MS / 1000, class: 'read', remaining: 10 + nth }]),
      pauses:
        nth === 1 ? { update: { code: 'rate_limited', reasons: REASONS, untilMs: START_MS + 9000 } } : {},
    })
    return session
  }
  const { session: ofKey } = await storeSession(context, { credential: KEY, proven: true })
  const ofTokens = [await open(0, '1001'), await open(1, '1001'), await open(2, '2002')]
  const sessions = [...ofTokens, await open(3, '2002', false), ofKey]
  await writeOrganizationNote(context, '1001', { limits: { read: 60 }, months: {} })
  const [other, token, refused] = ofTokens.map(({ record }) => tokenOf(record.credential)) as Three
  await reserve(context, { ...RESERVATION, token })
  await reserve(context, { ...RESERVATION, kind: 'api.update', organization: 'another', token: other })
  const refuse = (known: RefreshNote) => ({ ...known, isRefused: true })
  await changeRefreshNote(context, ofTokens[2]!.grant, refused, refuse)
  return { context, clock, sessions }
}

/** The snapshots of sessions that are read together, or the errors instead. */
async function readTexts(context: Context, sessions: readonly LoadedSession[]): Promise<unknown[]> {
  const holders = sessions.map(quotaHolder)
  const snapshotOf = await readSnapshots(context, holders)
  return holders.map((holder): unknown => {
    try {
      return JSON.parse(JSON.stringify(snapshotOf(holder)))
    } catch (error) {
      return error
    }
  })
}

test('each session gets its own snapshot, as if it were read alone (8.2, 8.3)', async () => {
  const { context, clock, sessions } = await createSessions()
  for (const passMs of [0, 5000, 2 * HOUR_MS]) {
    clock.ms += passMs
    const alone = await Promise.all(sessions.map((session) => readSnapshot(context, session)))
    expect(await readTexts(context, sessions)).toEqual(
      alone.map((quota): unknown => JSON.parse(JSON.stringify(quota))),
    )
  }
})

test('the month of an organization is read once for all its sessions, and measured for each (8.3)', async () => {
  const { context, sessions } = await createSessions()
  const measured: Measurement[] = []
  const asked: string[] = []
  onCall(context.store, 'countByDay', (organization) => asked.push(organization))
  await readTexts({ ...context, measure: (one) => void measured.push(one) }, [...sessions, ...sessions])
  expect(asked.filter((organization) => organization === '1001')).toHaveLength(1)
  expect(measured).toHaveLength(4)
  expect(measured[0]).toEqual({ what: 'month', plan: 'standard', leftShare: 0.99 })
})

test('a month that cannot be read fails the sessions of its organization, and no others (attack 72)', async () => {
  const { context, sessions } = await createSessions()
  const defect = new TypeError('a defect')
  const { countByKind } = context.store
  context.store.countByKind = (organization, sinceMs) =>
    organization === '1001' ? Promise.reject(defect) : countByKind(organization, sinceMs)
  const read = await readTexts(context, sessions)
  expect(read.map((one) => one === defect)).toEqual([true, true, false, false, false])
})

const recentOf = async (browser: Person): Promise<readonly RecentRequest[]> =>
  (await browser.quota()).recent ?? []
const inWords = ({ kind, by, failed }: RecentRequest) => `${by} ${kind}${failed ? ' failed' : ''}`
const wordsOf = async (browser: Person) => (await recentOf(browser)).map(inWords)

test('a sign-in is one request of the list, with its age and whose it is, in its organization (8.3)', async () => {
  const fixture = ticking()
  const [mine, theirs, stranger] = [fixture.browser(), fixture.browser(), fixture.browser()]
  await stranger.signIn(BUSINESS, 'Cleo')
  await mine.signIn()
  fixture.advance(5000)
  expect(await recentOf(mine)).toEqual([
    { id: expect.any(String), kind: 'sign_in', by: 'you', failed: false, age_ms: 5020 },
  ])
  await theirs.signIn()
  await mine.spend('/rate_limit')
  expect(await wordsOf(mine)).toEqual(['you check', 'another sign_in', 'you sign_in'])
  expect(await wordsOf(theirs)).toEqual(['another check', 'you sign_in', 'another sign_in'])
})

test('a refresh is part of the read that needed it, and the list has the newest three (5.4, 8.3)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  await browser.spend(PATH)
  expect(await wordsOf(browser)).toEqual(['you read', 'you sign_in'])
  for (const path of ['/rate_limit', PATH, '/rate_limit']) await browser.spend(path)
  expect(await wordsOf(browser)).toEqual(['you check', 'you read', 'you check'])
  expect(new Set((await recentOf(browser)).map(({ id }) => id)).size).toBe(3)
})

test('a read is in the list while it runs, with the refresh before it, and fails without an answer (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(HOUR_MS)
  const during: string[][] = []
  fixture.intercept(async (request, through) => {
    fixture.advance(10)
    during.push(await wordsOf(browser))
    if (request.url.includes('/oauth2/')) return through(request)
    throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' })
  })
  await browser.spend(PATH)
  expect(during).toEqual([['you sign_in'], ['you read', 'you sign_in']])
  expect(await wordsOf(browser)).toEqual(['you read failed', 'you sign_in'])
})

test('a read after an early refusal of the token is one, a refused one failed, one not sent is none (5.4)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  let refusals = 1
  fixture.intercept((request, through) => {
    fixture.advance(10)
    const isRefused = !request.url.includes('/oauth2/') && refusals-- > 0
    return isRefused ? Promise.resolve(new Response('', { status: 401 })) : through(request)
  })
  await browser.spend(PATH)
  expect(await wordsOf(browser)).toEqual(['you read', 'you sign_in'])
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 404 })))
  fixture.advance(10)
  await browser.spend(PATH)
  fixture.intercept(unsent)
  fixture.advance(10)
  await browser.spend('/rate_limit')
  expect(await wordsOf(browser)).toEqual(['you read failed', 'you read', 'you sign_in'])
})

test('a sign-in without its read has failed, and so has a read whose refresh alone was sent (5.4, 8.3)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  const answer = (instead: () => Promise<Response>) =>
    fixture.intercept((request, through) => {
      fixture.advance(10)
      return request.url.includes('/oauth2/') ? through(request) : instead()
    })
  answer(async () => new Response('', { status: 500 }))
  await browser.signIn()
  expect(await wordsOf(browser)).toEqual(['you sign_in failed'])
  fixture.intercept(undefined)
  await browser.signIn()
  fixture.advance(HOUR_MS)
  answer(unsent)
  await browser.spend(PATH)
  expect(await wordsOf(browser)).toEqual(['you read failed', 'you sign_in'])
})

test('the requests of presses at the same time are kept apart (8.3)', async () => {
  const { context, clock } = createContext()
  const send = async (press: string, status: number, initiator: 'person' | 'call' = 'person') => {
    clock.ms += 10
    const row = await reserve(context, { ...RESERVATION, press, initiator })
    await settle(context, row, { status, text: '{}' })
  }
  await send('one', 401)
  await send('two', 401)
  await send('one', 200, 'call')
  const { entries } = await readRecent(context, '1001')
  expect(entries.map(({ failed }) => failed)).toEqual([false, true])
})

test('a refresh that no read followed is in the list (5.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(HOUR_MS)
  fixture.intercept(() => Promise.resolve(new Response('{"error":"invalid_grant"}', { status: 400 })))
  await browser.spend(PATH)
  const other = fixture.browser()
  fixture.intercept(undefined)
  fixture.advance(10)
  await other.signIn()
  expect(await wordsOf(other)).toEqual(['you sign_in', 'another refresh failed', 'another sign_in'])
})

test('an older copy of the store, or another one, is named in the snapshot (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await fixture.store.renewEpoch()
  const { epoch } = await browser.quota()
  expect((await browser.quota()).epoch).toBe(epoch)
  await fixture.store.renewEpoch()
  expect([epoch === undefined, (await browser.quota()).epoch === epoch]).toEqual([false, false])
})

const OWNER = { token: 'a token', organization: '1001' }
const reasons = [{ code: 'payment_asked' }] as const
const paused = <Code extends string>(code: Code, inMs: number) => ({
  code,
  reasons,
  untilMs: START_MS + inMs,
})

test('each class has its pause until that ends, and reads those in flight, since no update is sent (8.2)', async () => {
  const { context } = createContext()
  const pauses = { read: paused('rate_limited', 1000.5), update: paused('limit_unknown', 2000) }
  await writeTokenNote(context, OWNER.token, { gauges: {}, pauses })
  const monthPause = paused('month_suspected', 3000)
  await writeOrganizationNote(context, OWNER.organization, { limits: {}, months: {}, monthPause })
  const notes = await readLimitNotes(context, OWNER)
  const limitsAfter = (ms: number) => limitsAt(START_MS + ms, notes, 1)
  const pausesAfter = (ms: number) => limitsAfter(ms).pauses
  expect(limitsAfter(0).windows).toEqual({
    read: { known: 'unseen', in_flight: 1 },
    update: { known: 'unseen', in_flight: 0 },
  })
  expect(pausesAfter(0)).toEqual([
    { code: 'rate_limited', class: 'read', ends_in_ms: 1001, reasons },
    { code: 'limit_unknown', class: 'update', ends_in_ms: 2000, reasons },
    { code: 'month_suspected', ends_in_ms: 3000, reasons },
  ])
  expect(pausesAfter(2000)).toEqual([{ code: 'month_suspected', ends_in_ms: 1000, reasons }])
  expect(pausesAfter(3000)).toEqual([])
})
