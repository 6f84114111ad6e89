import { expect, test } from 'vitest'
import {
  changeOrganizationNote,
  changeTokenNote,
  laterPause,
  limitNoteNames,
  type OrganizationNote,
  parseLimitNotes,
  pauseLeftMs,
  readOrganizationNote,
  readTokenNote,
  suspicionAt,
  type StoredPause,
  type TokenNote,
} from '../../../src/bff/limits/note.ts'
import { reserve } from '../../../src/bff/service/ledger.ts'
import { createContext, START_MS } from '../_context.ts'
import { readLimits } from '../../../src/bff/limits/snapshot.ts'
import { fold, windowAt } from '../../../src/contract/gauge.ts'
import { transferLimits } from '../../../src/bff/limits/transfer.ts'
import type { RequestClass } from '../../../src/contract/rate-limit.ts'
import { observeTokenAnswer } from '../../../src/bff/limits/token-endpoint.ts'
import { accessTokenName } from '../../../src/bff/session/record.ts'
import { STANDARD } from '../../kit/app.ts'
import { signedIn } from '../_signed-in.ts'

const pause = (untilMs: number): StoredPause => ({
  code: 'rate_limited',
  reasons: [{ code: 'payment_asked' }],
  untilMs,
})
const gauge = {
  limit: { value: 60, atSeconds: 1 },
  windows: {
    '61': { '60': { remaining: 3, atSeconds: 1, others: true }, '?': { remaining: 2, atSeconds: 1 } },
  },
  loose: { remaining: 1, atSeconds: 1 },
  seen: { atSeconds: 1, assumed: true, notes: ['reset_far'] },
} as const
const TOKEN: TokenNote = {
  gauges: { read: gauge, update: { windows: {}, seen: { atSeconds: 2, assumed: false, notes: [] } } },
  pauses: { read: pause(START_MS), update: pause(START_MS) },
}
const ORGANIZATION: OrganizationNote = {
  limits: { read: 60, update: 15 },
  monthPause: { ...pause(1), code: 'month_suspected' },
  suspicion: { reasons: [{ code: 'payment_asked' }], sinceMs: 1, untilMs: 2 },
}

test('the notes of a token and of an organization are read as they were stored (8.2, 8.3)', async () => {
  const { context } = createContext()
  await changeTokenNote(context, 'a', () => TOKEN)
  await changeOrganizationNote(context, 'a', () => ORGANIZATION)
  expect(await readTokenNote(context, 'a')).toEqual(TOKEN)
  expect(await readOrganizationNote(context, 'a')).toEqual(ORGANIZATION)
})

const NO_TOKEN = { gauges: {}, pauses: {} }

test('a store that reads both notes by their names finds what is stored, and nothing at first (8.2, 8.3)', async () => {
  const { context } = createContext()
  const names = limitNoteNames({ token: 'a', organization: 'b' })
  const read = async () =>
    parseLimitNotes(await Promise.all(names.map((name) => context.store.readNote(name))))
  expect(await read()).toEqual({ ...NO_TOKEN, limits: {} })
  await changeTokenNote(context, 'a', () => TOKEN)
  await changeOrganizationNote(context, 'b', () => ORGANIZATION)
  expect(await read()).toEqual({ ...TOKEN, ...ORGANIZATION })
})

test('reasons of an earlier version, which were sentences, are left out, and the pause stays (8.3)', async () => {
  const { context } = createContext()
  const former = { ...pause(1), reasons: ['The service asks for payment.', { code: 'refused_again' }] }
  await changeTokenNote(context, 'a', () => ({ gauges: {}, pauses: { read: former as StoredPause } }))
  expect((await readTokenNote(context, 'a')).pauses.read).toEqual({
    ...former,
    reasons: [{ code: 'refused_again' }],
  })
})

