import { expect, test } from 'vitest'
import { readServiceNote } from '../../../src/bff/evidence/note.ts'
import { addSighting } from '../../../src/bff/evidence/learning.ts'
import { reserve } from '../../../src/bff/service/ledger.ts'
import {
  changeOrganizationNote,
  changeTokenNote,
  readOrganizationNote,
  readTokenNote,
  type OrganizationNote,
  type StoredPause,
  type TokenNote,
} from '../../../src/bff/limits/note.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { type ObservedRequest, observe } from '../../../src/bff/limits/observation.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { STANDARD, BUSINESS, type App } from '../../kit/app.ts'
import { RESERVATION } from '../_reservation.ts'
import { createContext, START_MS } from '../_context.ts'
import type { Person } from '../../kit/person.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'
import { markOthers } from '../../../src/bff/limits/others.ts'
import type { Observation } from '../../../src/contract/rate-limit.ts'

const PATH = `/organizations/${STANDARD}`
const OWNER = { token: 'a token', organization: '1001', session: 'a session' }

/** A context with stored limits, and `sent` requests in its ledger. */
async function withLimits({
  pauses = {},
  limits = {},
  monthPause,
  suspicion,
  sent = 0,
}: Partial<Known> = {}) {
  const made = createContext()
  const { context } = made
  await changeTokenNote(context, OWNER.token, () => ({ gauges: {}, pauses }))
  await changeOrganizationNote(context, OWNER.organization, () => ({
    limits,
    ...(monthPause && { monthPause }),
    ...(suspicion && { suspicion }),
  }))
  for (let request = 0; request < sent; request += 1) await reserve(context, RESERVATION)
  const see = async (
    status: number,
    headers: Record<string, string> = {},
    text = '{}',
    request: Partial<ObservedRequest> = {},
  ) => {
    const asked = { owner: OWNER, requestClass: 'read', kind: 'api.read', tokenExpired: false } as const
    const assumed = await readAssumptions(context).catch(() => ASSUMED)
    const { meaning, store } = await observe(
      context,
      { ...asked, proves: true, assumed, ...request },
      { status, headers: new Headers(headers), text, sentAtMs: START_MS, servedAtSeconds: START_MS / 1000 },
    )
    await store()
    return meaning
  }
  const stored = async () => ({
    ...(await readTokenNote(context, OWNER.token)),
    ...(await readOrganizationNote(context, OWNER.organization)),
  })
  return { ...made, see, stored }
}
type Known = Pick<TokenNote, 'pauses'> & OrganizationNote & { sent: number }

const pause = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: [{ code: 'payment_asked' }],
  untilMs: START_MS + inMs,
})
const PAUSES = {
  pauses: { read: pause('rate_limited', 20_000), update: pause('limit_unknown', 30_000) },
  monthPause: pause('month_suspected', 40_000),
  suspicion: { reasons: [{ code: 'payment_asked' }], sinceMs: START_MS - 1000, untilMs: START_MS + 50_000 },
} satisfies Partial<OrganizationNote & TokenNote>
const reported = (limit: string, remaining: string, inSeconds: number) => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': remaining,
  'X-RateLimit-Reset': String(START_MS / 1000 + inSeconds),
})

test('a success ends the pause of its class and the suspicion of the month (8.2, 8.3)', async () => {
  const { see, stored } = await withLimits(PAUSES)
  expect(await see(200)).toEqual({ code: 'success', renew: false, reasons: [] })
  const { pauses, monthPause, suspicion } = await stored()
  expect([pauses, monthPause, suspicion]).toEqual([{ update: PAUSES.pauses.update }, undefined, undefined])
})

test.each([
  [404, {}],
  [500, {}],
  [301, {}],
  [200, 'no JSON'],
  [429, { 'Retry-After': '10' }],
])('after a %i every pause is as long as before (8.2)', async (status, given) => {
  const { see, stored } = await withLimits(PAUSES)
  await (typeof given === 'string' ? see(status, {}, given) : see(status, given))
  expect(await stored()).toMatchObject(PAUSES)
})

test('a refusal starts or extends the pause of its class, and leaves the other class and the month (8.2)', async () => {
  const { see, stored } = await withLimits(PAUSES)
  await see(429, { 'Retry-After': '50' })
  const { pauses, monthPause } = await stored()
  expect(pauses).toEqual({
    read: { code: 'rate_limited', untilMs: START_MS + 50_000, reasons: [{ code: 'short_wait_asked' }] },
    update: PAUSES.pauses.update,
  })
  expect(monthPause).toEqual(PAUSES.monthPause)
})

