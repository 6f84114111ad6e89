import { expect, test } from 'vitest'
import type { BffConfig, Context } from '../../../src/bff/core/context.ts'
import { begin } from '../../../src/bff/service/request.ts'
import { writeOrganizationNote, writeTokenNote } from '../../../src/bff/limits/note.ts'
import { type AdmissionRequest, admit, countInFlight } from '../../../src/bff/limits/admission.ts'
import { readRecent } from '../../../src/bff/quota/recent.ts'
import type { StoredPause } from '../../../src/contract/limit-notes.ts'
import { ASSUMED, type Counts } from '../../../src/contract/assumptions.ts'
import { DAY_MS } from '../../../src/contract/duration.ts'
import { fold } from '../../../src/contract/gauge.ts'
import type { Problem } from '../../../src/contract/problem.ts'
import type { Observation } from '../../../src/contract/rate-limit.ts'
import type { Reason } from '../../../src/contract/reason.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS, TOKEN_PATH } from '../../../src/contract/token.ts'
import { type App, STANDARD } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { IS_WHOLE } from '../../_extent.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'
import { RESERVATION, reserve, settle } from '../_reservation.ts'
import { onCall } from '../../kit/store-methods.ts'

const PATH = `/organizations/${STANDARD}`
const OWNER = { token: 'a token', organization: '1001', session: 'a session' }
const READ: AdmissionRequest = { owner: OWNER, initiator: 'person' }
const REPEATED: AdmissionRequest = { ...READ, initiator: 'call' }

/** Records a request, if it is admitted. @returns its row, or that it waits for another request's answer */
function record(context: Context, request = READ, assumed = ASSUMED) {
  const { token, organization } = request.owner
  const entry = { ...ENTRY, token, organization, kind: 'api.read', initiator: 'person' } as const
  return begin(context, entry, async (inside, atMs) =>
    (await admit(inside, request, atMs, assumed)) === 'wait' ? { instead: 'wait' } : {},
  )
}
const ENTRY = { press: 'a press', organization: '1001', token: 'another', method: 'GET', path: PATH } as const
const OK = { status: 200, text: '{}' }

async function recorded(context: Context): Promise<LedgerEntry> {
  const begun = await record(context)
  if ('instead' in begun) throw new Error('the request waits')
  return begun.row
}

const pause = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: [{ code: 'payment_asked' }],
  untilMs: START_MS + inMs,
})

/** A context with a pause of the minute, a suspicion of the month, or both. */
async function paused(minute?: StoredPause, monthPause?: StoredPause) {
  const made = createContext()
  await writeTokenNote(made.context, OWNER.token, { gauges: {}, pauses: minute ? { read: minute } : {} })
  await writeOrganizationNote(made.context, OWNER.organization, {
    limits: {},
    months: {},
    ...(monthPause && { monthPause }),
  })
  return made
}

const MINUTE = pause('rate_limited', 20_000)
const MONTH = pause('month_suspected', 86_400_000)
const PAUSED = { code: 'rate_limited', retryInMs: 20_000 }
test.each([
  ['a pause of the minute', PAUSED, PAUSED, MINUTE, undefined],
  ['a suspicion of the month', { code: 'month_suspected', retryInMs: 0 }, 'no problem', undefined, MONTH],
  ['a pause beside a suspicion', PAUSED, PAUSED, MINUTE, MONTH],
])('%s stops a repetition: %j, a press: %j (8.2, 8.3)', async (_, repeated, requested, minute, month) => {
  const { context } = await paused(minute, month)
  expect(await problemOf(record(context, REPEATED))).toEqual(repeated)
  expect(await problemOf(record(context))).toEqual(requested)
})

test('a pause is of one token, and over at its end like a suspicion (8.2, 8.3)', async () => {
  const { context, clock } = await paused(MINUTE)
  const another = { ...READ, owner: { ...OWNER, token: 'another' } }
  expect(await problemOf(record(context, another))).toBe('no problem')
  clock.ms += 19_999
  expect(await problemOf(record(context))).toEqual({ code: 'rate_limited', retryInMs: 1 })
  clock.ms += 1
  expect(await problemOf(record(context))).toBe('no problem')
  const suspected = await paused(undefined, MONTH)
  const repeat = () => problemOf(record(suspected.context, REPEATED))
  suspected.clock.ms = MONTH.untilMs - 1
  expect(await repeat()).toMatchObject({ code: 'month_suspected' })
  suspected.clock.ms += 1
  expect(await repeat()).toBe('no problem')
})

