import { expect, test } from 'vitest'
import { learnInside } from '../../../src/bff/limits/learned.ts'
import { readLimitNotes } from '../../../src/bff/limits/note.ts'
import type { LimitOwner } from '../../../src/bff/session/limit-owner.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { MINUTE_MS } from '../../../src/contract/duration.ts'
import type { Answered } from '../../../src/contract/learn.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Tables } from '../../../src/store/store.ts'
import { type App, BUSINESS, STANDARD } from '../../kit/app.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION, reserve, settle } from '../_reservation.ts'
import { failIn, onCall, replaceIn } from '../../kit/store-methods.ts'
import { told } from '../_answers.ts'
import { answerReads, signedIn } from '../_signed-in.ts'

const PATH = `/organizations/${STANDARD}`
const OWNER = { token: 'a token', organization: '1001', session: 'a session' }
const UNPROVEN = { ...OWNER, organization: 'unproven of a test', claimed: '1001' }
const ON_STANDARD = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '7' }

function withLearning(owner: LimitOwner = OWNER) {
  const made = createContext()
  const { context, clock } = made
  const learned = (status: number, headers: Record<string, string> = {}, others: Partial<Answered> = {}) => {
    const answer: Answered = {
      status,
      text: '{}',
      headers: new Headers(headers),
      kind: 'api.read',
      requestClass: 'read',
      tokenExpired: false,
      proof: 'earlier',
      nowMs: clock.ms,
      servedAtSeconds: clock.ms / 1000,
      isClockKnown: true,
      assumed: ASSUMED,
      ...others,
    }
    return context.store.transaction((store) => learnInside({ ...context, store }, owner, answer))
  }
  const codeOf = async (...answer: Parameters<typeof learned>) => (await learned(...answer)).meaning.code
  return { ...made, learned, codeOf }
}

const NOTES = ['organization 1001', 'organization unproven of a test', 'token a token']

const OF_TOKEN = ['token a token']
const PROVEN = ['organization 1001', 'token a token']
test.each([
  ['a refusal', 401, 'by_success', [], [], 0],
  ['a failure', 500, 'by_success', OF_TOKEN, [], 0],
  ['a suspicion of the month', 402, 'by_success', ['organization unproven of a test', ...OF_TOKEN], [], 0],
  ['a record that is not there', 404, 'by_success', [], [], 0],
  ['a success that is no proof', 200, 'none', OF_TOKEN, [], 0],
  ['the proof', 200, 'by_success', PROVEN, PROVEN, 1],
] as const)('of the organization are notes and requests after the proof: %s (5.3, 8.3)', async (...row) => {
  const [, status, proof, before, after, requests] = row
  const { context, clock, learned } = withLearning(UNPROVEN)
  await reserve(context, { ...RESERVATION, organization: UNPROVEN.organization })
  const stored = async () => {
    const notes = await context.store.readNotes(NOTES)
    return NOTES.filter((_, at) => notes[at] !== undefined)
  }
  await learned(status, ON_STANDARD, { proof })
  expect(await stored()).toEqual(before)
  const sums = await context.store.countByKind('1001', START_MS)
  expect(sums.reduce((total, one) => total + one.count, 0)).toBe(requests)
  clock.ms += 10 * MINUTE_MS
  await context.store.sweep(clock.ms)
  expect(await stored()).toEqual(after)
})

test('a success that brings nothing new counts nothing, and writes the note of the token alone (8.3)', async () => {
  const { context, learned } = withLearning()
  // The first success of a month shows its plan.
  await learned(200, ON_STANDARD)
  const work: string[] = []
  const writeDown = (name: keyof Tables) => onCall(context.store, name, () => void work.push(name))
  onCall(context.store, 'changeNote', (name) => void work.push(name))
  writeDown('countSent')
  writeDown('countByKind')
  await learned(200, { ...ON_STANDARD, 'X-RateLimit-Remaining': '6' })
  expect(work).toEqual(['token a token'])
  await learned(404)
  expect(work.slice(1)).toEqual(expect.arrayContaining(['countSent', 'countByKind']))
  // It has no headers, so it teaches nothing.
  expect(work.filter((one) => one.includes(' '))).toEqual(['token a token'])
})

test('requests of more than a minute ago, or with another token, are not of this minute (8.2)', async () => {
  const { context, clock, codeOf, learned } = withLearning()
  await learned(200, ON_STANDARD)
  const send = async (token: string) => {
    for (let request = 0; request < 30; request += 1) await reserve(context, { ...RESERVATION, token })
  }
  await send('another')
  expect(await codeOf(429)).toBe('month_suspected')
  await send('a token')
  expect(await codeOf(429)).toBe('limit_unknown')
  clock.ms += MINUTE_MS + 1
  await learned(200, ON_STANDARD)
  expect(await codeOf(429)).toBe('month_suspected')
})

