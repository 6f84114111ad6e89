import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuota, type QuotaSnapshot, rateNote } from '../../src/contract/quota.ts'
import { RATE_NOTES } from '../../src/contract/rate-note.ts'

const SNAPSHOT: QuotaSnapshot = {
  version: 7,
  token: 'abc',
  refresh: { due_in_ms: 0, counts: 'unknown' },
  read: {
    known: 'measured',
    limit: 60,
    remaining: -2,
    reset_in_ms: 22_000,
    age_ms: 0,
    in_flight: 1,
    inconsistent: false,
    assumed: true,
    notes: ['long_window'],
  },
  update: { known: 'unseen', in_flight: 0, inconsistent: false, assumed: false, notes: [] },
  month: {
    low: 3,
    high: 5,
    limit: 100,
    plan: 'standard',
    resets_in_ms: { earliest: 0, latest: 86_400_000 },
    may_have_reset: false,
    organization: { low: 30, high: 40, reading_age_ms: 5 },
    suspected: { age_ms: 6, reasons: [{ code: 'payment_asked' }] },
    reading_wanted: 'half',
    allowance_per_day: 3,
    forecast: { state: 'runs_out', early: true, difference: 4, runs_out_in_ms: 7 },
    reserve: { person: 10, sign_in: 2 },
  },
  pauses: [{ code: 'rate_limited', class: 'read', ends_in_ms: 9000, reasons: [{ code: 'payment_asked' }] }],
  recent: [{ id: 'one', age_ms: 8, kind: 'sign_in', by: 'you', failed: false }],
}
const refused = expect.objectContaining({ code: 'unexpected_reply' })

test('a snapshot is read whole, and members that are not known are left out (8.2, 8.3)', () => {
  expect(parseQuota(SNAPSHOT)).toEqual(SNAPSHOT)
  expect(parseQuota({ ...SNAPSHOT, forecast: {}, month: { ...SNAPSHOT.month, more: 1 } })).toEqual(SNAPSHOT)
})

/** The path of every member, and `true` if it may be absent. */
const MEMBERS: [path: string, optional: boolean][] = [
  ...['read', 'update', 'month', 'pauses', 'month.resets_in_ms'].map((path): [string, boolean] => [
    path,
    false,
  ]),
  ...['known', 'in_flight', 'inconsistent', 'assumed', 'notes'].map((name): [string, boolean] => [
    `read.${name}`,
    false,
  ]),
  ...['limit', 'remaining', 'reset_in_ms', 'age_ms'].map((name): [string, boolean] => [`read.${name}`, true]),
  ...['low', 'high', 'resets_in_ms.earliest', 'resets_in_ms.latest'].map((name): [string, boolean] => [
    `month.${name}`,
    false,
  ]),
  ...[
    'limit',
    'plan',
    'organization',
    'suspected',
    'reading_wanted',
    'allowance_per_day',
    'forecast',
    'forecast.difference',
    'forecast.runs_out_in_ms',
    'reserve',
  ].map((name): [string, boolean] => [`month.${name}`, true]),
  ...[
    'may_have_reset',
    'organization.low',
    'organization.high',
    'organization.reading_age_ms',
    'suspected.age_ms',
    'suspected.reasons',
    'forecast.state',
    'forecast.early',
    'reserve.person',
    'reserve.sign_in',
  ].map((name): [string, boolean] => [`month.${name}`, false]),
  ['refresh', true],
  ['refresh.due_in_ms', false],
  ['refresh.counts', false],
  ...['code', 'ends_in_ms', 'reasons'].map((name): [string, boolean] => [`pauses.0.${name}`, false]),
  ['pauses.0.class', true],
  ['recent', true],
  ...['age_ms', 'kind', 'by', 'failed'].map((name): [string, boolean] => [`recent.0.${name}`, false]),
]

/** `undefined` removes the member. */
function changed(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(SNAPSHOT)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], copy)
  if (value === undefined) delete (parent as Record<string, unknown>)[last]
  else (parent as Record<string, unknown>)[last] = value
  return copy
}

const isWhole = (body: unknown): boolean => {
  try {
    parseQuota(body)
    return true
  } catch {
    return false
  }
}

test.each(MEMBERS)('without %s a snapshot is whole: %s (8.2, 8.3)', (path, optional) => {
  expect(isWhole(changed(path, undefined))).toBe(optional)
})

test.each(MEMBERS)('%s has one type, and every other value is refused (8.2, 8.3)', (path) => {
  const other = fc.oneof(
    fc.constantFrom<unknown>(null, '', '60', 'nonsense', {}, -1.5, 1e300, Number.NaN, Infinity),
    fc.double({ noInteger: true }),
  )
  fc.assert(
    fc.property(other, (value) => {
      expect(() => parseQuota(changed(path, value))).toThrow(refused)
    }),
    { numRuns: 40 },
  )
})

test.each([
  'read.limit',
  'read.in_flight',
  'read.reset_in_ms',
  'read.age_ms',
  'month.low',
  'month.organization.low',
  'month.suspected.age_ms',
  'refresh.due_in_ms',
  'pauses.0.ends_in_ms',
  'recent.0.age_ms',
])('%s is not below zero (8.2, 8.3)', (path) => {
  expect(() => parseQuota(changed(path, -1))).toThrow(refused)
})

test('a count has its low end first, and a month ends within 33 days (8.3)', () => {
  expect(parseQuota(changed('month.low', 5))).toMatchObject({ month: { low: 5, high: 5 } })
  expect(() => parseQuota(changed('month.low', 6))).toThrow(
    expect.objectContaining({
      code: 'unexpected_reply',
      cause: new TypeError('expected low to be at most high'),
    }),
  )
  expect(() => parseQuota(changed('month.organization.low', 41))).toThrow(refused)
  expect(() => parseQuota(changed('month.resets_in_ms.latest', 34 * 86_400_000))).toThrow(refused)
})

test.each([undefined, null, [], {}, 'quota', 7])('%j is no snapshot (8.2, 8.3)', (body) => {
  expect(() => parseQuota(body)).toThrow(refused)
})

test('every note is read from a snapshot, and no other (8.2)', () => {
  expect(RATE_NOTES.map((note) => rateNote(note))).toEqual(RATE_NOTES)
  expect(() => rateNote('another')).toThrow(TypeError)
})
