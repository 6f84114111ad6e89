/**
 * The short form of the proof for mixed choices: an eighteenth of the services, which together contain each
 * pair of values. `npm run proof` runs all of them.
 */
import { expect, test } from 'vitest'
import { CHOICES, type Choices } from '../src/sandbox/choices/choices.ts'
import { IS_WHOLE } from './_extent.ts'
import { violationsOf } from '../tools/proof/invariants.ts'
import { runJourney } from '../tools/proof/run.ts'
import { allChoiceSets, coverPairs, createChance, DEFAULT_SEED, pairs } from '../tools/proof/choice-sets.ts'
import { isUnaided } from '../tools/proof/unaided.ts'

const PER_TEST = 4

const mixed = pairs(DEFAULT_SEED).filter((_, at) => at % (IS_WHOLE ? 1 : 18) === 0)
const portions = Array.from({ length: Math.ceil(mixed.length / PER_TEST) }, (_, at) =>
  mixed.slice(at * PER_TEST, (at + 1) * PER_TEST),
)

test.each(portions.map((portion) => [portion[0]?.name, portion] as const))(
  'the client keeps the invariants at the services from %s on',
  async (_, portion) => {
    for (const named of portion) {
      const recording = await runJourney(named.choices, { unaided: isUnaided(named) })
      expect({ [named.name]: violationsOf(recording) }).toEqual({ [named.name]: [] })
    }
  },
)

test('any two values of two choices occur together in the pairs', () => {
  const met = new Set(
    pairs(DEFAULT_SEED).flatMap(({ choices }) => {
      const all = Object.entries(choices).map(([key, value]) => `${key}=${value}`)
      return all.flatMap((a, at) => all.slice(at + 1).map((b) => `${a} ${b}`))
    }),
  )
  const keys = Object.keys(CHOICES) as (keyof Choices)[]
  const all = keys.flatMap((a, at) =>
    keys.slice(at + 1).flatMap((b) => CHOICES[a].values.length * CHOICES[b].values.length),
  )
  expect(met.size).toBe(all.reduce((sum, count) => sum + count, 0))
})

test('the same seed gives the same choice sets by the same names, and another seed gives others', () => {
  expect(allChoiceSets(7)).toEqual(allChoiceSets(7))
  expect(allChoiceSets(7)).not.toEqual(allChoiceSets(8))
  expect(new Set(allChoiceSets(7).map(({ name }) => name)).size).toBe(allChoiceSets(7).length)
  expect(coverPairs([2, 2], createChance(1)).length).toBeGreaterThanOrEqual(4)
})
