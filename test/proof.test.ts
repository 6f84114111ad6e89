/**
 * The short form of the proof: the default service, and a third of the clients that are broken on purpose.
 * `npm run proof` runs every service.
 */
import { describe, expect, test } from 'vitest'
import { DEFAULT_CHOICES, parseChoices } from '../src/sandbox/choices/choices.ts'
import { IS_WHOLE } from './_extent.ts'
import { BROKEN } from '../tools/proof/broken-clients.ts'
import { singles } from '../tools/proof/choice-sets.ts'
import { IMPOSSIBLE_AT_SIGN_IN } from '../tools/proof/expected.ts'
import { INVARIANTS, violatedBy, violationsOf } from '../tools/proof/invariants.ts'
import { runJourney } from '../tools/proof/run.ts'
import { shortfalls } from '../tools/proof/summary.ts'

test('the client keeps its promises at a service that chooses the defaults', async () => {
  for (const unaided of [false, true])
    expect(violationsOf(await runJourney(DEFAULT_CHOICES, { unaided }))).toEqual([])
})

test.each(
  IMPOSSIBLE_AT_SIGN_IN.flatMap(([key, values]) => Object.keys(values).map((value) => `${key}=${value}`)),
)('the sign-in ends as expected if the service chooses %s', async (name) => {
  const { choices } = singles().find((one) => one.name === name) ?? { choices: DEFAULT_CHOICES }
  const recording = await runJourney(choices)
  const first = recording.outcomes.find(({ step }) => step === 'sign-in')
  expect(first?.outcome).toContain(`because ${name}`)
  expect(violationsOf(recording)).toEqual([])
})

test('a proof fails if its journeys lack a step', async () => {
  const { outcomes } = await runJourney(DEFAULT_CHOICES)
  const ended = (remaining: typeof outcomes) => [
    { name: 'default', choices: DEFAULT_CHOICES, outcomes: remaining },
  ]
  const complete = shortfalls(ended(outcomes))
  for (const step of ['minute used up', 'grant withdrawn', 'old cookie', 'replay', 'made-up code']) {
    const without = shortfalls(ended(outcomes.filter((one) => one.step !== step)))
    expect(without.filter((one) => !complete.includes(one)).every((one) => one.startsWith(step))).toBe(true)
    expect(without.length).toBeGreaterThan(complete.length)
  }
  expect(shortfalls(ended(outcomes), 2)).toContain('journeys: 1 of at least 2')
})

describe('a client that', () => {
  test.each(Object.entries(BROKEN).filter((_, at) => IS_WHOLE || at % 3 === 0))(
    '%s violates one invariant alone',
    async (_, { violates, choices = {}, unaided = false, breakage }) => {
      const options = { unaided, breakage }
      const recording = await runJourney(parseChoices(choices), options)
      expect(violatedBy(recording)).toEqual([violates])
    },
  )

  test('each invariant has a broken client', () => {
    const found = new Set(Object.values(BROKEN).map(({ violates }) => violates))
    expect([...found].toSorted()).toEqual(INVARIANTS.toSorted())
  })
})
