import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { entriesWith, mergeEntries } from '../../src/contract/gauge-entry.ts'
import { number, recordOf } from '../../src/contract/json.ts'
import { sparseObject } from '../../src/contract/sparse-object.ts'

const MANY = 10_000
/** For the numbers below 600 it would be 7 kB. */
const MOST_BYTES = 2_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const entry = { remaining: 1, atSeconds: 1 }

test.each([
  ['filled by hand', () => Object.assign(sparseObject(), { 600: entry })],
  ['of one report', () => entriesWith(600, entry)],
  ['of two reports', () => mergeEntries(entriesWith(600, entry), entriesWith(601, entry))],
  ['read from JSON', () => recordOf(number)(JSON.parse('{"600": 1}'))],
])('an object by limit, %s, takes no memory for the numbers below the limit (8.2)', (_, make) => {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const all = Array.from({ length: MANY }, () => make())
  collectGarbage()
  const bytesEach = (process.memoryUsage().heapUsed - before) / MANY
  expect(bytesEach).toBeLessThan(MOST_BYTES)
  expect(all.every((one) => Object.keys(one)[0] === '600')).toBe(true)
})

test('a sparse object is empty, and a name that was the greatest can be its own (8.2)', () => {
  const greatest = 2 ** 32 - 2
  expect(sparseObject()).toStrictEqual({})
  expect(recordOf(number)({ [greatest]: 1, 600: 2 })).toStrictEqual({ 600: 2, [greatest]: 1 })
})

test('a name that is a setter of every object is a name of its own in what was read (2.2)', () => {
  const read = recordOf(number)(JSON.parse('{"__proto__": 1}'))
  expect(Object.entries(read)).toStrictEqual([['__proto__', 1]])
})