test('a suspicion of the month pauses until its earliest end, and leaves both classes (8.3)', async () => {
  const { see, stored } = await withLimits({ pauses: PAUSES.pauses })
  const untilMs = Date.UTC(2026, 10, 30, 10)
  const reasons = [{ code: 'payment_asked' }]
  expect(await see(402)).toMatchObject({ code: 'month_suspected', retryInMs: untilMs - START_MS, reasons })
  const { pauses, monthPause, suspicion } = await stored()
  expect([pauses, monthPause]).toEqual([PAUSES.pauses, { code: 'month_suspected', untilMs, reasons }])
  expect(suspicion).toEqual({ reasons, sinceMs: START_MS, untilMs: Date.UTC(2026, 11, 1, 12) })
})

test("a suspicion keeps its first refusal's time and its newest reasons; a later one has its own (8.3)", async () => {
  const { see, stored, clock } = await withLimits(PAUSES)
  await see(402)
  const reasons = [{ code: 'payment_asked' }]
  const untilMs = Date.UTC(2026, 11, 1, 12)
  expect((await stored()).suspicion).toEqual({ reasons, sinceMs: START_MS - 1000, untilMs })
  clock.ms = untilMs
  await see(402)
  expect((await stored()).suspicion).toMatchObject({ sinceMs: untilMs })
})

test('the evidence about the service decides what an answer means (8.3)', async () => {
  const { context, see } = await withLimits()
  await addSighting(context, { name: 'month_status', value: '418', atMs: START_MS })
  expect((await see(402)).code).toBe('unexpected_reply')
})

test('an answer is of one instant: a suspicion at the month’s end is of the month in which it came (8.3)', async () => {
  const { context, clock, see, stored } = await withLimits()
  const endMs = Date.UTC(2026, 10, 30, 10)
  clock.ms = endMs - 1
  onCall(context.store, 'countSent', () => (clock.ms += 60_000))
  expect(await see(402)).toMatchObject({ retryInMs: 1 })
  expect((await stored()).monthPause?.untilMs).toBe(endMs)
})

const RECORD = JSON.stringify({
  get: { limit: 600, remaining: 599, reset: START_MS / 1000 + 30 },
  update: { limit: 150, remaining: 149, reset: START_MS / 1000 + 40 },
})

test('the record of GET /rate_limit measures the classes that it names, and shows the plan (2.2)', async () => {
  const { see, stored } = await withLimits({ limits: { read: 60 } })
  await see(200, {}, RECORD, { kind: 'rate_limit' })
  const { gauges, limits } = await stored()
  const seen = { atSeconds: START_MS / 1000, assumed: false, notes: [] }
  expect(gauges).toMatchObject({
    read: { limit: { value: 600 }, windows: { [START_MS / 1000 + 30]: { 600: { remaining: 599 } } }, seen },
    update: { limit: { value: 150 }, windows: { [START_MS / 1000 + 40]: { 150: { remaining: 149 } } }, seen },
  })
  expect(limits).toEqual({ read: 600, update: 150 })
})

test.each([
  ['a record of another path', 200, RECORD, 'api.read'],
  ['an error', 403, RECORD, 'rate_limit'],
  ['a body that is no JSON', 200, '<html>', 'rate_limit'],
  ['a record without its members', 200, '{"get":1}', 'rate_limit'],
] as const)('%s measures nothing (2.2)', async (_, status, text, kind) => {
  const { see, stored } = await withLimits({ limits: { read: 60 } })
  await see(status, {}, text, { kind })
  const gauges = { read: { windows: {}, silent: [START_MS / 1000] } }
  expect(await stored()).toEqual({ gauges, pauses: {}, limits: { read: 60 } })
})

test('an answer out of a cache measures nothing, and one that was not modified does (RFC 9111 5.1)', async () => {
  const { see, stored } = await withLimits({ limits: {} })
  for (const headers of [reported('60', '0', 20), {}]) await see(200, { ...headers, Age: '1' })
  await see(200, { Age: '1' }, RECORD, { kind: 'rate_limit' })
  expect((await stored()).gauges).toEqual({})
  expect(await see(429, { ...reported('60', '0', 20), Age: '1' })).toMatchObject({ code: 'limit_unknown' })
  await see(304, reported('60', '7', 20), '')
  expect((await stored()).gauges.read?.windows).toMatchObject({
    [START_MS / 1000 + 20]: { 60: { remaining: 7 } },
  })
})

