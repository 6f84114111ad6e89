/** The promises of the client at every service that differs from the default in one choice, and that broken clients are found out. */
import { describe, expect, test } from 'vitest'
import { CHOICES, DEFAULT_CHOICES } from '../src/sandbox/choices/choices.ts'
import { BROKEN } from './proof/broken-clients.ts'
import { INVARIANTS, violationsOf } from './proof/invariants.ts'
import { runJourney } from './proof/run.ts'
import { singles } from './proof/choice-sets.ts'
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
    '%s is found out',
    async (_, { breaks, by }) => {
      const recording = await runJourney(DEFAULT_CHOICES, { unaided: true, breakClient: by })
      expect(INVARIANTS[breaks](recording)).not.toEqual([])
    },
    PATIENCE_MS,
  )
})
