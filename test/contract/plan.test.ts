import { expect, test } from 'vitest'
import { guessPlan, PLANS } from '../../src/contract/plan.ts'

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
