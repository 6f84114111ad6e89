import { expect, test } from 'vitest'
import { ASSUMED } from '../../src/contract/assumptions.ts'
import { MINUTE_MS } from '../../src/contract/duration.ts'
import { windowAt } from '../../src/contract/gauge.ts'
import { type Answered, type Known, learn } from '../../src/contract/learn.ts'
import {
  pauseLeftMs,
  type OrganizationNote,
  type StoredPause,
  type TokenNote,
} from '../../src/contract/limit-notes.ts'
import { monthSpan } from '../../src/contract/month.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 6)
const RECORD = JSON.stringify({
  get: { limit: 600, remaining: 599, reset: NOW_MS / 1000 + 30 },
  update: { limit: 150, remaining: 149, reset: NOW_MS / 1000 + 40 },
})

type What = Partial<Omit<Answered, 'headers'>> & { headers?: Record<string, string> }
function answer({ headers = {}, nowMs = NOW_MS, ...others }: What = {}): Answered {
  return {
    status: 200,
    text: '{}',
    kind: 'api.read',
    requestClass: 'read',
    tokenExpired: false,
    proof: 'earlier',
    nowMs,
    servedAtSeconds: Math.floor(nowMs / 1000),
    isClockKnown: true,
    assumed: ASSUMED,
    headers: new Headers(headers),
    ...others,
  }
}

type Before = Partial<OrganizationNote & TokenNote> & {
  /** Requests of the last minute, and of the month. */
  sent?: number
  inMonth?: number
  readings?: { count: number; ownSince: number }[]
}
function known({ sent = 0, inMonth = sent, readings = [], gauges = {}, pauses = {}, ...note }: Before = {}) {
  const own = { low: inMonth, high: inMonth }
  const counted = {
    sent,
    month: {
      nowMs: NOW_MS,
      startMs: monthSpan(NOW_MS).startMs,
      own: { sinceEarliest: own, sinceLatest: own },
      readings: readings.map(({ count, ownSince }) => ({
        count,
        readAtMs: NOW_MS - MINUTE_MS,
        inFlight: 0,
        monthWasReset: false,
        ownSince: { low: ownSince, high: ownSince },
      })),
    },
  }
  return {
    token: { gauges, pauses },
    organization: { limits: {}, months: {}, ...note },
    counted,
  } satisfies Known
}
const learned = (before: Before, what: What) => learn(known(before), answer(what))
/** What is known after several answers, one after another. */
function after(before: Before, ...answers: What[]) {
  const first = known(before)
  return answers.reduce<Known>(
    (last, what) => ({ ...learn(last, answer(what)), counted: first.counted }),
    first,
  )
}

const pause = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: [{ code: 'payment_asked' }],
  untilMs: NOW_MS + inMs,
})
const PAUSES = {
  pauses: { read: pause('rate_limited', 20_000), update: pause('limit_unknown', 30_000) },
  monthPause: pause('month_suspected', 40_000),
  suspicion: { reasons: [{ code: 'payment_asked' }], sinceMs: NOW_MS - 1000, untilMs: NOW_MS + 50_000 },
} satisfies Before
const reported = (limit: string, remaining: string, inSeconds = 20) => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': remaining,
  'X-RateLimit-Reset': String(NOW_MS / 1000 + inSeconds),
})
const pausesOf = ({ token, organization: { monthPause, suspicion } }: ReturnType<typeof learn>) => ({
  pauses: token.pauses,
  monthPause,
  suspicion,
})

test('what a clock that was a day ahead has dated is forgotten at the next answer (RFC 9110 6.6.1)', () => {
  const at = (nowMs: number, remaining: number) =>
    answer({
      nowMs,
      headers: {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': String(nowMs / 1000 + 30),
      },
    })
  const ahead = learn(known(), at(NOW_MS + 86_400_000, 3)).token
  const { gauges } = learn(known(ahead), at(NOW_MS, 58)).token
  expect(windowAt(gauges.read, NOW_MS)).toMatchObject({
    known: 'measured',
    remaining: 58,
    reset_in_ms: 31_000,
  })
})

