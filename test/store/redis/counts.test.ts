import { expect, test } from 'vitest'
import { countsSince, daysOf, type Gathered } from '../../../src/store/redis/counts.ts'

const DAY_MS = 86_400_000
/** Two days, and the rest of the first one from two instants on. */
const gathered: Gathered = [
  [
    ['0', ['api.read reserved 0', '5', 'api.read settled 1', '4']],
    [`${DAY_MS}`, ['api.read settled 1', '2', 'api.read settled 0', '1']],
  ],
  [
    ['api.read settled 1', '3', 'api.read reserved 0', '0'],
    ['api.read settled 1', '-2'],
  ],
]
const api = { kind: 'api.read', outcome: 'settled' }

test('the counts from an instant on are the rest of its day and the later days, without zeros (8.3)', () => {
  expect(countsSince(gathered, 0, 1)).toEqual([
    { ...api, succeeded: true, count: 5 },
    { ...api, succeeded: false, count: 1 },
  ])
  expect(countsSince(gathered, 1, DAY_MS - 1)).toEqual([{ ...api, succeeded: false, count: 1 }])
})

test('from the start of a day on the whole day is counted (8.3)', () => {
  expect(countsSince([gathered[0], [[]]], 0, DAY_MS)).toEqual([
    { ...api, succeeded: true, count: 2 },
    { ...api, succeeded: false, count: 1 },
  ])
})

test('days are read as numbers, each with its counts by sort', () => {
  expect(daysOf(gathered)[1]).toEqual([
    DAY_MS,
    [
      ['api.read settled 1', 2],
      ['api.read settled 0', 1],
    ],
  ])
})
