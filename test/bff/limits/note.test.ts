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
import { createContext, START_MS } from '../_context.ts'

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
  ['has no pauses', { gauges: {} }],
  ['has a pause without an end', { gauges: {}, pauses: { read: { ...pause(1), untilMs: undefined } } }],
  ['has a pause of no limit', { gauges: {}, pauses: { read: { ...pause(1), code: 'unknown' } } }],
  ['has a pause of another class', { gauges: {}, pauses: { other: pause(1) } }],
  ['has a reason that is none', { gauges: {}, pauses: { read: { ...pause(1), reasons: [7] } } }],
  ['has a reason of no code', { gauges: {}, pauses: { read: { ...pause(1), reasons: [{ code: 'x' }] } } }],
  ['has no list of reasons', { gauges: {}, pauses: { read: { ...pause(1), reasons: 'x' } } }],
  ['has a gauge without windows', { gauges: { read: { seen: gauge.seen } }, pauses: {} }],
  ['has a time that is no number', { gauges: { read: { windows: {}, silent: ['x'] } }, pauses: {} }],
  ['has a reset that is no number', { gauges: { read: { ...gauge, resets: ['x'] } }, pauses: {} }],
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
  ['has a limit that is no number', { limits: { read: '60' } }],
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

test('a change gets what is known, and nothing known at first (8.2, 8.3)', async () => {
  const { context } = createContext()
  const [tokenNotes, organizationNotes]: [TokenNote[], OrganizationNote[]] = [[], []]
  for (let time = 0; time < 2; time += 1) {
    await changeTokenNote(context, 'a', (known) => (tokenNotes.push(known), TOKEN))
    await changeOrganizationNote(context, 'a', (known) => (organizationNotes.push(known), ORGANIZATION))
  }
  expect(tokenNotes).toEqual([NO_TOKEN, TOKEN])
  expect(organizationNotes).toEqual([{ limits: {} }, ORGANIZATION])
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