test('a pause of a clock that was two hours ahead is not in the way of the next one (8.2, attack 35)', () => {
  const refused = (nowMs: number) => answer({ nowMs, status: 429, headers: { 'Retry-After': '50' } })
  const { token } = learn(known(learn(known(), refused(NOW_MS + 7_200_000)).token), refused(NOW_MS))
  expect(pauseLeftMs(token.pauses.read, NOW_MS)).toBe(50_000)
})

test('an answer of one class leaves what is known of the other (8.2)', () => {
  const update = { headers: reported('15', '3'), requestClass: 'update' } as const
  const { token, organization } = after({}, { headers: reported('60', '7') }, update)
  expect(token.gauges).toMatchObject({ read: { limit: { value: 60 } }, update: { limit: { value: 15 } } })
  expect(organization.limits).toEqual({ read: 60, update: 15 })
})

test('a success ends the pause of its class and the suspicion of the month (8.2, 8.3)', () => {
  const next = learned(PAUSES, {})
  expect(next.meaning).toEqual({ code: 'success', renew: false, reasons: [] })
  expect(pausesOf(next)).toEqual({ pauses: { update: PAUSES.pauses.update } })
})

test.each<[string, number, isOver: boolean]>([
  ['a second before', -1, false],
  ['a minute before', -60, false],
  ['in the same second as', 0, true],
  // A clock that was ahead has dated the refusal.
  ['over a minute before', -61, true],
])('a success %s a refusal that was stored first ends what that one says, or not (8.2, 8.3)', (...row) => {
  const [, inSeconds, isOver] = row
  const success = { servedAtSeconds: NOW_MS / 1000 + inSeconds }
  for (const refusal of [{ status: 402 }, { status: 429, headers: { 'Retry-After': '50' } }]) {
    const refused = after({ limits: { read: 60 }, inMonth: 100 }, refusal)
    const { token, organization } = learn(refused, answer(success))
    const isSame = token === refused.token && organization === refused.organization
    expect([refusal, isSame]).toEqual([refusal, !isOver])
  }
})

test.each<What>([
  { status: 404 },
  { status: 500 },
  { status: 301 },
  { text: 'no JSON' },
  { status: 429, headers: { 'Retry-After': '10' } },
  // A success from a cache may be older than the refusal (RFC 9111 5.1).
  { headers: { Age: '1' } },
])('after %j every pause is as long as before (8.2)', (what) => {
  expect(pausesOf(learned(PAUSES, what))).toEqual(PAUSES)
})

test('a refusal starts or extends the pause of its class, and leaves the other class and the month (8.2)', () => {
  const { update } = PAUSES.pauses
  const atSeconds = NOW_MS / 1000
  const reasons = [{ code: 'short_wait_asked' }]
  const read = { code: 'rate_limited', untilMs: NOW_MS + 50_000, reasons, atSeconds }
  for (const before of [PAUSES, { ...PAUSES, pauses: { update } }])
    expect(pausesOf(learned(before, { status: 429, headers: { 'Retry-After': '50' } }))).toEqual({
      ...PAUSES,
      pauses: { read, update },
    })
})

const EARLIEST_END_MS = Date.UTC(2026, 10, 30, 10)
const LATEST_END_MS = Date.UTC(2026, 11, 1, 12)

test('a suspicion of the month pauses until its earliest end, and leaves both classes (8.3)', () => {
  const reasons = [{ code: 'payment_asked' }]
  const next = learned({ pauses: PAUSES.pauses }, { status: 402 })
  expect(next.meaning).toMatchObject({
    code: 'month_suspected',
    retryInMs: EARLIEST_END_MS - NOW_MS,
    reasons,
  })
  expect(pausesOf(next)).toEqual({
    pauses: PAUSES.pauses,
    monthPause: { code: 'month_suspected', untilMs: EARLIEST_END_MS, reasons, atSeconds: NOW_MS / 1000 },
    suspicion: { reasons, sinceMs: NOW_MS, untilMs: LATEST_END_MS },
  })
  expect(learned({}, { status: 402, nowMs: EARLIEST_END_MS - 1 }).meaning).toMatchObject({ retryInMs: 1 })
})

