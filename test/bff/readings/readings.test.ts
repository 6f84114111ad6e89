import { expect, test } from 'vitest'
import { openStored } from '../../kit/stored-session.ts'
import { addReading } from '../../../src/bff/readings/readings.ts'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import { MOST_READINGS, type Readings } from '../../../src/contract/readings.ts'
import { BUSINESS, STANDARD, signInUnproven, startApp, type App } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'
import { createContext, START_MS } from '../_context.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { failIn, onCall, replaceIn } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'
import { readServiceNote } from '../../../src/bff/evidence/note.ts'
import { findingsOf, readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { onReadingsChanged } from '../../../src/bff/readings/evidence.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import type { FindingName } from '../../../src/contract/evidence.ts'
import type { RequestKind } from '../../../src/contract/month.ts'
import type { StoredReading } from '../../../src/store/store.ts'
import { RESERVATION, reading } from '../_reservation.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000
const post = <Body = ProblemBody>(browser: Person, json: unknown) =>
  browser.request<Body>('POST', '/bff/readings', { json })
const listed = async (browser: Person) =>
  (await browser.request<unknown>('GET', '/bff/readings')).body as Readings
const countsOf = async (browser: Person) => (await listed(browser)).readings.map(({ count }) => count)

async function signedInAt(organization = STANDARD) {
  const made = await signedIn({}, organization)
  return { ...made, at: (inMs: number) => new Date(made.fixture.now() + inMs).toISOString() }
}

test('a person enters the count of the plan page: a row with when and who, and no request (8.3)', async () => {
  const { fixture, browser, at } = await signedInAt()
  const before = fixture.sent.length
  const { status, body } = await post<unknown>(browser, { count: 32 })
  expect(status).toBe(201)
  expect(body).toEqual({ id: expect.any(String), count: 32, read_at: at(0), by: 'you' })
  const read_at = at(-HOUR_MS)
  await post(browser, { count: 30, read_at })
  expect(await listed(browser)).toEqual({
    readings: [body, { id: expect.any(String), count: 30, read_at, by: 'you' }],
  })
  expect(await post(browser, { count: -1 })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await countsOf(browser)).toEqual([32, 30])
  expect(fixture.sent).toHaveLength(before)
})

test('a time is of this month in one of its zones, and at most two minutes ahead (8.3)', async () => {
  const { fixture, browser, at } = await signedInAt()
  const startMs = Date.UTC(2026, 9, 31, 10) - fixture.now()
  const tried = (inMs: number) => post(browser, { count: 9, read_at: at(inMs) })
  const status = async (inMs: number) => (await tried(inMs)).status
  expect(await tried(startMs - 1)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fault: 'read_at_before_this_month' },
  })
  expect(await tried(120_001)).toMatchObject({ status: 400, body: { fault: 'read_at_in_the_future' } })
  expect(await countsOf(browser)).toEqual([])
  expect([await status(startMs), await status(120_000)]).toEqual([201, 201])
  // Every later request was sent after the number was read.
  expect((await listed(browser)).readings[0]?.read_at).toBe(at(0))
})

test('a lower number than before is refused until the person confirms that the month was reset (8.3)', async () => {
  const { fixture, browser, at } = await signedInAt()
  // A confirmation that is not needed is not stored.
  await post(browser, { count: 40, month_was_reset: true })
  expect((await post(browser, { count: 39 })).status).toBe(409)
  fixture.advance(HOUR_MS)
  expect(await post(browser, { count: 39 })).toMatchObject({ status: 409, body: { code: 'lower_reading' } })
  expect(await countsOf(browser)).toEqual([40])
  // A reading of an earlier instant is not lower.
  expect((await post(browser, { count: 39, read_at: at(-2 * HOUR_MS) })).status).toBe(201)
  expect((await post(browser, { count: 3, month_was_reset: true })).status).toBe(201)
  fixture.advance(HOUR_MS)
  expect((await post(browser, { count: 4 })).status).toBe(201)
  expect((await post(browser, { count: 2 })).status).toBe(409)
  expect(await countsOf(browser)).toEqual([4, 3, 40, 39])
  const stored = await fixture.store.listReadings(STANDARD, 0)
  expect(stored.map(({ monthWasReset }) => monthWasReset)).toEqual([false, true, false, false])
})

