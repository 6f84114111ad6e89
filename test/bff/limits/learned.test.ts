import { expect, test } from 'vitest'
import { learnInside, transferLimits } from '../../../src/bff/limits/learned.ts'
import {
  readLimitNotes,
  readOrganizationNote,
  readTokenNote,
  writeOrganizationNote,
  writeTokenNote,
} from '../../../src/bff/limits/note.ts'
import type { LimitOwner } from '../../../src/bff/session/limit-owner.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/contract/duration.ts'
import { fold } from '../../../src/contract/gauge.ts'
import type { Answered } from '../../../src/contract/learn.ts'
import { NO_ORGANIZATION_NOTE, NO_TOKEN_NOTE, type TokenNote } from '../../../src/contract/limit-notes.ts'
import { Problem } from '../../../src/contract/problem.ts'
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

const OK = { status: 200, text: '{}' }
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
  onCall(context.store, 'changeNote', (name) => void work.push(name))
  for (const name of ['countSent', 'countByKind'] as const) onCall(context.store, name, () => work.push(name))
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

test.each<[string, (fixture: App) => void]>([
  ['works', () => {}],
  ['fails', ({ store }) => failIn(store, 'settle', new Problem('store_unavailable'))],
  ['hangs', ({ store }) => replaceIn(store, 'settle', () => () => new Promise(() => {}))],
])('where the store %s, a 429 with nothing left is of the minute (8.2, 8.4, attack 69)', async (...row) => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, 0)
  row[1](fixture)
  const { body, headers } = await browser.spend(PATH)
  expect(body).toMatchObject({ code: 'rate_limited', retry_in_ms: 21_000 })
  expect(headers.get('X-Plimsoll-Spent')).toBe('1')
})

/** A 429 that says how many reads are left, and that the minute is reset in 20 seconds. */
const refuse = (fixture: App, remaining: number) => {
  const headers = {
    Date: new Date(fixture.now()).toUTCString(),
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.floor(fixture.now() / 1000) + 20),
  }
  answerReads(fixture, () => new Response('{}', { status: 429, headers }))
}

test("a 429 with requests left is a suspicion of all, until anybody's first success (8.3, attack 70)", async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  for (const browser of [ada, ben]) await browser.signIn()
  await stranger.signIn(BUSINESS)
  refuse(first, 58)
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

const paused = <Code extends string>(code: Code, inMs: number) =>
  ({ code, reasons: [{ code: 'payment_asked' }], untilMs: START_MS + inMs }) as const

const seen = { servedAtSeconds: START_MS / 1000, assumed: false, notes: [] }
const resetAtSeconds = START_MS / 1000 + 20
const observed = (remaining: number) => ({ ...seen, class: 'read', remaining, resetAtSeconds }) as const

test('the new token gets the later of the pause of the old one and one of its used-up window (8.2)', async () => {
  const { context } = createContext()
  const transferred = async (pauses: TokenNote['pauses'], remaining: number) => {
    await writeTokenNote(context, 'old', { gauges: fold({}, [observed(remaining)]), pauses })
    await transferLimits(context, 'old', 'new')
    return readTokenNote(context, 'new')
  }
  // Nothing is transferred if nothing is over the limit.
  expect(await transferred({}, 1)).toEqual(NO_TOKEN_NOTE)
  const before = [{ code: 'minute_used_up_before_refresh' }]
  const read = { code: 'rate_limited', reasons: before, untilMs: START_MS + 21_000 }
  const later = paused('limit_unknown', 30_000)
  expect(await transferred({ read: paused('limit_unknown', 5000) }, 0)).toEqual({
    gauges: {},
    pauses: { read },
  })
  expect(await transferred({ read: later }, 0)).toEqual({ gauges: {}, pauses: { read: later } })
})

test('the note of a token outlives every month, and that of an organization three years (8.3)', async () => {
  const { context } = createContext()
  const TOKEN = { gauges: {}, pauses: { read: paused('rate_limited', 0) } }
  const ORGANIZATION = { limits: { read: 60 }, months: {} }
  await writeTokenNote(context, 'a', TOKEN)
  await writeOrganizationNote(context, 'a', ORGANIZATION)
  const kept = async (afterDays: number) => {
    await context.store.sweep(START_MS + afterDays * DAY_MS)
    return [await readTokenNote(context, 'a'), await readOrganizationNote(context, 'a')]
  }
  expect(await kept(31)).toEqual([TOKEN, ORGANIZATION])
  expect(await kept(3 * 366)).toEqual([NO_TOKEN_NOTE, ORGANIZATION])
  expect(await kept(1200)).toEqual([NO_TOKEN_NOTE, NO_ORGANIZATION_NOTE])
})
