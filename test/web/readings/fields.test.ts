import { expect, test } from 'vitest'
import type { Fault } from '../../../src/contract/fault.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Reading } from '../../../src/contract/readings.ts'
import { contradicted, refusedFields, requestOf } from '../../../src/web/readings/fields.ts'

test.each([
  ['0', 0],
  [' 32 ', 32],
  ['100000', 100_000],
])('%j is the number %i (C17)', (count, value) => {
  expect(requestOf({ count, read_at: '' })).toEqual({ request: { count: value }, errors: {} })
})

test.each(['', '-1', '1.5', '1e3', 'text', '100001', '9999999', '٣'])(
  '%j is not a number of requests (C19)',
  (count) => {
    const { request, errors } = requestOf({ count, read_at: '' })
    expect(request).toBeUndefined()
    expect(errors).toEqual({ count: true })
  },
)

test('a time is sent as that instant, whatever the zone of the reader (C17)', () => {
  expect(requestOf({ count: '3', read_at: '2026-11-21T15:00' }).request).toEqual({
    count: 3,
    read_at: '2026-11-21T06:00:00.000Z',
  })
  expect(requestOf({ count: '', read_at: 'never' }).errors).toEqual({ count: true, read_at: true })
})

test('a value that the server refuses is reported at its field (C19)', () => {
  const refused = (fault?: Fault) => refusedFields(new Problem('invalid_request', { fault }))
  expect(Object.keys(refused('read_at_in_the_future'))).toEqual(['read_at'])
  expect(Object.keys(refused('count_not_in_range'))).toEqual(['count'])
  expect(refused('too_many_readings')).toEqual({})
  expect(refusedFields(new Problem('store_unavailable'))).toEqual({})
})

const read = (count: number, hour: number): Reading => ({
  id: `${count}`,
  count,
  read_at: `2026-11-21T0${hour}:00:00.000Z`,
  by: 'you',
})
const countsOf = (readings: Reading[]) => readings.map(({ count }) => count)

test('a lower number contradicts the higher ones read before it, up to the last reset (C19)', () => {
  expect(countsOf(contradicted([read(40, 4), read(30, 3), read(10, 2)], { count: 20 }))).toEqual([40, 30])
  expect(countsOf(contradicted([read(5, 4), read(90, 3)], { count: 3 }))).toEqual([5])
  expect(contradicted([], { count: 3 })).toEqual([])
})

test('a later reading is not contradicted (C19)', () => {
  const request = { count: 20, read_at: '2026-11-21T03:00:00.000Z' }
  expect(countsOf(contradicted([read(40, 4), read(30, 3), read(10, 2)], request))).toEqual([30])
})