test('a read that is sent together with its refresh waits for neither (5.4, 8.3)', async () => {
  const { context } = await paused(undefined, MONTH)
  const ask = (refresh: 'due' | 'sent', session = 'a session') =>
    problemOf(record(context, { ...READ, refresh, owner: { ...OWNER, session } }))
  expect([await ask('due'), await ask('sent')]).toEqual(['no problem', 'no problem'])
  expect([await ask('due'), await ask('due', 'another')]).toEqual([
    { code: 'month_suspected', retryInMs: 60_000 },
    { code: 'month_suspected', retryInMs: 5000 },
  ])
})

test('in a suspected month a session tries once a minute, and not within 5 s of another request (8.3)', async () => {
  const { context, clock } = await paused(undefined, MONTH)
  const press = async (session: string, token = session) => {
    const problem = await problemOf(record(context, { ...READ, owner: { ...OWNER, token, session } }))
    return typeof problem === 'string' ? problem : (problem as Problem).retryInMs
  }
  expect([await press('one'), await press('one'), await press('two')]).toEqual(['no problem', 60_000, 5000])
  clock.ms += 4999
  expect([await press('one'), await press('two')]).toEqual([55_001, 1])
  clock.ms += 1
  expect([await press('two'), await press('three')]).toEqual(['no problem', 5000])
  clock.ms += 54_999
  expect(await press('one')).toBe(1)
  clock.ms += 1
  expect([await press('one'), await press('two')]).toEqual(['no problem', 5000])
})

test('a try of a clock far ahead delays no other once the clock is set back (8.3)', async () => {
  const { context, clock } = await paused(undefined, MONTH)
  const press = () => problemOf(record(context))
  clock.ms += 3_600_000
  expect(await press()).toBe('no problem')
  clock.ms -= 3_600_000 - 5000
  // The next try counts from its own time.
  expect([await press(), await press()]).toEqual([
    'no problem',
    { code: 'month_suspected', retryInMs: 60_000 },
  ])
})

test.each([
  ['token.code', 'no problem'],
  ['token.refresh', { code: 'month_suspected', retryInMs: 5000 }],
] as const)(
  'within 5 s of another %s a press in a suspected month finds %j (5.4, 8.3)',
  async (kind, found) => {
    const { context } = await paused(undefined, MONTH)
    const entry = { ...ENTRY, method: 'POST', path: '/oauth2/token', kind } as const
    await reserve(context, { ...entry, initiator: 'call' })
    expect(await problemOf(record(context))).toEqual(found)
  },
)

/** A context on a plan with this limit. The app sent `sent` requests, and every other one was answered. */
async function afterSending(sent: number, perMinute = 60, config: Partial<BffConfig> = {}) {
  const made = createContext()
  const context = { ...made.context, config: { ...made.context.config, ...config } }
  await writeOrganizationNote(context, '1001', { limits: { read: perMinute }, months: {} })
  for (let request = 0; request < sent; request += 1) {
    const row = await reserve(context, { ...ENTRY, kind: 'api.read', initiator: 'person' })
    if (request % 2 === 0) await settle(context, row, OK)
  }
  return { ...made, context }
}
const told = (recording: Promise<unknown>) =>
  recording.then(
    () => [],
    ({ code, reasons }: Problem) => [code, ...reasons],
  )
const reasonsOf = (context: Context, initiator: AdmissionRequest['initiator'] = 'person') =>
  told(record(context, { ...READ, initiator }))
const SENT = (count: number): Reason => ({ code: 'month_used_by_app', count, limit: 100 })
const TRY: Reason = { code: 'one_try_a_minute' }
const ONE: Reason = { code: 'one_request_a_minute' }
/** The refusal after `count` requests: one try a minute if none is left, else one request of the reserve. */
const OVER = (count: number, ...reasons: Reason[]) => [
  'month_suspected',
  SENT(count),
  ...reasons,
  reasons.length === 0 ? TRY : ONE,
]
const forSignIn = (count: number): Reason => ({ code: 'reserved_for_sign_in', count })
const forPeople = (count: number): Reason => ({ code: 'reserved_for_person', count })