test('a reading that was taken back is in no count, and the one before it is again (8.3)', async () => {
  const { fixture, browser } = await signedInAt()
  await post(browser, { count: 30 })
  fixture.advance(HOUR_MS)
  const { body } = await post<{ id: string }>(browser, { count: 90 })
  expect((await browser.quota()).month.organization).toMatchObject({ low: 90 })
  const remove = () => browser.request('DELETE', `/bff/readings/${body.id}`)
  expect((await remove()).status).toBe(204)
  expect(await countsOf(browser)).toEqual([30])
  expect((await browser.quota()).month.organization).toMatchObject({ low: 30 })
  expect((await remove()).status).toBe(404)
  // A lower one is allowed after it.
  expect((await post(browser, { count: 31 })).status).toBe(201)
})

test('the people of an organization see its readings with their owner, and no others remove them (8.3)', async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  await ada.signIn(STANDARD)
  await ben.signIn(STANDARD)
  await stranger.signIn(BUSINESS)
  const { body } = await post<{ id: string }>(ada, { count: 32 })
  expect(await listed(ada)).toMatchObject({ readings: [{ count: 32, by: 'you' }] })
  expect(await listed(throughAnother(ben, second))).toMatchObject({
    readings: [{ count: 32, by: 'another' }],
  })
  expect((await throughAnother(ben, second).quota()).month.organization).toMatchObject({ low: 32 })
  expect(await countsOf(stranger)).toEqual([])
  expect((await stranger.quota()).month.organization).toBeUndefined()
  expect((await stranger.request('DELETE', `/bff/readings/${body.id}`)).status).toBe(404)
  expect(await countsOf(ada)).toEqual([32])
})

test('requests without an answer when the number was read may be in it or not (8.3)', async () => {
  const { fixture, browser } = await signedInAt()
  fixture.advance(120_000)
  fixture.intercept(async (request, through) => {
    await post(browser, { count: 5 })
    return through(request)
  })
  await browser.spend(PATH)
  expect((await browser.quota()).month.organization).toMatchObject({ low: 5, high: 6 })
})

test('a request that had no answer for a minute is under way no more (8.3)', async () => {
  const { fixture, browser } = await signedInAt()
  fixture.intercept(() => new Promise(() => {}))
  void browser.spend(PATH)
  await expect.poll(() => fixture.paid().length).toBe(2)
  fixture.advance(60_001)
  await post(browser, { count: 5 })
  expect((await browser.quota()).month.organization).toMatchObject({ low: 5, high: 5 })
})

test('an organization enters at most so many readings a month, also if it removes them (8.3)', async () => {
  const { fixture, browser } = await signedInAt()
  const { body } = await post<{ id: string }>(browser, { count: 1 })
  const counter = `readings ${STANDARD} ${Date.UTC(2026, 9, 31, 10)}`
  await fixture.store.addToCounter(counter, MOST_READINGS - 2, fixture.now(), 1e15)
  expect((await post(browser, { count: 1 })).status).toBe(201)
  await browser.request('DELETE', `/bff/readings/${body.id}`)
  expect(await post(browser, { count: 1 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fault: 'too_many_readings' },
  })
  expect(await countsOf(browser)).toHaveLength(1)
  fixture.advance(10 * 24 * HOUR_MS)
  await browser.signIn()
  expect((await post(browser, { count: 1 })).status).toBe(201)
})

test('of two readings at once in two processes the lower one is asked about (8.3)', async () => {
  const [here, there] = twoProcesses()
  const browser = here.browser()
  await browser.signIn()
  const same = throughAnother(browser, there)
  let lower: ReturnType<typeof post> | undefined
  replaceIn(here.store, 'countUnanswered', (count) => async (...of) => {
    lower = post(same, { count: 39 })
    await Promise.race([lower, new Promise((resolve) => setTimeout(resolve, 200))])
    return count(...of)
  })
  expect((await post(browser, { count: 40 })).status).toBe(201)
  expect(await lower).toMatchObject({ status: 409, body: { code: 'lower_reading' } })
})