test('headers change the limit that they report, and no other (8.4.2)', async () => {
  const { see, stored } = await withLimits({ limits: { read: 600, update: 150 } })
  await see(200, reported('', '7', 20))
  expect((await stored()).limits).toEqual({ read: 600, update: 150 })
  await see(200, reported('60', '7', 20))
  expect((await stored()).limits).toEqual({ read: 60, update: 150 })
})

test('a success that brings nothing new reads no count, and writes the note of the token alone (8.3)', async () => {
  const { context, see } = await withLimits({ limits: { read: 60 } })
  // The first success of a month shows its plan.
  await see(200, reported('60', '8', 20))
  const { countSent, changeNote } = context.store
  const work: string[] = []
  context.store.countSent = (...parameters) => {
    work.push('count')
    return countSent(...parameters)
  }
  context.store.changeNote = (name, ...others) => {
    work.push(name)
    return changeNote(name, ...others)
  }
  await see(200, reported('60', '7', 20))
  expect(work).toEqual(['token a token'])
  await see(404)
  expect(work).toEqual(['token a token', 'count', 'token a token'])
})

test.each([
  ['read', { read: 60 }, 29, 'month_suspected'],
  ['read', { read: 60 }, 30, 'limit_unknown'],
  ['read', { update: 15 }, 29, 'month_suspected'],
  ['read', { update: 150 }, 50, 'month_suspected'],
  ['update', { read: 60 }, 7, 'month_suspected'],
  ['update', { read: 60 }, 8, 'limit_unknown'],
  ['read', {}, 0, 'limit_unknown'],
] as const)(
  'a 429 without headers to a request of class %s, limits %j and %i sent is %s (8.4.3)',
  async (requestClass, limits, sent, code) => {
    const { see } = await withLimits({ limits, sent })
    expect((await see(429, {}, '', { requestClass })).code).toBe(code)
  },
)

test('requests of more than a minute ago are not of this minute (8.2)', async () => {
  const { see, clock } = await withLimits({ limits: { read: 60 }, sent: 30 })
  clock.ms += 60_000
  expect((await see(429)).code).toBe('limit_unknown')
  clock.ms += 1
  expect((await see(429)).code).toBe('month_suspected')
})

test.each([
  ['limit_unknown', 'month_suspected'],
  ['rate_limited', 'limit_unknown'],
] as const)('a 429 without headers after a pause of code %s is %s (8.4.3)', async (before, code) => {
  const { see } = await withLimits({ pauses: { read: pause(before, -1) } })
  expect((await see(429)).code).toBe(code)
})

test.each([
  [89, { read: 60 }, 'credential_refused'],
  [90, { read: 60 }, 'month_suspected'],
  [90, { read: 600 }, 'credential_refused'],
  [90, {}, 'credential_refused'],
])('a 401 after %i requests of the month, limits %j, means %s (8.3)', async (sent, limits, code) => {
  const { see } = await withLimits({ limits, sent })
  expect((await see(401)).code).toBe(code)
})

test('a 401 after 90 requests of the month by a reading is suspected to be of the month (8.3)', async () => {
  const { context, see } = await withLimits({ limits: { read: 60 } })
  const reading = { id: 'r', count: 89, readAtMs: START_MS, inFlight: 0, monthWasReset: false, owner: '' }
  await context.store.addReading(OWNER.organization, reading)
  expect((await see(401)).code).toBe('credential_refused')
  await context.store.addReading(OWNER.organization, { ...reading, id: 's', count: 90 })
  expect((await see(401)).code).toBe('month_suspected')
})

test('headers of the other class do not decide what a 429 means, and move its gauge (8.4.4)', async () => {
  const { see, stored } = await withLimits()
  expect((await see(429, reported('15', '3', 20))).code).toBe('limit_unknown')
  expect((await stored()).gauges).toEqual({ update: expect.objectContaining({ limit: expect.anything() }) })
  expect((await see(429, reported('60', '3', 20))).code).toBe('month_suspected')
})

test.each([
  [200, { remaining: '59' }, { read: 60 }],
  [429, { remaining: '59', wait: '10' }, { read: 60 }],
  [429, { remaining: '0' }, { read: 60 }],
  [429, { remaining: '59' }, { read: 600 }],
  [401, { remaining: '59' }, { read: 600 }],
  [403, { remaining: '59' }, { read: 600 }],
  [404, { remaining: '59' }, { read: 600 }],
  [503, { remaining: '59' }, { read: 600 }],
])(
  "a %d with another limit and %j leaves the organization with %j: the limit may be another's (8.2)",
  async (status, { remaining, wait }: { remaining: string; wait?: string }, limits) => {
    const { context, see } = await withLimits({ limits: { read: 600 } })
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': remaining }
    await see(status, wait === undefined ? headers : { ...headers, 'Retry-After': wait })
    expect((await readOrganizationNote(context, OWNER.organization)).limits).toEqual(limits)
  },
)

