import { expect, test } from 'vitest'
import {
  attribute,
  kindsInReadMinute,
  observeRecord,
  RATE_LIMIT_PATH,
  readRateHeaders,
  readRateRecord,
  requestClass,
} from '../../src/contract/rate-limit.ts'

const NOW = 1_800_000_000
const read = (limit?: string, remaining?: string, reset?: string) => {
  const headers = new Headers()
  if (limit !== undefined) headers.set('X-RateLimit-Limit', limit)
  if (remaining !== undefined) headers.set('X-RateLimit-Remaining', remaining)
  if (reset !== undefined) headers.set('X-RateLimit-Reset', reset)
  return readRateHeaders(headers, NOW)
}

test.each([
  ['GET', 'read'],
  ['POST', 'update'],
  ['PATCH', 'update'],
  ['PUT', 'update'],
  ['DELETE', 'update'],
  ['HEAD', undefined],
  ['get', undefined],
])('%s is of the class %s (8.2)', (method, expected) => {
  expect(requestClass(method)).toBe(expected)
})

test('three whole numbers are a reading (8.4.2)', () => {
  expect(read('60', ' +59 ', String(NOW + 60))).toEqual({
    limit: 60,
    remaining: 59,
    resetAtSeconds: NOW + 60,
    notes: [],
  })
})

test.each(['', ' ', '5.0', '1e3', '0x3c', '60;w=60', 'NaN', 'Infinity', 'sixty', '60 60', '--1', '\u00b2'])(
  'a field of %j is absent, and the others stay (8.4.2)',
  (text) => {
    expect(read(text, '59')).toEqual({ remaining: 59, notes: [] })
    expect(read('60', text)).toEqual({ limit: 60, notes: [] })
    const notes = text.trim() === '' ? [] : ['reset_unreadable']
    expect(read('60', '59', text)).toEqual({ limit: 60, remaining: 59, notes })
  },
)

test.each([
  ['60', '-3', { limit: 60, remaining: -3 }],
  ['60', '-0', { limit: 60, remaining: 0 }],
  ['60', '75', { limit: 60, remaining: 75 }],
  ['0', '0', { limit: 0, remaining: 0 }],
  ['0', '5', { remaining: 5 }],
  ['-60', '5', { remaining: 5 }],
  ['2147483648', '2147483648', { limit: 2147483648, remaining: 2147483648 }],
  ['2147483649', '2147483649', {}],
  ['60', '9'.repeat(400), { limit: 60 }],
])('a limit of %s with a remaining of %s reads as %j (8.4.2)', (limit, remaining, reading) => {
  expect(read(limit, remaining)).toStrictEqual({ ...reading, notes: [] })
})

test.each([
  ['60, 60', '59, 59', { limit: 60, remaining: 59 }],
  ['60, 1000', '59, 400', { limit: 60, remaining: 59 }],
  ['1000, 15', '400, 14', { limit: 15, remaining: 14 }],
  ['1000, 60, 1000', '7, 7, 9', { limit: 60, remaining: 7 }],
  ['60, 1000', '5, 5', { limit: 60, remaining: 5 }],
  ['1, 2000', '1, 400', {}],
  ['1, 2000', '1, 1', {}],
  ['60, 600', '1, 2', {}],
  ['60, 1000', '1, 2, 3', { limit: 60 }],
  ['60', '59, 58', { limit: 60 }],
])(
  'joined headers %s with %s read as %j: the window of a minute, or nothing (RFC 9110 5.3)',
  (limit, remaining, reading) => {
    expect(read(limit, remaining)).toEqual({ ...reading, notes: [] })
  },
)

test.each([
  [NOW + 60, { resetAtSeconds: NOW + 60, notes: [] }],
  [NOW - 120, { resetAtSeconds: NOW - 120, notes: [] }],
  [NOW - 121, { notes: ['reset_unreadable'] }],
  [NOW + 65, { resetAtSeconds: NOW + 65, notes: [] }],
  [NOW + 66, { resetAtSeconds: NOW + 66, notes: ['long_window'] }],
  [NOW + 3600, { resetAtSeconds: NOW + 3600, notes: ['long_window'] }],
  [NOW + 3601, { notes: ['reset_far'] }],
  [(NOW + 59) * 1000 + 1, { resetAtSeconds: NOW + 60, notes: ['reset_in_milliseconds'] }],
  [1, { resetAtSeconds: NOW + 1, notes: ['reset_as_delay'] }],
  [30, { resetAtSeconds: NOW + 30, notes: ['reset_as_delay'] }],
  [3600, { resetAtSeconds: NOW + 3600, notes: ['reset_as_delay', 'long_window'] }],
  [3601, { notes: ['reset_unreadable'] }],
  [0, { notes: [] }],
  [-5, { notes: ['reset_unreadable'] }],
])('a reset of %d is seconds, milliseconds, a delay or nothing (2.2, 8.4.2)', (reset, reading) => {
  expect(read(undefined, undefined, String(reset))).toEqual(reading)
})

