import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KindCount } from '../../src/contract/month.ts'
import {
  type ReadingStep,
  type SortCounts,
  sortRequests,
  WEIGHED,
  type Weighed,
  weigh,
} from '../../src/contract/month-weights.ts'

const NONE = { 'token.code': 0, 'token.refresh': 0, rate_limit: 0, failed: 0 }
const counts = (certain: number, weighed: Partial<SortCounts['weighed']> = {}): SortCounts => ({
  certain,
  weighed: { ...NONE, ...weighed },
})
const step = (rise: number, sent: SortCounts, others: Partial<ReadingStep> = {}): ReadingStep => ({
  rise,
  sure: sent,
  sent,
  unsure: 0,
  ...others,
})
const row = (kind: KindCount['kind'], outcome: KindCount['outcome'], succeeded: boolean): KindCount => ({
  kind,
  outcome,
  succeeded,
  count: 1,
})

test('requests are summed by what is known of them, and what never left is in no sum (8.3)', () => {
  expect(
    sortRequests([
      row('api.read', 'settled', true),
      row('api.update', 'settled', true),
      row('rate_limit', 'settled', true),
      row('token.code', 'settled', true),
      { ...row('token.refresh', 'settled', true), count: 4 },
      row('api.read', 'settled', false),
      row('rate_limit', 'settled', false),
      row('token.refresh', 'settled', false),
      row('api.read', 'uncertain', false),
      row('token.code', 'reserved', false),
      row('api.read', 'void', false),
    ]),
  ).toEqual({
    counts: counts(2, { rate_limit: 1, 'token.code': 1, 'token.refresh': 4, failed: 1 }),
    unsure: 4,
  })
})

test('a sort that would have raised the count further does not count, whatever others sent (8.3)', () => {
  const sent = counts(3, { 'token.refresh': 2, rate_limit: 1 })
  expect(weigh([step(4, sent)]).excluded).toEqual(['token.refresh'])
  expect(weigh([step(3, sent)]).excluded).toEqual(['token.refresh', 'rate_limit'])
  expect(weigh([step(6, sent)]).excluded).toEqual([])
  expect(weigh([]).excluded).toEqual([])
})

test('each of two sorts may count where both together do not (8.3)', () => {
  const both = step(4, counts(3, { 'token.refresh': 1, rate_limit: 1 }))
  expect(weigh([both])).toEqual({ excluded: [], exact: {} })
  expect(weigh([both, step(0, counts(0, { rate_limit: 1 }))])).toEqual({
    excluded: ['rate_limit'],
    exact: { 'token.refresh': true, rate_limit: false },
  })
})

test('a rise of just what was sent shows which sorts count, of those that were sent (8.3)', () => {
  const sent = counts(3, { 'token.refresh': 2, failed: 1 })
  expect(weigh([step(5, sent)]).exact).toEqual({ 'token.refresh': true, failed: false })
  expect(weigh([step(6, sent)]).exact).toEqual({ 'token.refresh': true, failed: true })
  expect(weigh([step(7, sent)]).exact).toEqual({})
  expect(weigh([step(5, sent), step(1, counts(0))]).exact).toEqual({})
})

test('a request that may not have arrived leaves open whether others count (8.3)', () => {
  const sent = counts(3, { 'token.refresh': 2, failed: 1 })
  expect(weigh([step(6, sent, { unsure: 1 })]).exact).toEqual({ 'token.refresh': true })
  expect(weigh([step(5, sent, { unsure: 1 })]).exact).toEqual({})
  expect(weigh([step(7, sent, { unsure: 1 })]).exact).toEqual({ 'token.refresh': true, failed: true })
})

test('only requests surely counted in between exclude a sort, and a count that is too low none (8.3)', () => {
  const sent = counts(3, { 'token.refresh': 2 })
  expect(weigh([step(3, sent, { sure: counts(2) })])).toEqual({
    excluded: [],
    exact: { 'token.refresh': false },
  })
  expect(weigh([step(2, sent)])).toEqual({ excluded: [], exact: {} })
})

const truths = fc.subarray([...WEIGHED])
const sentCounts = fc.record({
  certain: fc.nat(20),
  weighed: fc.record({
    'token.code': fc.nat(3),
    'token.refresh': fc.nat(9),
    rate_limit: fc.nat(5),
    failed: fc.nat(5),
  }),
})
const rise = ({ certain, weighed }: SortCounts, truth: readonly Weighed[]) =>
  truth.reduce((sum, sort) => sum + weighed[sort], certain)

test('a sort that counts is never excluded, for any number of requests of others and of readings (8.3)', () => {
  const step = fc.record({ sent: sentCounts, others: fc.nat(30), arrived: fc.nat(2), lost: fc.nat(2) })
  fc.assert(
    fc.property(truths, fc.array(step, { maxLength: 6 }), (truth, steps) => {
      const seen = steps.map(({ sent, others, arrived, lost }) => ({
        rise: rise(sent, truth) + others + arrived,
        sure: sent,
        sent,
        unsure: arrived + lost,
      }))
      const { excluded, exact } = weigh(seen)
      expect(excluded.filter((sort) => truth.includes(sort))).toEqual([])
      const isAlone = steps.every(({ others }) => others === 0)
      const wrong = Object.entries(exact).filter(
        ([sort, counts]) => isAlone && counts !== truth.includes(sort as Weighed),
      )
      expect(wrong).toEqual([])
    }),
  )
})

test('readings around one request of each sort, without others, leave one answer for each truth (8.3)', () => {
  for (let bits = 0; bits < 16; bits += 1) {
    const truth = WEIGHED.filter((_, bit) => (bits >> bit) % 2 === 1)
    const steps = WEIGHED.map((sort) => {
      const sent = counts(2, { [sort]: 1 })
      return step(rise(sent, truth), sent)
    })
    const all = Object.fromEntries(WEIGHED.map((sort) => [sort, truth.includes(sort)]))
    expect(weigh(steps)).toEqual({ excluded: WEIGHED.filter((sort) => !truth.includes(sort)), exact: all })
  }
})