const UNPROVEN = { ...OWNER, organization: 'unproven of a test', claimed: '1001' }
const NOTES = ['organization 1001', 'organization unproven of a test', 'token a token']

/** The stored notes before and after those of an unproven session have lapsed. */
async function notesAfter(status: number, proves: boolean) {
  const { context, clock, see } = await withLimits()
  for (const name of NOTES) await context.store.changeNote(name, () => undefined, 0)
  await see(status, reported('60', '7', 20), '{}', { owner: UNPROVEN, proves })
  const stored = async () => {
    const notes = await Promise.all(NOTES.map((name) => context.store.readNote(name)))
    return NOTES.filter((_, at) => notes[at] !== undefined)
  }
  const before = await stored()
  clock.ms += 600_000
  await context.store.sweep(context.now())
  return [before, await stored()]
}

test.each([
  ['a refusal', 401, true, [], []],
  ['a refusal of the record', 403, true, [], []],
  ['a failure', 500, true, ['token a token'], []],
  ['a suspicion of the month', 402, true, ['organization unproven of a test', 'token a token'], []],
  ['a success that proves nothing', 200, false, ['token a token'], []],
  ['the proof', 200, true, ['organization 1001', 'token a token'], ['organization 1001', 'token a token']],
])(
  'before the proof no note is of the organization: after %s (5.3, 8.3)',
  async (_, status, proves, before, after) => {
    expect(await notesAfter(status, proves)).toEqual([before, after])
  },
)

test.each([
  [false, []],
  [true, ['class_of_request']],
])(
  'GET /rate_limit for a claimed organization shows what headers describe (proof %s): %j (5.3, 8.4.4)',
  async (proves, values) => {
    const { context, see } = await withLimits()
    await see(200, reported('600', '599', 30), RECORD, { kind: 'rate_limit', owner: UNPROVEN, proves })
    const { sightings } = await readServiceNote(context)
    expect(sightings.map(({ value }) => value)).toEqual(values)
  },
)

test('an answer is understood where the store fails, and what it reports is lost (8.4)', async () => {
  const { context, see, log } = await withLimits()
  const failing = () => Promise.reject(new Problem('store_unavailable'))
  Object.assign(context.store, { readNote: failing, changeNote: failing })
  expect([(await see(200)).code, (await see(500)).code]).toEqual(['success', 'upstream_failed'])
  const entry = { level: 'warn', event: 'problem', code: 'store_unavailable' }
  expect(log).toContainEqual(expect.objectContaining(entry))
})

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

test('a 429 with nothing left is of the minute: the next request waits for the reset (8.2, attack 69)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, rate(fixture, 0, 20))
  const { body, headers } = await browser.spend(PATH)
  expect(body).toMatchObject({ code: 'rate_limited', retry_in_ms: 21_000 })
  expect(headers.get('X-Plimsoll-Spent')).toBe('1')
  fixture.intercept(undefined)
  const sent = fixture.sent.length
  fixture.advance(20_999)
  expect((await browser.spend(PATH)).body.code).toBe('rate_limited')
  expect(fixture.sent).toHaveLength(sent)
  fixture.advance(1)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a 429 with requests left may be of the month, and a person may send one more (8.3, attack 70)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, rate(fixture, 58, 20))
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('month_suspected')
  expect(body.reasons).toEqual([{ code: 'minute_has_requests_left' }])
  const [first] = (await browser.quota()).pauses
  expect(first).toMatchObject({ code: 'month_suspected', reasons: body.reasons })
  fixture.intercept(undefined)
  fixture.advance(5000)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).pauses).toEqual([])
})

test("a suspicion is everybody's, outlives a restart, and ends with anybody's first success (8.3)", async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  for (const browser of [ada, ben]) await browser.signIn()
  await stranger.signIn(BUSINESS)
  refuse(first, rate(first, 58, 20))
  await ada.spend(PATH)
  first.advance(3000)
  const suspected = { age_ms: 3000, reasons: [{ code: 'minute_has_requests_left' }] }
  const seen = async (browser: Person) => (await browser.quota()).month
  for (const browser of [ada, throughAnother(ben, second)])
    expect(await seen(browser)).toMatchObject({ suspected, reading_wanted: 'suspected' })
  expect((await seen(stranger)).suspected).toBeUndefined()
  second.advance(2000)
  expect((await throughAnother(ben, second).spend(PATH)).status).toBe(200)
  expect((await seen(ada)).suspected).toBeUndefined()
})