const damaged: [string, unknown][] = [
  ['is of the layout before', { gauges: {}, stops: {} }],
  ['has a pause without an end', { gauges: {}, pauses: { read: { ...pause(1), untilMs: undefined } } }],
  ['has a pause of another class', { gauges: {}, pauses: { other: pause(1) } }],
  ['has a reason that is none', { gauges: {}, pauses: { read: { ...pause(1), reasons: [7] } } }],
  [
    'has an entry with another mark',
    {
      gauges: { read: { ...gauge, windows: { 1: { 1: { remaining: 1, atSeconds: 1, others: 1 } } } } },
      pauses: {},
    },
  ],
  [
    'has a remaining that is no number',
    { gauges: { read: { ...gauge, windows: { 1: { 1: { remaining: 'x', atSeconds: 1 } } } } }, pauses: {} },
  ],
  [
    'has a limit that is no number',
    { gauges: { read: { ...gauge, limit: { value: null, atSeconds: 1 } } }, pauses: {} },
  ],
  [
    'has an unknown note',
    { gauges: { read: { ...gauge, seen: { ...gauge.seen, notes: ['x'] } } }, pauses: {} },
  ],
]
test.each(damaged)('a token note that %s is absent as a whole (8.2)', async (_, value) => {
  const { context } = createContext()
  await context.store.changeNote('token a', () => ({ format: 1, value }), START_MS + 1000)
  expect(await readTokenNote(context, 'a')).toEqual(NO_TOKEN)
})

test.each([
  ['has no limits', {}],
  ['is of the layout before', { limits: {}, suspicion: pause(1) }],
  ['has a damaged pause', { limits: {}, monthPause: { code: 'month_suspected' } }],
  ['has a suspicion without a begin', { limits: {}, suspicion: { reasons: [], untilMs: 1 } }],
])('an organization note that %s is absent as a whole (8.3)', async (_, value) => {
  const { context } = createContext()
  await context.store.changeNote('organization a', () => ({ format: 1, value }), START_MS + 1000)
  expect(await readOrganizationNote(context, 'a')).toEqual({ limits: {} })
})

test('an organization note of the former version, which has no suspicion, is read (8.3)', async () => {
  const { context } = createContext()
  const { suspicion: _, ...value } = ORGANIZATION
  await context.store.changeNote('organization a', () => ({ format: 1, value }), START_MS + 1000)
  expect(await readOrganizationNote(context, 'a')).toEqual(value)
})

test('a suspicion ends on time, and one longer than a month is from before a clock change (8.3, attack 35)', () => {
  const suspicion = { reasons: [], sinceMs: 0, untilMs: 40 * 86_400_000 }
  const { untilMs } = suspicion
  expect(suspicionAt(suspicion, untilMs - 1)).toBe(suspicion)
  expect([suspicionAt(suspicion, untilMs), suspicionAt(suspicion, 0)]).toEqual([undefined, undefined])
  expect(suspicionAt(undefined, 0)).toBeUndefined()
})

test('a note outlives every month (8.3)', async () => {
  const { context } = createContext()
  await changeTokenNote(context, 'a', () => TOKEN)
  await changeOrganizationNote(context, 'a', () => ORGANIZATION)
  await context.store.sweep(START_MS + 31 * 86_400_000)
  expect(await readTokenNote(context, 'a')).toEqual(TOKEN)
  expect(await readOrganizationNote(context, 'a')).toEqual(ORGANIZATION)
})

test('a pause longer than possible is from before a clock change, and is over (8.2, 8.3, attack 35)', () => {
  const at = (code: 'rate_limited' | 'month_suspected', untilMs: number) =>
    pauseLeftMs({ code, reasons: [], untilMs }, 1000)
  expect([71_000, 71_001, 1000].map((untilMs) => at('rate_limited', untilMs))).toEqual([70_000, 0, 0])
  expect([at('month_suspected', 86_401_000), at('month_suspected', 34 * 86_400_000)]).toEqual([86_400_000, 0])
  expect(pauseLeftMs(undefined, 1000)).toBe(0)
})

