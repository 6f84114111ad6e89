import { expect, test } from 'vitest'
import {
  attribute,
  kindsInReadMinute,
  observeRecord,
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
  })
})

test.each(['', ' ', '5.0', '1e3', '0x3c', '60;w=60', 'NaN', 'Infinity', 'sixty', '60 60', '--1', '\u00b2'])(
  'a field of %j is absent, and the others stay (8.4.2)',
  (text) => {
    expect(read(text, '59')).toEqual({ remaining: 59 })
    expect(read('60', text)).toEqual({ limit: 60 })
    expect(read('60', '59', text)).toEqual({ limit: 60, remaining: 59 })
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
  expect(read(limit, remaining)).toStrictEqual(reading)
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
    expect(read(limit, remaining)).toEqual(reading)
  },
)

test.each([
  [NOW + 60, { resetAtSeconds: NOW + 60 }],
  [NOW - 120, { resetAtSeconds: NOW - 120 }],
  [NOW - 121, {}],
  [NOW + 65, { resetAtSeconds: NOW + 65 }],
  [NOW + 66, { resetAtSeconds: NOW + 66 }],
  [NOW + 3600, { resetAtSeconds: NOW + 3600 }],
  [NOW + 3601, { isResetFar: true }],
  [(NOW + 59) * 1000 + 1, { resetAtSeconds: NOW + 60 }],
  [1, { resetAtSeconds: NOW + 1 }],
  [30, { resetAtSeconds: NOW + 30 }],
  [3600, { resetAtSeconds: NOW + 3600 }],
  [3601, {}],
  [0, {}],
  [-5, {}],
])('a reset of %d is seconds, milliseconds, a delay or nothing (2.2, 8.4.2)', (reset, reading) => {
  expect(read(undefined, undefined, String(reset))).toEqual(reading)
})

test.each([
  ['60', '2026-11-21T12:01:00.000Z', undefined],
  ['60', `${NOW + 60}, ${NOW + 90}`, undefined],
  ['60, 1000', `${NOW + 60}, ${NOW + 90}`, NOW + 60],
  ['60, 600', '', undefined],
  ['60', '', undefined],
  ['60', undefined, undefined],
])('with a limit of %s a reset of %s reads as %s (2.2, 8.4.2)', (limit, reset, resetAtSeconds) => {
  expect(read(limit, '59', reset).resetAtSeconds).toBe(resetAtSeconds)
})

test('the record at /rate_limit reports both classes (2.2, 4.3)', () => {
  const body = {
    get: { limit: 60, remaining: 58, reset: NOW + 60 },
    update: { limit: 15, remaining: 15, reset: NOW + 60 },
  }
  expect(readRateRecord(body, NOW)).toEqual({
    read: { limit: 60, remaining: 58, resetAtSeconds: NOW + 60 },
    update: { limit: 15, remaining: 15, resetAtSeconds: NOW + 60 },
  })
})

test.each([
  [null, {}],
  [[], {}],
  [{ get: [60] }, {}],
  [{ get: { limit: '60', remaining: 1.5, reset: null } }, { read: {} }],
  [{ update: { remaining: 3 } }, { update: { remaining: 3 } }],
  [{ get: { limit: 60, reset: '12:00' } }, { read: { limit: 60 } }],
])('the record %j reads as %j (2.2)', (body, expected) => {
  expect(readRateRecord(body, NOW)).toEqual(expected)
})

test('the record is an observation of each class that it names (2.2)', () => {
  const common = { servedAtSeconds: NOW }
  expect(observeRecord({ get: { limit: 60 }, update: { remaining: 3 } }, NOW)).toEqual([
    { ...common, class: 'read', limit: 60 },
    { ...common, class: 'update', remaining: 3 },
  ])
  expect(observeRecord(null, NOW)).toEqual([])
})

test.each([
  [60, 'update', 'read'],
  [600, 'update', 'read'],
  [15, 'read', 'update'],
  [150, 'read', 'update'],
  [60, 'read', 'read'],
  [61, 'read', 'read'],
  [61, 'update', 'update'],
  [undefined, 'update', 'update'],
] as const)(
  'headers with a limit of %s of a request of the class %s describe the class %s (8.4.4)',
  (limit, asked, described) => {
    const reading = { remaining: 5, ...(limit !== undefined && { limit }) }
    expect(attribute(reading, asked, NOW)).toEqual({ ...reading, class: described, servedAtSeconds: NOW })
  },
)

test('a read of the limits counts in the minute of reads where that is assumed (4.3, 8.2)', () => {
  expect(kindsInReadMinute()).toEqual(['api.read', 'rate_limit'])
  expect(kindsInReadMinute({ rate_limit_read_counts_in_minute: false })).toEqual(['api.read'])
})
