import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTS, type Counts } from '../../src/contract/assumptions.ts'
import { guessPlan, PLANS } from '../../src/contract/plan.ts'
import { type PriceFacts, priceOf, spentOf } from '../../src/contract/price.ts'

const due = (due_in_ms: number, counts: Counts): PriceFacts => ({ refresh: { due_in_ms, counts } })
const prices = (...of: Parameters<typeof priceOf>) => Object.values(priceOf(...of))

describe('the price of a read (5.4, 8.3)', () => {
  test.each<[string, PriceFacts, number[]]>([
    ['with an API key', {}, [1, 1]],
    ['with a fresh token', due(60_001, 'yes'), [1, 1]],
    ['with a token that may become due on the way', due(60_000, 'yes'), [1, 2]],
    ['the same where a refresh may count', due(1, 'unknown'), [1, 2]],
    ['the same where a refresh does not count', due(1, 'no'), [1, 1]],
    ['with a refresh that counts', due(0, 'yes'), [2, 2]],
    ['with a refresh that may count', due(0, 'unknown'), [1, 2]],
    ['with a refresh that does not count', due(0, 'no'), [1, 1]],
  ])('%s', (_, facts, expected) => {
    expect(prices('read', facts)).toEqual(expected)
  })

  test('the snapshot ages, and after a sleep of unknown length a refresh may be due', () => {
    expect(prices('read', due(100_000, 'yes'), 39_999)).toEqual([1, 1])
    expect(prices('read', due(100_000, 'yes'), 40_000)).toEqual([1, 2])
    expect(prices('read', due(100_000, 'yes'), 100_000)).toEqual([2, 2])
    expect(prices('read', due(100_000, 'yes'), Infinity)).toEqual([1, 2])
    expect(prices('read', {}, Infinity)).toEqual([1, 1])
  })
})

test('a check costs as a read, or nothing itself, or either until that is known (4.3, 8.3)', () => {
  for (const facts of [{}, due(0, 'unknown'), due(0, 'yes')]) {
    const [low = 0, high = 0] = prices('read', facts)
    expect(prices('check', { ...facts, check_counts: 'yes' })).toEqual([low, high])
    expect(prices('check', facts)).toEqual([low - 1, high])
    expect(prices('check', { ...facts, check_counts: 'no' })).toEqual([low - 1, high - 1])
  }
})

test('a sign-in by code costs the exchange too, if that counts, and no refresh (5.3, 8.3)', () => {
  expect(prices('sign_in', due(0, 'yes'))).toEqual([1, 2])
  expect(prices('sign_in', { sign_in_counts: 'yes' })).toEqual([2, 2])
  expect(prices('sign_in', { sign_in_counts: 'no' })).toEqual([1, 1])
})

test('what was spent is the reads, and the refreshes as far as they count (8.3)', () => {
  const spent = (counts: Counts) => Object.values(spentOf({ reads: 2, refreshes: 1 }, due(0, counts)))
  expect([spent('yes'), spent('unknown'), spent('no')]).toEqual([
    [3, 3],
    [2, 3],
    [2, 2],
  ])
  expect(Object.values(spentOf({ reads: 1, refreshes: 1 }, {}))).toEqual([1, 2])
})

test('what is known later never leaves the range that was said before (8.3)', () => {
  const counts = fc.constantFrom(...COUNTS)
  const ms = fc.integer({ min: 0, max: 200_000 })
  fc.assert(
    fc.property(ms, ms, counts, counts, (dueMs, elapsedMs, now, later) => {
      fc.pre(now === 'unknown' || now === later)
      const before = priceOf('read', due(dueMs, now), elapsedMs)
      const after = priceOf('read', due(dueMs, later), elapsedMs)
      expect(after.low).toBeGreaterThanOrEqual(before.low)
      expect(after.high).toBeLessThanOrEqual(before.high)
      // The server decides at most a minute later.
      const costs = [0, 1, 30_000, 60_000].map((onTheWayMs) =>
        dueMs <= elapsedMs + onTheWayMs && later === 'yes' ? 2 : 1,
      )
      expect(Math.max(...costs)).toBeLessThanOrEqual(before.high)
      expect(Math.min(...costs)).toBeGreaterThanOrEqual(before.low)
    }),
  )
})

test('the plans have the numbers of the document (8.1, 8.2, 8.3)', () => {
  const numbers = Object.values(PLANS).map(({ name, ...rest }) => [name, ...Object.values(rest)])
  expect(numbers).toEqual([
    ['business', 10, 10, 600, 150],
    ['standard', 1, 1, 60, 15, 100],
  ])
})

test.each([
  [{ read: 60 }, 'standard'],
  [{ update: 15 }, 'standard'],
  [{ read: 600, update: 150 }, 'business'],
  [{ update: 150 }, 'business'],
  [{}, undefined],
  [{ read: 60, update: 150 }, undefined],
  [{ read: 61 }, undefined],
])('limits of %j belong to the plan %s (8.2)', (seen, plan) => {
  expect(guessPlan(seen)?.name).toBe(plan)
})
