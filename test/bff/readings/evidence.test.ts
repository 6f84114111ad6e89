import { expect, test } from 'vitest'
import { changeServiceNote, readServiceNote } from '../../../src/bff/evidence/note.ts'
import { findingsOf, readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { onReadingsChanged } from '../../../src/bff/readings/evidence.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import type { FindingName } from '../../../src/contract/evidence.ts'
import type { RequestKind } from '../../../src/contract/month.ts'
import type { StoredReading } from '../../../src/store/store.ts'
import { BUSINESS, startApp, type App, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext, START_MS } from '../_context.ts'
import { reading } from '../_reading.ts'

const HOUR_MS = 3_600_000
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
    const fixture = startApp({ choices })
    const browser = fixture.browser()
    await browser.signIn()
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
      const entry = { id, organization, kind, method: 'GET', path: '/', initiator: 'person', atMs } as const
      await context.store.reserve(entry)
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
  const late = { organization: OWN, method: 'GET', path: '/', initiator: 'person', atMs: at(11) } as const
  await context.store.reserve({ ...late, id: 'failed', kind: 'api.read' })
  await context.store.settle('failed', { outcome: 'settled', status: 404 }, at(11))
  await context.store.reserve({ ...late, id: 'reserved', kind: 'token.refresh' })
  await onReadingsChanged(context, OWN)
  const [step] = (await note()).steps
  expect(step?.sent).toEqual({
    certain: 1,
    weighed: { 'token.code': 0, 'token.refresh': 1, rate_limit: 0, failed: 0 },
  })
  expect(step?.unsure).toBe(0)
})

test('a count that rises again after a reset is no rise of one month (8.3)', async () => {
  const { note } = await known(
    [['token.refresh', at(5)]],
    [reading(7, at(0)), reading(7, at(10), { monthWasReset: true })],
  )
  expect((await note()).steps).toEqual([])
})

test('a lower number leaves what is stored of the service readable (8.3)', async () => {
  const { context, note } = await known([['token.refresh', at(5)]], [])
  await changeServiceNote(context, (stored) => ({
    ...stored,
    zones: ['UTC'],
    resets: [{ afterMs: 1, byMs: 2 }],
  }))
  await context.store.addReading(OWN, reading(9, at(0)))
  await context.store.addReading(OWN, reading(8, at(10)))
  await onReadingsChanged(context, OWN)
  expect(await note()).toMatchObject({ steps: [], resets: [{ afterMs: 1, byMs: 2 }] })
})

test('a lower reading, or one of another month or the same instant, is no evidence of what counts (8.3)', async () => {
  for (const pair of [
    [reading(9, Date.UTC(2026, 9, 29)), reading(9, at(10))],
    [reading(9, at(0)), reading(8, at(10))],
    [reading(9, at(10)), reading(9, at(10), { id: 'the same' })],
  ]) {
    const { note } = await known([['token.refresh', at(5)]], pair)
    expect((await note()).steps).toEqual([])
  }
})

test('readings between which nothing was sent that is in doubt are no evidence (8.3)', async () => {
  const { note } = await known([['api.read', at(5)]], [reading(7, at(0)), reading(9, at(10))])
  expect((await note()).steps).toEqual([])
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

test('a change that teaches nothing writes nothing (8.3)', async () => {
  const { context } = await known([], [reading(7, at(0)), reading(9, at(10))])
  expect(await context.store.readNote(`service ${context.config.serviceUrl}`)).toBeUndefined()
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
  const { context, note } = await known([], readings, TOKYO_MS + HOUR_MS)
  await onReadingsChanged(context, OWN)
  const { resets } = await note()
  expect(resets).toEqual([
    { afterMs: TOKYO_MS - 61 * MINUTE_MS, byMs: TOKYO_MS + 6 * MINUTE_MS, source: expect.any(String) },
  ])
  await context.store.removeReading(OWN, `${OWN} ${readings[1]?.id}`, TOKYO_MS + HOUR_MS)
  await onReadingsChanged(context, OWN)
  expect(await note()).toMatchObject({ resets: [] })
  expect((await readAssumptions(context)).month_zones).toEqual(ASSUMED.month_zones)
})