test('whether a refusal is near the limit of the month is counted by the evidence (8.3)', async () => {
  const nearLimit = async (counts: 'yes' | 'unknown') => {
    const { context, learned } = withLearning()
    await learned(200, ON_STANDARD)
    for (let request = 0; request < 90; request += 1)
      await settle(context, await reserve(context, { ...RESERVATION, kind: 'token.refresh' }), OK)
    const counts_in_month = { ...ASSUMED.counts_in_month, 'token.refresh': counts }
    await learned(402, {}, { assumed: { ...ASSUMED, counts_in_month } })
    return (await readLimitNotes(context, OWNER)).organization.refusal?.isNearLimit
  }
  expect([await nearLimit('yes'), await nearLimit('unknown')]).toEqual([true, false])
})
const OK = { status: 200, text: '{}' }

test('what cannot be stored as a whole is not stored at all (8.3)', async () => {
  const { context, learned } = withLearning(UNPROVEN)
  await reserve(context, { ...RESERVATION, organization: UNPROVEN.organization })
  const { transaction } = context.store
  replaceIn(
    context.store,
    'changeNote',
    (change) =>
      (name, ...others) =>
        name.startsWith('organization') ? Promise.reject(new Error('disk full')) : change(name, ...others),
  )
  await expect(learned(200, ON_STANDARD, { proof: 'by_success' })).rejects.toThrow('disk full')
  context.store.transaction = transaction
  expect(await context.store.readNotes(NOTES)).toEqual([undefined, undefined, undefined])
  expect(await context.store.countByKind('1001', START_MS)).toEqual([])
})

const STORES: [string, (fixture: App) => void][] = [
  ['works', () => {}],
  ['fails', ({ store }) => failIn(store, 'settle', new Problem('store_unavailable'))],
  ['hangs', ({ store }) => replaceIn(store, 'settle', () => () => new Promise(() => {}))],
]
test.each(STORES)(
  'where the store %s, a 429 with nothing left is of the minute (8.2, 8.4, attack 69)',
  async (...row) => {
    const { fixture, browser } = await signedIn()
    refuse(fixture, rate(fixture, 0, 20))
    row[1](fixture)
    const { body, headers } = await browser.spend(PATH)
    expect(body).toMatchObject({ code: 'rate_limited', retry_in_ms: 21_000 })
    expect(headers.get('X-Plimsoll-Spent')).toBe('1')
  },
)

const refuse = (fixture: App, headers: Record<string, string>) =>
  fixture.intercept(() =>
    Promise.resolve(
      new Response('{}', {
        status: 429,
        headers: { Date: new Date(fixture.now()).toUTCString(), ...headers },
      }),
    ),
  )
const rate = (fixture: App, remaining: number, inSeconds: number) => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.floor(fixture.now() / 1000) + inSeconds),
})

test("a 429 with requests left may be of the month: everybody's, until anybody's first success (8.3, attack 70)", async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  for (const browser of [ada, ben]) await browser.signIn()
  await stranger.signIn(BUSINESS)
  refuse(first, rate(first, 58, 20))
  const reasons = [{ code: 'minute_has_requests_left' }]
  expect((await ada.spend(PATH)).body).toMatchObject({ code: 'month_suspected', reasons })
  first.advance(3000)
  for (const browser of [ada, throughAnother(ben, second)])
    expect(await browser.quota()).toMatchObject({
      month: { suspected: { age_ms: 3000, reasons }, reading_wanted: 'suspected' },
      pauses: [{ code: 'month_suspected', reasons }],
    })
  expect((await stranger.quota()).month.suspected).toBeUndefined()
  second.advance(2000)
  expect(await told(throughAnother(ben, second).spend(PATH))).toBe('200')
  const { month, pauses } = await ada.quota()
  expect([month.suspected, pauses]).toEqual([undefined, []])
})

test.each([401, 402, 200])('after a %i near the end of the month the session stays (8.3)', async (status) => {
  const { fixture, browser } = await signedIn()
  const context = { ...createContext().context, store: fixture.store }
  for (let request = 0; request < 90; request += 1)
    await reserve(context, { ...RESERVATION, token: 'another', organization: STANDARD })
  answerReads(fixture, () => Response.json({ error: 'over' }, { status }))
  expect(await told(browser.spend(PATH))).toBe('429 month_suspected')
  expect((await browser.session()).body.signed_in).toBe(true)
  expect(fixture.tokenRequests()).toHaveLength(1)
})