test.each([
  [89, 60, 'call', []],
  [90, 60, 'call', OVER(90, forPeople(10))],
  [97, 60, 'call', OVER(97, forPeople(10))],
  [98, 60, 'call', OVER(98, forSignIn(2))],
  [97, 60, 'person', []],
  [99, 60, 'person', []],
  [100, 60, 'person', OVER(100)],
  [99, 60, 'sign_in', []],
  [100, 60, 'sign_in', OVER(100)],
  [100, 600, 'call', []],
  [99, 60, 'call', [], { reservePerson: 0, reserveSignIn: 0 }],
  [100, 60, 'call', OVER(100), { reservePerson: 0, reserveSignIn: 0 }],
  [0, 60, 'call', OVER(0, forPeople(100)), { reservePerson: 100, reserveSignIn: 0 }],
  [0, 60, 'person', [], { reservePerson: 100, reserveSignIn: 0 }],
  [1, 60, 'sign_in', [], { reservePerson: 0, reserveSignIn: 100 }],
] as const)(
  'after %i of the month at %i a minute, by %s: %j, where %j (8.3)',
  async (sent, perMinute, initiator, reasons, reserved?: Partial<BffConfig>) => {
    const { context } = await afterSending(sent, perMinute, reserved)
    expect(await reasonsOf(context, initiator)).toEqual(reasons)
  },
)

test.each([
  [88, [], {}],
  [89, OVER(89, forPeople(10)), {}],
  [89, [], {}, 'no'],
  [98, [], { reservePerson: 0, reserveSignIn: 0 }],
  [99, ['month_suspected', SENT(99), ONE], { reservePerson: 0, reserveSignIn: 0 }],
  [99, OVER(99, forSignIn(1)), { reservePerson: 0, reserveSignIn: 1 }],
] as const)(
  'after %i a call with a refresh is told %j: with %j, and a refresh that counts: %s (5.4, 8.3)',
  async (sent, reasons, reserved, counts: Counts = 'unknown') => {
    const { context } = await afterSending(sent, 60, reserved)
    const counted = { ...ASSUMED.counts_in_month, 'token.refresh': counts }
    const request: AdmissionRequest = { ...REPEATED, refresh: 'due' }
    const recording = record(context, request, { ...ASSUMED, counts_in_month: counted })
    expect(await told(recording)).toEqual(reasons)
  },
)

test('a sign-in that is sent of what is reserved for signing in takes no try of its session (8.3)', async () => {
  const { context } = await afterSending(98)
  expect(await reasonsOf(context, 'sign_in')).toEqual([])
  expect(await reasonsOf(context, 'person')).toEqual([])
  expect(await reasonsOf(context, 'person')).toEqual(OVER(100))
  const reserved = await afterSending(0, 60, { reservePerson: 0, reserveSignIn: 100 })
  const presses = [await reasonsOf(reserved.context), await reasonsOf(reserved.context)]
  expect(presses).toEqual([[], OVER(1, forSignIn(100))])
})

const READING = { id: 'a reading', monthWasReset: false, owner: '' }
const read = (context: Context, count: number, readAtMs: number, inFlight = 0) =>
  context.store.addReading('1001', { ...READING, count, readAtMs, inFlight })

test.each<[number, number, number, Reason | undefined]>([
  [95, 0, 0, undefined],
  [96, 0, 0, { code: 'month_used_by_reading', count: 96, since: 2, age_ms: 7_200_000, limit: 100 }],
  [95, 1, 0, { code: 'month_used_by_reading', count: 95, since: 3, age_ms: 7_200_000, limit: 100 }],
  [3, 0, 0, undefined],
  [3, 0, 96, SENT(98)],
])('a reading of %i, %i in flight, %i before, refused: %j (8.3)', async (count, inFlight, before, used) => {
  const { context, clock } = await afterSending(before, 60, { reservePerson: 0 })
  clock.ms += 1
  await read(context, count, clock.ms, inFlight)
  clock.ms += 2 * 3_600_000
  for (const kind of ['api.read', 'token.refresh'] as const)
    await reserve(context, { ...ENTRY, kind, initiator: 'call' })
  expect(await reasonsOf(context, 'call')).toEqual(
    used === undefined ? [] : ['month_suspected', used, forSignIn(2), ONE],
  )
})

test('the age of a reading is in whole milliseconds, and never below zero (8.3)', async () => {
  const { context, clock } = await afterSending(0)
  await read(context, 100, clock.ms + 500)
  const ageAt = async (ms: number) => {
    clock.ms = ms
    const [, reason] = await reasonsOf(context)
    return (reason as Reason).age_ms
  }
  await reserve(context, { ...ENTRY, kind: 'api.read', initiator: 'person' })
  expect([await ageAt(START_MS + 100), await ageAt(START_MS + 1500.7)]).toEqual([0, 1000])
})

test.each([
  [0, ['month_suspected']],
  [-1, []],
])('a reading %d ms after a month begins anywhere refuses a repetition: %j (8.3)', async (ms, codes) => {
  const { context, clock } = await afterSending(0)
  await read(context, 100, Date.UTC(2026, 10, 30, 10) + ms)
  clock.ms = Date.UTC(2026, 11, 2)
  expect((await reasonsOf(context, 'call')).slice(0, 1)).toEqual(codes)
})

