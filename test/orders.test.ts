// The short form of `npm run stress -- orders`: two processes at the end of a token, in many orders.
import { expect, test } from 'vitest'
import { aPartOf, IS_WHOLE } from './_extent.ts'
import { findViolation } from '../tools/stress/orders.ts'
import { playOrder } from '../tools/stress/orders/order.ts'
import { PLANTED_FAULTS } from '../tools/stress/orders/planted-faults.ts'

const SHORT = IS_WHOLE ? 200 : 15
const MOST_FOR_A_FAULT = 500
const PATIENCE_MS = 1_200_000

test(
  'in many orders nobody gets 401, no token is lost, and one refresh is sent (5.4.3, 8.3)',
  async () => expect(await findViolation(SHORT)).toBeUndefined(),
  PATIENCE_MS,
)

test('two processes that replace a token at the same time turn nobody away (5.4.3)', async () => {
  expect((await playOrder(126)).violations).toEqual([])
})

test.each(aPartOf(Object.entries(PLANTED_FAULTS), (_, at) => at === 0))(
  'the orders find the race in which %s (5.4.3)',
  async (_, fault) => expect(await findViolation(MOST_FOR_A_FAULT, fault)).toContain('violates'),
  PATIENCE_MS,
)

test('the order of a seed is the same each time (5.4.3)', async () => {
  const [first, again] = [await playOrder(66), await playOrder(66)]
  expect(again.trace).toEqual(first.trace)
  expect(first.steps).toBeGreaterThan(100)
})