test('a session that the service has not confirmed sees no reading of its organization (5.3)', async () => {
  const { fixture, browser } = await signedInAt()
  await post(browser, { count: 1 })
  expect(await countsOf(await signInUnproven(fixture))).toEqual([])
})

test('a reading is not acknowledged if the store fails (8.3)', async () => {
  const { context } = createContext()
  const credential = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { cookie } = await openStored(context, { credential, proven: true })
  failIn(context.store, 'addReading', new Error('disk full'))
  const request = new Request('http://localhost:3000/bff/readings', {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: '{"count":1}',
  })
  await expect(addReading(context, request)).rejects.toThrow('disk full')
})

const MINUTE_MS = 60_000
const contextOf = ({ store }: App) => ({ ...createContext().context, store })
const findings = async (fixture: App) =>
  Object.fromEntries(
    findingsOf(await readServiceNote(contextOf(fixture))).map((finding) => [finding.name, finding]),
  )
/** Enters the count of the plan page, hours after the last request. */
async function readPage(fixture: App, browser: Person, organization = STANDARD): Promise<void> {
  fixture.advance(2 * HOUR_MS)
  const count = fixture.sandbox.snapshot().months[organization]?.count ?? 0
  expect((await browser.request('POST', '/bff/readings', { json: { count } })).status).toBe(201)
  fixture.advance(10 * MINUTE_MS)
}

const COUNTED: [FindingName, (choices: { toklimit: string; ratelimitcount: string }) => boolean][] = [
  ['token_code_counts', ({ toklimit }) => toklimit === 'counts_as_update'],
  ['token_refresh_counts', ({ toklimit }) => toklimit === 'counts_as_update'],
  ['rate_limit_counts', ({ ratelimitcount }) => ratelimitcount === 'minute_and_month'],
]

test.each([
  { toklimit: 'not_counted', ratelimitcount: 'minute_and_month' },
  { toklimit: 'not_counted', ratelimitcount: 'none' },
  { toklimit: 'counts_as_update', ratelimitcount: 'minute_and_month' },
  { toklimit: 'counts_as_update', ratelimitcount: 'none' },
] as const)(
  'readings around a sign-in, a refresh and a check of the limits show what counts, by %j (8.3)',
  async (choices) => {
    const { fixture, browser } = await signedIn({ choices })
    await readPage(fixture, browser)
    await browser.signIn()
    await readPage(fixture, browser)
    await browser.spend(`/organizations/${STANDARD}`)
    await readPage(fixture, browser)
    await browser.spend('/rate_limit')
    await browser.spend('/rate_limit')
    await readPage(fixture, browser)
    const before = fixture.sent.length
    const found = await findings(fixture)
    for (const [name, counts] of COUNTED)
      expect(found[name]).toMatchObject(
        counts(choices)
          ? { value: 'yes', in_use: false, confirmable: true }
          : { value: 'no', in_use: true, confirmable: false },
      )
    const truth = fixture.sandbox.snapshot().months[STANDARD]?.count ?? 0
    const { month } = await browser.quota()
    expect(month.low).toBeLessThanOrEqual(truth)
    expect(month.high).toBeGreaterThanOrEqual(truth)
    expect(fixture.sent).toHaveLength(before)
  },
)

test('a kind that does not count leaves count, price and ledger, for every organization (8.3)', async () => {
  const fixture = startApp({ choices: { toklimit: 'not_counted' } })
  const [browser, other] = [fixture.browser(), fixture.browser()]
  await browser.signIn()
  await other.signIn(BUSINESS)
  expect((await other.quota()).month).toMatchObject({ low: 1, high: 2 })
  await readPage(fixture, browser)
  await browser.signIn()
  await browser.spend(`/organizations/${STANDARD}`)
  await readPage(fixture, browser)
  expect((await other.quota()).month).toMatchObject({ low: 1, high: 1 })
  const { body } = await other.request<{ entries: { kind: string; counts: string }[] }>('GET', '/bff/ledger')
  expect(body.entries.find(({ kind }) => kind === 'token.code')?.counts).toBe('no')
  const { body: by } = await other.request<{ days: object[] }>('GET', '/bff/ledger/days')
  expect(by.days).toEqual([{ day: '2026-11-21', kind: 'api.read', low: 1, high: 1 }])
  expect((await other.quota()).refresh?.counts).toBe('unknown')
  fixture.advance(HOUR_MS)
  await browser.spend(`/organizations/${STANDARD}`)
  await readPage(fixture, browser)
  expect((await other.quota()).refresh?.counts).toBe('no')
})