test.each([
  ['60', '2026-11-21T12:01:00.000Z', ['reset_unreadable']],
  ['60', `${NOW + 60}, ${NOW + 90}`, ['reset_unreadable']],
  ['60, 1000', `${NOW + 60}, ${NOW + 90}`, []],
  ['60, 600', '', []],
  ['60', '', []],
  ['60', undefined, []],
])('with a limit of %s a reset of %s has the notes %j (2.2, 8.4.2)', (limit, reset, notes) => {
  expect(read(limit, '59', reset).notes).toEqual(notes)
})

test('the record at /rate_limit reports both classes (2.2, 4.3)', () => {
  expect(RATE_LIMIT_PATH).toBe('/rate_limit')
  const body = {
    get: { limit: 60, remaining: 58, reset: NOW + 60 },
    update: { limit: 15, remaining: 15, reset: NOW + 60 },
  }
  expect(readRateRecord(body, NOW)).toEqual({
    read: { limit: 60, remaining: 58, resetAtSeconds: NOW + 60, notes: [] },
    update: { limit: 15, remaining: 15, resetAtSeconds: NOW + 60, notes: [] },
  })
})

test.each([
  [null, {}],
  [[], {}],
  [{ get: [60] }, {}],
  [{ get: { limit: '60', remaining: 1.5, reset: null } }, { read: { notes: [] } }],
  [{ update: { remaining: 3 } }, { update: { remaining: 3, notes: [] } }],
  [{ get: { limit: 60, reset: '12:00' } }, { read: { limit: 60, notes: ['reset_unreadable'] } }],
])('the record %j reads as %j (2.2)', (body, expected) => {
  expect(readRateRecord(body, NOW)).toEqual(expected)
})

test('the record is an observation of each class that it names, and neither is assumed (2.2)', () => {
  const common = { assumed: false, servedAtSeconds: NOW, notes: [] }
  expect(observeRecord({ get: { limit: 60 }, update: { remaining: 3 } }, NOW)).toEqual([
    { ...common, class: 'read', limit: 60 },
    { ...common, class: 'update', remaining: 3 },
  ])
  expect(observeRecord(null, NOW)).toEqual([])
})

test.each([
  [60, 'update', 'read', false],
  [600, 'update', 'read', false],
  [15, 'read', 'update', false],
  [150, 'read', 'update', false],
  [60, 'read', 'read', false],
  [61, 'read', 'read', true],
  [61, 'update', 'update', true],
] as const)(
  'a limit of %d on an %s request describes the class %s; assumed: %s (8.4.4)',
  (limit, asked, described, assumed) => {
    expect(attribute({ limit, notes: [] }, asked, NOW)).toMatchObject({
      class: described,
      assumed,
      servedAtSeconds: NOW,
    })
  },
)

test('without a limit the class is that of the request, and assumed (8.4.4)', () => {
  expect(attribute({ remaining: 5, notes: [] }, 'update', NOW)).toMatchObject({
    class: 'update',
    assumed: true,
  })
})

test('the headers describe the class of their limit, and if it is of no plan, the class of the request (8.4.4)', () => {
  const attributed = (limit: number) => attribute({ limit, notes: [] }, 'read', NOW)
  expect(attributed(61)).toMatchObject({ class: 'read', assumed: true })
  expect(attributed(60)).toMatchObject({ class: 'read', assumed: false })
  expect(attributed(15)).toMatchObject({ class: 'update', assumed: false })
})

test('a read of the limits counts in the minute of reads where that is assumed (4.3, 8.2)', () => {
  expect(kindsInReadMinute()).toEqual(['api.read', 'rate_limit'])
  expect(kindsInReadMinute({ rate_limit_read_counts_in_minute: false })).toEqual(['api.read'])
})