test('the month and the pause are decided at the instant of the record, though the clock goes on (8.3)', async () => {
  const { context, clock } = await afterSending(100)
  clock.ms = Date.UTC(2026, 11, 1, 12) - 1
  onCall(context.store, 'readNewestAtMs', () => (clock.ms += 10_000))
  expect(await reasonsOf(context, 'call')).not.toEqual([])
  expect(await reasonsOf(context, 'call')).toEqual([])
})

/** A context with these observations at the start. */
async function measured(...observations: Partial<Observation>[]) {
  const made = createContext()
  const seen = { class: 'read', assumed: false, notes: [], servedAtSeconds: START_MS / 1000 } as const
  await writeTokenNote(made.context, OWNER.token, {
    gauges: fold(
      {},
      observations.map((observation) => ({ ...seen, ...observation })),
    ),
    pauses: {},
  })
  return made
}
const RESET_SECONDS = START_MS / 1000 + 20

const WINDOW = { limit: 60, resetAtSeconds: RESET_SECONDS }
const USED_UP = { remaining: 0, servedAtSeconds: START_MS / 1000 - 61 }

test.each([
  ['after the reset of a window that had none left', 21_000, [{ ...WINDOW, remaining: 0 }], true],
  ['after the reset of one that had one left', 21_000, [{ ...WINDOW, remaining: 1 }], false],
  ['in a window that was measured after a used-up one', 0, [USED_UP, { ...WINDOW, remaining: 7 }], false],
])('%s the second request waits for an answer, or not (2.2)', async (_, inMs, observations, waits) => {
  const { context, clock } = await measured(...observations)
  clock.ms += inMs
  await record(context)
  expect('instead' in (await record(context))).toBe(waits)
})

test('after a pause whose answer told no window the second request waits for an answer too (2.2, 8.2)', async () => {
  const { context, clock } = await paused(MINUTE)
  clock.ms = MINUTE.untilMs
  await record(context)
  expect(await record(context)).toEqual({ instead: 'wait' })
})

test('a press in a used-up minute is told so (8.2)', async () => {
  const { context } = await measured({ ...WINDOW, remaining: 0 })
  expect(await reasonsOf(context)).toEqual(['rate_limited', { code: 'minute_used_up' }])
})

test('requests in flight are counted until each is answered, or a minute has passed (8.2)', async () => {
  const { context, clock } = createContext()
  const count = () => countInFlight(context, [OWNER.token, 'another'])
  const first = await recorded(context)
  clock.ms += 1
  await record(context)
  expect(await count()).toEqual([2, 0])
  await settle(context, first, OK)
  expect(await count()).toEqual([1, 0])
  clock.ms += 60_000
  expect(await count()).toEqual([1, 0])
  clock.ms += 1
  expect(await count()).toEqual([0, 0])
})

test('a request that a clock a day ahead has recorded is neither in flight nor among the last ones (8.2)', async () => {
  const { context, clock } = createContext()
  clock.ms += DAY_MS
  await record(context)
  clock.ms -= DAY_MS
  expect(await countInFlight(context, [OWNER.token])).toEqual([0])
  await settle(context, await reserve(context, { ...RESERVATION, press: 'a later one' }), OK)
  const { entries } = await readRecent(context, OWNER.organization)
  expect(entries.map(({ atMs }) => atMs)).toEqual([START_MS])
})

const ROUNDS = IS_WHOLE ? 20 : 4
const PATHS = [PATH, '/organizations', '/rate_limit']
const paidBy = (processes: readonly App[]) => processes.flatMap((process) => process.paid())
/** Every browser presses for every path through every process, at once. @returns the answers' number */
async function pressAll(browsers: Person[], processes: readonly App[], paths = PATHS) {
  const presses = browsers.flatMap((browser) =>
    processes.flatMap((process) => paths.map((path) => throughAnother(browser, process).spend(path))),
  )
  const answers = await Promise.all(presses)
  return answers.map(({ headers }) => Number(headers.get('X-Plimsoll-Spent'))).reduce((sum, one) => sum + one)
}

async function signedInWith(read_per_minute: number) {
  const processes = twoProcesses()
  const [first] = processes
  first.sandbox.control.changeLimits({ [STANDARD]: { read_per_minute } })
  const browser = first.browser()
  await browser.signIn()
  return { processes, first, browser }
}