test('a reading is entered and taken back together with what it shows, or not at all (8.3)', async () => {
  const { fixture, browser } = await signedIn({ choices: { toklimit: 'not_counted' } })
  await readPage(fixture, browser)
  await browser.signIn()
  await browser.spend(PATH)
  fixture.advance(2 * HOUR_MS)
  const count = fixture.sandbox.snapshot().months[STANDARD]?.count
  let failures = 1
  onCall(fixture.store, 'changeNote', (name) => {
    if (name.startsWith('service ') && failures-- > 0) throw new Problem('store_unavailable')
  })
  const known = async () => [
    (await listed(browser)).readings.length,
    (await findings(fixture)).token_code_counts?.value,
  ]
  expect((await post(browser, { count })).status).toBe(503)
  expect(await known()).toEqual([1, undefined])
  const { body } = await post<{ id: string }>(browser, { count })
  expect(await known()).toEqual([2, 'no'])
  failures = 1
  const remove = async () => (await browser.request('DELETE', `/bff/readings/${body.id}`)).status
  expect(await remove()).toBe(503)
  expect(await known()).toEqual([2, 'no'])
  expect(await remove()).toBe(204)
  expect(await known()).toEqual([1, undefined])
})

const OWN = 'the organization'

/** A ledger of requests at given instants, all answered with 200, and readings of one organization. */
async function known(
  sent: [RequestKind, number][],
  readings: StoredReading[],
  nowMs = START_MS + 48 * HOUR_MS,
) {
  const made = createContext()
  const { context, clock } = made
  clock.ms = nowMs
  const enter = async (organization: string) => {
    for (const [index, [kind, atMs]] of sent.entries()) {
      const id = `${organization} ${index}`
      await context.store.addEntry({ ...RESERVATION, id, organization, kind, atMs })
      await context.store.settle(id, { outcome: 'settled', status: 200 }, atMs)
    }
    for (const one of readings)
      await context.store.addReading(organization, { ...one, id: `${organization} ${one.id}` })
    await onReadingsChanged(context, organization)
  }
  await enter(OWN)
  const counts = async () => (await readAssumptions(context)).counts_in_month
  return { ...made, enter, counts, note: () => readServiceNote(context) }
}
const at = (hours: number) => START_MS + hours * HOUR_MS

test.each<[string, string, number, number]>([
  ['an hour before the later reading', 'no', at(9), 0],
  ['less than an hour before it, since the page may show an older count', 'unknown', at(9) + 1, 0],
  ['over five minutes after the earlier one', 'no', at(0) + 5 * MINUTE_MS + 1, 0],
  ['before that, since it may be in that count', 'unknown', at(0) + 5 * MINUTE_MS, 0],
  ['while the count rose', 'unknown', at(5), 1],
])(
  'whether refreshes count, of which one was sent %s, is then assumed to be %s (8.3)',
  async (_, counts, atMs, rise) => {
    const readings = [reading(7, at(0)), reading(7 + rise, at(10))]
    const { counts: found } = await known([['token.refresh', atMs]], readings)
    expect((await found())['token.refresh']).toBe(counts)
  },
)

test('requests after the later reading are not counted, whatever their outcome (8.3)', async () => {
  const readings = [reading(7, at(0)), reading(9, at(10))]
  const { context, note } = await known(
    [
      ['api.read', at(2)],
      ['token.refresh', at(5)],
      ['api.read', at(11)],
    ],
    readings,
  )
  const late = { ...RESERVATION, organization: OWN, atMs: at(11) }
  await context.store.addEntry({ ...late, id: 'failed', kind: 'api.read' })
  await context.store.settle('failed', { outcome: 'settled', status: 404 }, at(11))
  await context.store.addEntry({ ...late, id: 'reserved', kind: 'token.refresh' })
  await onReadingsChanged(context, OWN)
  const [step] = (await note()).steps
  expect(step?.sent).toEqual({
    certain: 1,
    weighed: { 'token.code': 0, 'token.refresh': 1, rate_limit: 0, failed: 0 },
  })
  expect(step?.unsure).toBe(0)
})