const answer = (fixture: App, status: number, body: unknown = { error: 'over' }) =>
  fixture.intercept(() => Promise.resolve(Response.json(body, { status })))

test.each([401, 402, 200])(
  'after a %i near the end of the month the session stays, and no token is refreshed (8.3)',
  async (status) => {
    const { fixture, browser } = await signedIn()
    const { context } = createContext()
    for (let request = 0; request < 90; request += 1) {
      const entry = { ...RESERVATION, token: 'another', organization: STANDARD }
      await reserve({ ...context, store: fixture.store }, entry)
    }
    answer(fixture, status)
    expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
    expect((await browser.session()).body.signed_in).toBe(true)
    expect(fixture.tokenRequests()).toHaveLength(1)
  },
)

test('an error under a 200 replaces no copy, and may or may not count (4.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { low, high } = (await browser.quota()).month
  answer(fixture, 200)
  await browser.spend(PATH)
  expect((await browser.read<{ name: string }>(PATH)).body.name).toBeTruthy()
  expect((await browser.quota()).month).toMatchObject({ low, high: high + 1 })
})

const report = (used: number, changes: Partial<Observation> = {}): Observation => ({
  class: 'read',
  limit: 60,
  remaining: 60 - used,
  servedAtSeconds: START_MS / 1000,
  assumed: false,
  notes: [],
  ...changes,
})

/** Marks reports after requests, each with its organization and its age in seconds. */
async function marked(reports: Observation[], sent: string, claimed?: string) {
  const { context, clock } = createContext()
  for (const [, organization = '', ageSeconds] of sent.matchAll(/(\d+), (\d+) s/g)) {
    clock.ms = START_MS - Number(ageSeconds) * 1000
    await reserve(context, { ...RESERVATION, organization })
  }
  let counts = 0
  onCall(context.store, 'countByKind', () => (counts += 1))
  const owner = { organization: '1001', ...(claimed !== undefined && { claimed }) }
  const notes = (await markOthers(context, owner, reports)).map((one) => one.notes)
  return { notes, counts }
}
const OTHERS = ['others_on_token']

test.each([
  [2, '1001, 0 s', OTHERS],
  [2, '1001, 0 s; 1001, 62 s', []],
  [2, '1001, 0 s; 1001, 63 s', OTHERS],
  [2, '1001, 0 s; 1002, 1 s', OTHERS],
])('%d used after requests of %s ago are of others: %j (8.2)', async (used, sent, notes) => {
  expect(await marked([report(used)], sent)).toEqual({ notes: [notes], counts: 1 })
})

test('requests under the name of a session that is not proven count, and those of what it claims (8.3)', async () => {
  const notesOf = async (used: number) => (await marked([report(used)], '1001, 0 s; 1002, 1 s', '1002')).notes
  expect([await notesOf(2), await notesOf(3)]).toEqual([[[]], [OTHERS]])
})

test.each([
  ['one request is used', report(1)],
  ['the class is assumed', report(9, { assumed: true })],
  ['something about it is odd', report(9, { notes: ['long_window'] })],
  ['no limit is reported', { ...report(9), limit: undefined } as unknown as Observation],
  ['no remaining is reported', { ...report(9), remaining: undefined } as unknown as Observation],
])('where %s nothing is counted, and no one is suspected (8.2)', async (_, observation) => {
  const { notes, counts } = await marked([observation], '')
  expect([notes, counts]).toEqual([[observation.notes], 0])
  expect((await marked([], '')).notes).toEqual([])
})

test('the class of a record that others use is marked (2.2)', async () => {
  const record = [report(1), report(2), report(3, { class: 'update', limit: 15, remaining: 10 })]
  const { notes } = await marked(record, '1001, 0 s; 1001, 1 s; 1001, 2 s')
  expect(notes).toEqual([[], [], OTHERS])
})

test('the snapshot names others on the token, and none where this app alone has sent (8.2)', async () => {
  for (const shared of ['no', 'yes'] as const) {
    const { fixture, browser } = await signedIn({ choices: { shared } })
    for (let press = 0; press < 3; press += 1) {
      fixture.advance(10_000)
      await browser.spend(PATH)
    }
    expect((await browser.quota()).read.notes).toEqual(shared === 'yes' ? OTHERS : [])
  }
})

test('an error that is not of the store is no failed store (8.4)', async () => {
  const { context, see } = await withLimits()
  context.store.readNote = () => Promise.reject(new TypeError('ours'))
  await expect(see(500)).rejects.toThrow('ours')
})
