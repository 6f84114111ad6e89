/** The promises of the client at every service that differs from the default in one choice, and that broken clients are found out. */
import { describe, expect, test } from 'vitest'
import { CHOICES, parseChoices } from '../src/sandbox/choices/choices.ts'
import { BROKEN } from './proof/broken-clients.ts'
import { singles } from './proof/choice-sets.ts'
import { INVARIANTS, violatedBy, violationsOf } from './proof/invariants.ts'
import { runJourney } from './proof/run.ts'
import { isUnaided } from './proof/unaided.ts'

const PATIENCE_MS = 120_000

test.each(Object.keys(CHOICES))(
  'the client keeps its promises whatever the service chooses for %s (service-choices)',
  async (key) => {
    for (const named of singles().filter(({ name }) => name.startsWith(`${key}=`))) {
      const recording = await runJourney(named.choices, { unaided: isUnaided(named) })
      expect({ [named.name]: violationsOf(recording) }).toEqual({ [named.name]: [] })
    }
  },
  PATIENCE_MS,
)

describe('a client that', () => {
  test.each(Object.entries(BROKEN))(
    '%s is found out by one invariant alone',
    async (_, { violates, choices = {}, unaided = false, breakage }) => {
      const options = { unaided, breakage }
      const recording = await runJourney(parseChoices(choices), options)
      expect(violatedBy(recording)).toEqual([violates])
    },
    PATIENCE_MS,
  )

  test('each invariant has a broken client', () => {
    const found = new Set(Object.values(BROKEN).map(({ violates }) => violates))
    expect([...found].toSorted()).toEqual(INVARIANTS.toSorted())
  })
})