test("a suspicion keeps its first refusal's time and its newest reasons; a later one has its own (8.3)", () => {
  const reasons = [{ code: 'minute_has_requests_left' }]
  const what = { status: 429, headers: reported('60', '58') }
  const { suspicion } = learned(PAUSES, what).organization
  expect(suspicion).toEqual({ reasons, sinceMs: NOW_MS - 1000, untilMs: LATEST_END_MS })
  const later = learn(
    known({ ...(suspicion && { suspicion }) }),
    answer({ status: 402, nowMs: LATEST_END_MS }),
  )
  expect(later.organization.suspicion).toMatchObject({ sinceMs: LATEST_END_MS })
})

test('the evidence about the service decides what an answer means (8.3)', () => {
  const codeIf = (month_status: number) =>
    learned({}, { status: 402, assumed: { ...ASSUMED, month_status } }).meaning.code
  expect([codeIf(403), codeIf(402)]).toEqual(['unexpected_reply', 'month_suspected'])
})

test('the record of GET /rate_limit measures the classes that it names, and shows the plan (2.2)', () => {
  const { token, organization } = learned({ limits: { read: 60 } }, { text: RECORD, kind: 'rate_limit' })
  const seenAtSeconds = NOW_MS / 1000
  const at = (inSeconds: number) => NOW_MS / 1000 + inSeconds
  expect(token.gauges).toMatchObject({
    read: { limit: { value: 600 }, reports: [{ resetAtSeconds: at(30), remaining: 599 }], seenAtSeconds },
    update: { limit: { value: 150 }, reports: [{ resetAtSeconds: at(40), remaining: 149 }], seenAtSeconds },
  })
  expect(organization.limits).toEqual({ read: 600, update: 150 })
})

test.each<[string, What]>([
  ['a record of another path', { text: RECORD }],
  ['an error', { text: RECORD, status: 403, kind: 'rate_limit' }],
  ['a body that is no JSON', { text: '<html>', kind: 'rate_limit' }],
  ['a record without its members', { text: '{"get":1}', kind: 'rate_limit' }],
])('%s measures nothing (2.2)', (_, what) => {
  const { token, organization } = learned({ limits: { read: 60 } }, what)
  expect(token).toEqual({ gauges: {}, pauses: {} })
  expect(organization.limits).toEqual({ read: 60 })
})

test('an answer out of a cache measures nothing, and one that was not modified does (RFC 9111 5.1)', () => {
  const cached: What[] = [
    { headers: { ...reported('60', '0'), Age: '1' } },
    { headers: { Age: '1' } },
    { headers: { Age: '1' }, text: RECORD, kind: 'rate_limit' },
  ]
  for (const what of cached) expect(learned({}, what).token.gauges).toEqual({})
  const refused = { status: 429, headers: { ...reported('60', '0'), Age: '1' } }
  expect(learned({}, refused).meaning.code).toBe('limit_unknown')
  const { gauges } = learned({}, { status: 304, headers: reported('60', '7'), text: '' }).token
  expect(gauges.read?.reports).toMatchObject([
    { resetAtSeconds: NOW_MS / 1000 + 20, limit: 60, remaining: 7 },
  ])
})

test('a 429 of the month says nothing of the minute, though none remain until a reset (8.2, 8.3)', () => {
  const ofMonth = learned({}, { status: 429, headers: reported('60', '0', 2700) })
  expect([ofMonth.meaning.code, ofMonth.token.gauges]).toEqual(['month_suspected', {}])
  const ofMinute = learned({}, { status: 429, headers: reported('60', '0', 50) })
  expect([ofMinute.meaning.code, Object.keys(ofMinute.token.gauges)]).toEqual(['rate_limited', ['read']])
})