test.each<[string, StoredReading, StoredReading, RequestKind?]>([
  ['another month', reading(9, Date.UTC(2026, 9, 29)), reading(9, at(10))],
  ['a count that fell', reading(9, at(0)), reading(8, at(10))],
  ['the same instant', reading(9, at(10)), reading(9, at(10), { id: 'the same' })],
  ['a month that was reset', reading(7, at(0)), reading(7, at(10), { monthWasReset: true })],
  ['only requests without a doubt', reading(7, at(0)), reading(9, at(10)), 'api.read'],
])('between readings of %s nothing shows what counts, and nothing is written (8.3)', async (...row) => {
  const [, first, second, kind = 'token.refresh'] = row
  const { context } = await known([[kind, at(5)]], [first, second])
  expect(await context.store.readNotes([`service ${context.config.serviceUrl}`])).toEqual([undefined])
})

test('a request in flight at the earlier reading, and one without an answer, leave open what counts (8.3)', async () => {
  const refresh: [RequestKind, number][] = [['token.refresh', at(5)]]
  const { note } = await known(refresh, [reading(7, at(0), { inFlight: 2 }), reading(8, at(10))])
  expect((await note()).steps).toMatchObject([{ rise: 1, unsure: 2 }])
  const finding = findingsOf(await note()).find(({ name }) => name === 'token_refresh_counts')
  expect(finding).not.toHaveProperty('value')
})

test('removing a reading removes what was learnt from it, and nothing of other organizations (8.3)', async () => {
  const readings = [reading(7, at(0)), reading(7, at(10))]
  const { context, enter, counts, note } = await known([['token.refresh', at(5)]], readings)
  await enter('another')
  expect((await note()).steps).toHaveLength(2)
  await onReadingsChanged(context, OWN)
  expect((await note()).steps).toHaveLength(2)
  await context.store.removeReading(OWN, `${OWN} ${readings[1]?.id}`, at(40))
  await onReadingsChanged(context, OWN)
  expect((await note()).steps).toHaveLength(1)
  expect((await counts())['token.refresh']).toBe('no')
  await context.store.removeReading('another', `another ${readings[1]?.id}`, at(40))
  await onReadingsChanged(context, 'another')
  expect((await counts())['token.refresh']).toBe('unknown')
  expect(JSON.stringify(await note())).not.toContain('another')
})

test.each([
  [0, 0],
  [1, 1],
])(
  'of a reading that is taken back 62 days and %d ms after it, %d step stays (8.3)',
  async (lateMs, stay) => {
    const readings = [reading(7, at(0)), reading(7, at(10))]
    const { context, clock, note } = await known([['token.refresh', at(5)]], readings)
    clock.ms = at(10) + 62 * 24 * HOUR_MS + lateMs
    await context.store.removeReading(OWN, `${OWN} ${readings[1]?.id}`, clock.ms)
    await onReadingsChanged(context, OWN)
    expect((await note()).steps).toHaveLength(stay)
  },
)

test('the steps of earlier months stay, at most thirty (8.3)', async () => {
  const { context, clock, counts, note } = await known(
    [['token.refresh', at(5)]],
    [reading(7, at(0)), reading(7, at(10))],
  )
  clock.ms += 70 * 24 * HOUR_MS
  await onReadingsChanged(context, OWN)
  expect((await counts())['token.refresh']).toBe('no')
  const hours = Array.from({ length: 40 }, (_, hour) => hour)
  const many = await known(
    hours.map((hour) => ['token.refresh', at(hour) + 30 * MINUTE_MS]),
    hours.map((hour) => reading(hour, at(hour))),
  )
  expect((await many.note()).steps).toHaveLength(30)
  expect((await many.note()).steps[0]?.atMs).toBe(at(39))
  expect((await note()).steps).toHaveLength(1)
})