test('the pause that ends later remains, whichever came first; of two equal ones the second does (8.2)', () => {
  const [short, long] = [pause(1000), pause(2000)]
  expect(laterPause(short, long)).toBe(long)
  expect(laterPause(long, short)).toBe(long)
  expect(laterPause(pause(1000), short)).toBe(short)
  expect(laterPause(undefined, short)).toBe(short)
  expect(laterPause(short, undefined)).toBe(short)
  expect(laterPause(undefined, undefined)).toBeUndefined()
})

const OWNER = { token: 'a token', organization: '1001' }
const REASONS = {
  rate_limited: 'minute_used_up',
  limit_unknown: 'limit_not_named',
  month_suspected: 'payment_asked',
} as const
const pauseFor = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: [{ code: REASONS[code] }],
  untilMs: START_MS + inMs,
})

test('every pause is in the snapshot until it ends, with its class, its delay and its reason (8.2, 8.3)', async () => {
  const { context, clock } = createContext()
  await changeTokenNote(context, OWNER.token, () => ({
    gauges: {},
    pauses: { read: pauseFor('rate_limited', 1000.5), update: pauseFor('limit_unknown', 2000) },
  }))
  await changeOrganizationNote(context, OWNER.organization, () => ({
    limits: {},
    monthPause: pauseFor('month_suspected', 3000),
  }))
  const pauses = async () => (await readLimits(context, OWNER, clock.ms)).pauses
  expect(await pauses()).toEqual([
    { code: 'rate_limited', class: 'read', ends_in_ms: 1001, reasons: [{ code: 'minute_used_up' }] },
    { code: 'limit_unknown', class: 'update', ends_in_ms: 2000, reasons: [{ code: 'limit_not_named' }] },
    { code: 'month_suspected', ends_in_ms: 3000, reasons: [{ code: 'payment_asked' }] },
  ])
  clock.ms += 2000
  expect(await pauses()).toEqual([expect.objectContaining({ code: 'month_suspected', ends_in_ms: 1000 })])
  clock.ms += 1000
  expect(await pauses()).toEqual([])
})

test('each class has its own window (8.2)', async () => {
  const { context } = createContext()
  const seen = { notes: [], assumed: false, servedAtSeconds: START_MS / 1000 }
  await changeTokenNote(context, OWNER.token, () => ({
    gauges: fold({}, [
      { ...seen, class: 'read', remaining: 7 },
      { ...seen, class: 'update', remaining: 3 },
    ]),
    pauses: {},
  }))
  const { windows } = await readLimits(context, OWNER, START_MS)
  expect([windows.read.remaining, windows.update.remaining]).toEqual([7, 3])
})

const unknownPause = (inMs: number) =>
  ({ code: 'limit_unknown', reasons: [{ code: 'payment_asked' }], untilMs: START_MS + inMs }) as const
const observed = (name: RequestClass, remaining: number) => ({
  class: name,
  remaining,
  resetAtSeconds: START_MS / 1000 + 20,
  servedAtSeconds: START_MS / 1000,
  assumed: false,
  notes: [],
})