test.each<[string, What, OrganizationNote['limits']]>([
  ['no limit', { headers: reported('', '7') }, { read: 600, update: 150 }],
  ['another limit', { headers: reported('60', '59') }, { read: 60 }],
  ['the same limit', { headers: reported('600', '599') }, { read: 600, update: 150 }],
  [
    'it and a short wait',
    { status: 429, headers: { ...reported('60', '59'), 'Retry-After': '10' } },
    { read: 60 },
  ],
  ['it and nothing left', { status: 429, headers: reported('60', '0') }, { read: 60 }],
  ['it and nothing else', { status: 429, headers: reported('60', '') }, { read: 60 }],
  ...[429, 401, 403, 404, 503].map((status): [string, What, OrganizationNote['limits']] => [
    `a ${status} with another`,
    { status, headers: reported('60', '59') },
    { read: 600, update: 150 },
  ]),
])('%s leaves the organization its limits, unless the answer is surely its own (8.2)', (_, what, limits) => {
  expect(learned({ limits: { read: 600, update: 150 } }, what).organization.limits).toEqual(limits)
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
  (requestClass, limits, sent, code) => {
    expect(learned({ limits, sent }, { status: 429, requestClass }).meaning.code).toBe(code)
  },
)

test.each([
  ['limit_unknown', 'month_suspected'],
  ['rate_limited', 'limit_unknown'],
] as const)('a 429 without headers after a pause of code %s is %s (8.4.3)', (before, code) => {
  expect(learned({ pauses: { read: pause(before, -1) } }, { status: 429 }).meaning.code).toBe(code)
})

test.each<[Before, string]>([
  [{ inMonth: 89, limits: { read: 60 } }, 'credential_refused'],
  [{ inMonth: 90, limits: { read: 60 } }, 'month_suspected'],
  [{ inMonth: 90, limits: { read: 600 } }, 'credential_refused'],
  [{ inMonth: 90 }, 'credential_refused'],
  [{ readings: [{ count: 89, ownSince: 0 }], limits: { read: 60 } }, 'credential_refused'],
  [{ readings: [{ count: 89, ownSince: 1 }], limits: { read: 60 } }, 'month_suspected'],
])('a 401 after %j means %s (8.3)', (before, code) => {
  expect(learned(before, { status: 401 }).meaning.code).toBe(code)
})

test.each<Before>([
  {},
  // Few of ours were sent in this minute, and others may have sent more with the same token.
  { limits: { read: 60 } },
])(
  'after %j headers of the other class do not say what a 429 means, and move its gauge (B33, 8.4.4)',
  (before) => {
    const other = learned(before, { status: 429, headers: reported('15', '3') })
    expect(other.meaning.code).toBe('limit_unknown')
    expect(other.token.gauges).toEqual({ update: expect.objectContaining({ limit: expect.anything() }) })
    const own = learned(before, { status: 429, headers: reported('60', '3') })
    expect(own.meaning.code).toBe('month_suspected')
  },
)

test.each(['earlier', 'by_success'] as const)('what a proof (%s) shows is learned (5.3, 8.3)', (proof) => {
  const next = learned({}, { headers: reported('60', '7'), proof })
  expect(next.token.gauges.read?.limit).toMatchObject({ value: 60 })
  expect(next.organization).toMatchObject({ limits: { read: 60 }, months: { '2026-11': NOTED } })
})

test.each<[string, What]>([
  ['a refusal', { status: 401 }],
  ['a refusal of the record', { status: 403 }],
])('before a proof %s leaves nothing, since it may report the limits of something else (5.3)', (_, what) => {
  const before = known(PAUSES)
  for (const proof of ['by_success', 'none'] as const) {
    const { token, organization } = learn(before, answer({ ...what, headers: reported('60', '7'), proof }))
    expect(token).toBe(before.token)
    expect(organization).toBe(before.organization)
  }
})

test.each<[string, What]>([
  ['a failure', { status: 500, proof: 'by_success' }],
  ['a success that proves nothing', { proof: 'none' }],
])('before a proof %s says something of the token, and nothing of the organization (5.3, 8.3)', (_, what) => {
  const before = known({ refusal: { atMs: NOW_MS, limit: 100, isNearLimit: true } })
  const { token, organization } = learn(before, answer({ headers: reported('60', '7'), ...what }))
  expect(token.gauges.read?.limit).toMatchObject({ value: 60 })
  expect(organization).toBe(before.organization)
})

test('before a proof a suspicion of the month pauses, and is no refusal of a month (5.3, 8.3)', () => {
  const before = { limits: STANDARD, inMonth: 100 }
  const { monthPause, months, refusal } = learned(before, { status: 402, proof: 'by_success' }).organization
  expect([monthPause?.code, months, refusal]).toEqual(['month_suspected', {}, undefined])
})

test('an answer that shows nothing new leaves the note of the organization itself (8.3)', () => {
  const first = learned({}, { headers: reported('60', '8') })
  for (const what of [{ headers: reported('60', '7') }, { status: 404 }, { status: 500 }])
    expect(learn(first, answer(what)).organization).toBe(first.organization)
  expect(learn(first, answer({ headers: reported('60', '7') })).token).not.toBe(first.token)
})

const NOTED = { plan: 'standard', limit: 100 } as const
const ON_STANDARD = { headers: reported('60', '59') } satisfies What
const utc = (text: string) => Date.parse(`${text}Z`)
const at = (text: string, what: What = {}): What => ({ ...what, nowMs: utc(text) })
const STANDARD = { read: 60, update: 15 }
const BUSINESS = { read: 600, update: 150 }
const OVER = { status: 402 }
const FIRST = '2026-11-05T12:00'

test.each<[string, Before, What[], OrganizationNote['months']]>([
  ['a month has the plan that its answers show', {}, [at(FIRST, ON_STANDARD)], { '2026-11': NOTED }],
  [
    'the next month has the plan that is known',
    { limits: STANDARD },
    [at(FIRST), at('2026-12-05T12:00')],
    { '2026-12': NOTED, '2026-11': NOTED },
  ],
  [
    'a limit of no plan leaves the plan that is known',
    {},
    [at(FIRST, ON_STANDARD), at(FIRST, { headers: reported('61', '60') })],
    { '2026-11': NOTED },
  ],
  ['without a plan there is nothing', {}, [at(FIRST), at(FIRST, { status: 500 })], {}],
  [
    'a refusal keeps its first time',
    { limits: STANDARD },
    [at(FIRST, OVER), at('2026-11-06T12:00', OVER), at('2026-11-06T12:00', { status: 500 })],
    { '2026-11': { ...NOTED, refusedAtMs: utc(FIRST) } },
  ],
  [
    'a success of the month ends a refusal, and a later one has its own time',
    { limits: STANDARD },
    [at(FIRST, OVER), at('2026-11-07T12:00'), at('2026-11-08T12:00', OVER)],
    { '2026-11': { ...NOTED, refusedAtMs: utc('2026-11-08T12:00') } },
  ],
  [
    'a refusal stays if a change of the plan was the cause of the success',
    { limits: { read: 60 } },
    [at(FIRST, OVER), at('2026-11-06T12:00', { headers: reported('600', '599') })],
    { '2026-11': { plan: 'business', refusedAtMs: utc(FIRST) } },
  ],
  [
    'a refusal with an unknown plan is one',
    {},
    [at(FIRST, OVER)],
    { '2026-11': { refusedAtMs: utc(FIRST) } },
  ],
  [
    'it ends with a success that shows a plan',
    {},
    [at(FIRST, OVER), at('2026-11-05T12:01', ON_STANDARD)],
    { '2026-11': NOTED },
  ],
  [
    'a plan without a monthly limit has none',
    { limits: BUSINESS },
    [at(FIRST, OVER)],
    { '2026-11': { plan: 'business' } },
  ],
  [
    'a success in the next month, or where it may have begun, ends no refusal',
    { limits: STANDARD },
    // It is December in Kiritimati.
    [at(FIRST, OVER), at('2026-11-30T10:00'), at('2026-12-01T13:00')],
    { '2026-12': NOTED, '2026-11': { ...NOTED, refusedAtMs: utc(FIRST) } },
  ],
  [
    'a refusal where the next month may have begun belongs to neither',
    { limits: STANDARD },
    [at('2026-11-30T10:00', OVER), at('2026-12-01T11:59', OVER)],
    { '2026-12': NOTED, '2026-11': NOTED },
  ],
])('of the months: %s (8.3)', (_, before, answers, months) => {
  expect(after(before, ...answers).organization.months).toEqual(months)
})

test('the newest 36 months are kept (8.3)', () => {
  const months = Array.from({ length: 40 }, (_, month) => ({ nowMs: Date.UTC(2026, month, 15) }))
  const kept = Object.keys(after({ limits: STANDARD }, ...months).organization.months)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([36, '2029-04', '2026-05'])
})

const MIDNIGHT_MS = Date.UTC(2026, 11, 1)
const LATE_MS = MIDNIGHT_MS - 5 * MINUTE_MS
const STATUS = 403

/** The note after a refusal, on Standard with a used-up month if nothing else is said. */
const refused = (before: Before = {}, what: What = {}) =>
  learned({ limits: STANDARD, inMonth: 100, ...before }, { status: STATUS, nowMs: LATE_MS, ...what })
    .organization
const successAfter = ({ refusal, limits }: OrganizationNote, inMs: number, what: What = {}) =>
  learned({ limits, ...(refusal && { refusal }) }, { nowMs: MIDNIGHT_MS + inMs, ...what })

test.each<[number, Before]>([
  [0, { inMonth: 0, readings: [{ count: 89, ownSince: 0 }] }],
  [1, { inMonth: 0, readings: [{ count: 90, ownSince: 0 }] }],
  [1, { inMonth: 1, readings: [{ count: 89, ownSince: 1 }] }],
  [0, { inMonth: 89 }],
  [1, { inMonth: 90 }],
])(
  '%d reset is shown by a success after midnight, and a refusal of a month with %j (8.3)',
  (shown, before) => {
    const organization = refused(before, { status: 402 })
    expect(organization.refusal).toMatchObject({ atMs: LATE_MS, limit: 100, isNearLimit: shown === 1 })
    const next = successAfter(organization, MINUTE_MS)
    expect(next.reset === undefined).toBe(shown === 0)
    expect(next.organization.refusal).toBeUndefined()
  },
)

test('the reset follows the newest refusal, and a minute is allowed for clocks (8.3)', () => {
  const { refusal } = refused({}, { status: 402, nowMs: LATE_MS - 40 * MINUTE_MS })
  const newest = refused({ ...(refusal && { refusal }) })
  expect(successAfter(newest, MINUTE_MS)).toMatchObject({
    reset: { afterMs: LATE_MS - MINUTE_MS, byMs: MIDNIGHT_MS + 2 * MINUTE_MS },
  })
})

test('a success days after the reset shows no zone (8.3)', () => {
  const next = successAfter(refused({}, { nowMs: NOW_MS }), 4 * 24 * 60 * MINUTE_MS)
  expect(next).not.toHaveProperty('reset')
})

test('a success in the middle of the month shows that the refusal had another cause (8.3)', () => {
  const next = successAfter(refused({}, { nowMs: NOW_MS }), 0, { nowMs: NOW_MS + MINUTE_MS })
  expect(next.reset).toBeUndefined()
})

test.each<[string, () => OrganizationNote, What]>([
  ['the plan has no monthly limit', () => refused({ limits: BUSINESS }, { status: 402 }), {}],
  ['another plan is known by then', () => ({ ...refused(), limits: BUSINESS }), {}],
  ['the answers contradict the clock, or none had a Date', refused, { isClockKnown: false }],
  ['no plan is known by then', () => ({ ...refused(), limits: {} }), {}],
  ['only the credential was refused', () => refused({ inMonth: 0 }, { status: 401 }), {}],
  ['the service failed before', () => refused({}, { status: 500 }), {}],
  ['the service fails then', refused, { status: 500 }],
])('where %s no reset is shown (8.3)', (_, note, what) => {
  expect(successAfter(note(), MINUTE_MS, what).reset).toBeUndefined()
})

test('a refusal while the limit of the month is not known leaves the one before it (8.3)', () => {
  const { refusal } = refused()
  expect(refusal).toMatchObject({ atMs: LATE_MS })
  const next = refused({ limits: {}, ...(refusal && { refusal }) }, { status: 402 })
  expect(next.refusal).toEqual(refusal)
})