test('two processes at the last read of a minute send one, in each round (8.2)', async () => {
  const { processes, first, browser } = await signedInWith(2)
  for (let round = 0; round < ROUNDS; round += 1) {
    first.advance(61_000)
    await browser.spend(PATH)
    // The end of a request is stored within a moment.
    await expect.poll(async () => (await browser.quota()).read).toMatchObject({ remaining: 1, in_flight: 0 })
    expect(await pressAll([browser], processes)).toBe(1)
  }
  expect(paidBy(processes)).toHaveLength(1 + 2 * ROUNDS)
})

test('after a used-up minute one request of all processes checks it, and the others wait (2.2)', async () => {
  const { processes, first, browser } = await signedInWith(1)
  first.sandbox.control.changeLimits({})
  first.advance(61_000)
  const events: string[] = []
  for (const process of processes)
    process.intercept(async (request, through) => {
      events.push('sent')
      await new Promise((resolve) => setTimeout(resolve, 80))
      events.push('answered')
      return through(request)
    })
  expect(await pressAll([browser], processes)).toBe(3)
  expect([events.slice(0, 2), events.length]).toEqual([['sent', 'answered'], 6])
})

test('a press that waited for that check and is refused with it leaves nothing that holds back the next (2.2)', async () => {
  const { first, browser } = await signedInWith(1)
  first.advance(61_000)
  let refuse = (): void => {}
  const refused = new Promise<Response>((resolve) => {
    refuse = () => resolve(new Response('', { status: 429, headers: { 'Retry-After': '2' } }))
  })
  first.intercept((request, through) => (request.url.endsWith('/rate_limit') ? refused : through(request)))
  const check = browser.spend('/rate_limit')
  await expect.poll(async () => (await browser.quota()).read.in_flight).toBe(1)
  const read = browser.spend(PATH)
  await new Promise((resolve) => setTimeout(resolve, 150))
  refuse()
  expect([(await check).status, (await read).status]).toEqual([429, 429])
  first.advance(3000)
  expect((await browser.spend(PATH)).status).toBe(200)
})

/** Signs four people in, and adds requests of others until `sent` of the month are sent. */
async function monthAt(sent: number) {
  const processes = twoProcesses()
  const [first] = processes
  const browsers = [1, 2, 3, 4].map(() => first.browser())
  for (const browser of browsers) await browser.signIn()
  const { context } = createContext()
  const entry = { ...RESERVATION, organization: STANDARD, token: 'another' } as const
  const missing = sent - (await month(browsers)).high
  await Promise.all(Array.from({ length: missing }, () => reserve({ ...context, store: first.store }, entry)))
  return { processes, browsers, first }
}
const month = async (browsers: Person[]) => (await browsers[0]!.quota()).month

test.each([
  ['by our own count', 99, undefined, { high: 99, limit: 100 }],
  ['by a reading', 8, 99, { high: 8, organization: { low: 99, high: 99 } }],
])('two processes at 99 of 100 of the month %s send one of 60 presses (8.3)', async (...row) => {
  const [, own, count, known] = row
  for (let round = 0; round < ROUNDS; round += 1) {
    const { processes, browsers, first } = await monthAt(own)
    if (count !== undefined) await browsers[0]?.request('POST', '/bff/readings', { json: { count } })
    expect(await month(browsers)).toMatchObject(known)
    // A request recorded in the millisecond of a reading was sent before it.
    first.advance(1)
    const before = paidBy(processes).length
    expect(await pressAll(browsers, processes, [...PATHS, ...PATHS, PATH, '/organizations'])).toBe(1)
    expect(paidBy(processes)).toHaveLength(before + 1)
  }
})

test('of four people whose tokens are due at 99 of 100 one sends a refresh and a read (5.4, 8.3)', async () => {
  const { processes, browsers, first } = await monthAt(99)
  first.advance(ACCESS_TOKEN_LIFETIME_SECONDS * 1000)
  for (const { sent } of processes) sent.length = 0
  await pressAll(browsers, processes, [PATH])
  expect(processes.flatMap(({ sent }) => sent.map(({ path }) => path))).toEqual([TOKEN_PATH, PATH])
})

test('at a used-up month each session tries once a minute over both processes, and one of all in 5 s (8.3)', async () => {
  const { processes, browsers, first } = await monthAt(100)
  for (const process of processes)
    process.intercept(() => Promise.resolve(Response.json({}, { status: 402 })))
  const sent: number[] = []
  const tokens = () => paidBy(processes).map(({ headers }) => headers.get('Authorization'))
  const before = tokens().length
  for (let seconds = 0; seconds < 65; seconds += 5) {
    sent.push(await pressAll(browsers, processes))
    first.advance(5000)
  }
  // The last sign-in was just before the first press.
  expect(sent).toEqual([0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(new Set(tokens().slice(before)).size).toBe(4)
  expect(await pressAll(browsers, processes)).toBe(1)
})