const TOKYO_MS = Date.UTC(2026, 10, 30, 15)

test.each<[string, Partial<StoredReading>, number, readonly string[]]>([
  [
    'is confirmed as a reset, leaves the zones in which it can have been',
    { monthWasReset: true },
    TOKYO_MS,
    ['Asia/Tokyo', 'Australia/Eucla'],
  ],
  ['is not confirmed, leaves all', {}, TOKYO_MS, ASSUMED.month_zones],
  ['is confirmed in the middle of a month, leaves all', { monthWasReset: true }, at(10), ASSUMED.month_zones],
])('a lower number that %s (8.3)', async (_, others, resetMs, zones) => {
  const { context, note } = await known(
    [],
    [reading(90, resetMs + 30 * MINUTE_MS), reading(2, resetMs + 40 * MINUTE_MS, others)],
    resetMs + HOUR_MS,
  )
  expect((await readAssumptions(context)).month_zones).toEqual(zones)
  expect((await note()).resets).toHaveLength(zones === ASSUMED.month_zones ? 0 : 1)
})

test('each change of the readings finds the reset again; it goes with either of its readings (8.3)', async () => {
  const readings = [
    reading(90, TOKYO_MS - MINUTE_MS),
    reading(2, TOKYO_MS + MINUTE_MS, { monthWasReset: true }),
  ]
  const alone = await known([], readings.slice(1), TOKYO_MS + HOUR_MS)
  expect((await alone.note()).resets).toEqual([])
  const { context, clock, note } = await known([], readings, TOKYO_MS + HOUR_MS)
  await onReadingsChanged(context, OWN)
  const { resets } = await note()
  expect(resets).toEqual([
    { afterMs: TOKYO_MS - 61 * MINUTE_MS, byMs: TOKYO_MS + 6 * MINUTE_MS, source: expect.any(String) },
  ])
  // It stays when its earlier reading has become too old to be compared.
  clock.ms = TOKYO_MS + 62 * 24 * HOUR_MS
  await onReadingsChanged(context, OWN)
  expect((await note()).resets).toHaveLength(1)
  clock.ms = TOKYO_MS + HOUR_MS
  await context.store.removeReading(OWN, `${OWN} ${readings[1]?.id}`, TOKYO_MS + HOUR_MS)
  await onReadingsChanged(context, OWN)
  expect(await note()).toMatchObject({ resets: [] })
  expect((await readAssumptions(context)).month_zones).toEqual(ASSUMED.month_zones)
})

test('a reset that is confirmed late was after the higher number, not after a lower one between (8.3)', async () => {
  const readings = [
    reading(90, TOKYO_MS - MINUTE_MS),
    reading(0, TOKYO_MS + 2 * HOUR_MS),
    reading(1, TOKYO_MS + 12 * HOUR_MS, { monthWasReset: true }),
  ]
  const { context, note } = await known([], readings, TOKYO_MS + 13 * HOUR_MS)
  expect((await note()).resets).toMatchObject([{ afterMs: TOKYO_MS - 61 * MINUTE_MS }])
  expect((await readAssumptions(context)).month_zones).toContain('Asia/Tokyo')
})

test('zones that a person forgot are not found again in readings before that, but in later ones (8.3)', async () => {
  const { fixture, browser } = await signedIn({ startMs: TOKYO_MS - MINUTE_MS })
  const reset = { month_was_reset: true }
  const zones = async () => (await findings(fixture)).month_zones
  const enter = async (count: number, confirmed = {}) => {
    fixture.advance(2 * MINUTE_MS)
    expect((await post(browser, { count, ...confirmed })).status).toBe(201)
  }
  await enter(90)
  await enter(2, reset)
  expect(await zones()).toMatchObject({ in_use: true })
  expect((await browser.request('DELETE', '/bff/evidence/month_zones')).status).toBe(204)
  await enter(3)
  expect(await zones()).toMatchObject({ in_use: false, observations: [] })
  await enter(1, reset)
  expect(await zones()).toMatchObject({ in_use: true, observations: [{ code: 'month_reset' }] })
})