test('the new token gets the pauses of the old one, and one for each used-up window (8.2)', async () => {
  const { context } = createContext()
  const gauges = fold({}, [observed('read', 0), observed('update', 3)])
  await changeTokenNote(context, 'old', () => ({ gauges, pauses: { update: unknownPause(5000) } }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual({
    gauges: {},
    pauses: {
      read: {
        code: 'rate_limited',
        reasons: [{ code: 'minute_used_up_before_refresh' }],
        untilMs: START_MS + 21_000,
      },
      update: unknownPause(5000),
    },
  })
})

test.each([
  [30_000, 30_000],
  [5000, 21_000],
])(
  'of a pause of %d ms and a used-up window the later end is transferred: %d ms (8.2)',
  async (inMs, until) => {
    const { context } = createContext()
    const gauges = fold({}, [observed('read', 0)])
    await changeTokenNote(context, 'old', () => ({ gauges, pauses: { read: unknownPause(inMs) } }))
    await transferLimits(context, 'old', 'new')
    expect((await readTokenNote(context, 'new')).pauses.read?.untilMs).toBe(START_MS + until)
  },
)

test('nothing is transferred if nothing is over the limit (8.2)', async () => {
  const { context } = createContext()
  const known = { gauges: {}, pauses: { read: unknownPause(1) } }
  await changeTokenNote(context, 'new', () => known)
  await changeTokenNote(context, 'old', () => ({ gauges: fold({}, [observed('read', 1)]), pauses: {} }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual(known)
})

test("the token endpoint's report about the new token stays (5.4)", async () => {
  const { context } = createContext()
  const gauges = fold({}, [observed('read', 60)])
  await changeTokenNote(context, 'new', () => ({ gauges, pauses: {} }))
  await changeTokenNote(context, 'old', () => ({ gauges: {}, pauses: { read: unknownPause(5000) } }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual({ gauges, pauses: { read: unknownPause(5000) } })
})

const SECONDS = START_MS / 1000

/** The windows of a token after the token endpoint reported a limit for it. */
async function windowsAfter(limits: { [Class in RequestClass]?: number }, limit: string, others = {}) {
  const { context } = createContext()
  await changeOrganizationNote(context, '1001', () => ({ limits }))
  const headers = new Headers({
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': '9',
    'X-RateLimit-Reset': String(SECONDS + 30),
    ...others,
  })
  await observeTokenAnswer(context, '1001', 'at', { headers, servedAtSeconds: SECONDS })
  const isStored = (await context.store.readNote(`token ${accessTokenName('at')}`)) !== undefined
  const { gauges } = await readTokenNote(context, accessTokenName('at'))
  expect(isStored).toBe(Object.keys(gauges).length > 0)
  return [windowAt(gauges.read, START_MS), windowAt(gauges.update, START_MS)].map((one) => one.remaining)
}

test.each([
  [{ read: 60, update: 15 }, '60', [9, undefined]],
  [{ read: 60, update: 15 }, '15', [undefined, 9]],
  [{ read: 600 }, '60', [undefined, undefined]],
  [{ read: 60, update: 60 }, '60', [undefined, undefined]],
  [{}, '60', [undefined, undefined]],
  [{ read: 60 }, '', [undefined, undefined]],
])(
  'with limits seen of %j a limit of %j at the token endpoint measures %j (8.4)',
  async (limits, limit, measured) => {
    expect(await windowsAfter(limits, limit)).toEqual(measured)
  },
)

test('an answer out of a cache measures nothing, and what is measured is assumed (RFC 9111 5.1)', async () => {
  expect(await windowsAfter({ read: 60 }, '60', { Age: '5' })).toEqual([undefined, undefined])
})

test('after a refresh whose answer has the headers, the new token starts with their values (5.4, 8.4.4)', async () => {
  for (const hdrscope of ['all', 'also_token'] as const) {
    const { fixture, browser } = await signedIn({ choices: { hdrscope } })
    fixture.advance(3_600_000)
    fixture.intercept((request, through) =>
      request.url.endsWith('/oauth2/token') ? through(request) : Promise.reject(new Error('gone')),
    )
    await browser.spend(`/organizations/${STANDARD}`)
    const { read } = await browser.quota()
    expect([read.known, read.assumed]).toEqual(hdrscope === 'all' ? ['unseen', false] : ['measured', true])
  }
})

test('without an answer nothing is known, except what is in flight (8.2)', async () => {
  const { context } = createContext()
  const entry = { method: 'POST', path: '/projects', initiator: 'person' } as const
  await reserve(context, { ...OWNER, ...entry, kind: 'api.update' })
  const { windows } = await readLimits(context, OWNER, START_MS)
  expect([windows.read, windows.update]).toMatchObject([
    { known: 'unseen', in_flight: 0 },
    { known: 'unseen', in_flight: 1 },
  ])
})
