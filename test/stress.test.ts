// The short form of each suite of `npm run stress`: real processes over one database, and every expectation holds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedisServer } from './store/_redis-server.ts'
import { endStore, STORES, useStore } from './stress/database.ts'
import { buildServer } from './stress/process.ts'
import { Report } from './stress/report.ts'
import { shortOver, suitesOver } from './stress/stress.ts'

beforeAll(buildServer, 60_000)
afterAll(endStore)

// Without Redis test/store/redis-missing.test.ts reports that it is missing.
const stores = STORES.filter((store) => store === 'sqlite' || findRedisServer() !== undefined)

describe.each(stores)('over %s', (store) => {
  beforeAll(() => useStore(store))

  const suites = suitesOver(store).flatMap(([name, suite]) => {
    const rounds = shortOver(store, suite)
    return rounds === undefined ? [] : [[name, suite.run, rounds] as const]
  })
  test.each(suites)(
    'the short form of %s holds over real processes (5.4, 8.2, 8.3)',
    async (name, run, rounds) => {
      const lines: string[] = []
      const report = new Report(name, (line) => lines.push(line))
      await run(report, rounds)
      expect(report.failures.length === 0 ? [] : lines).toEqual([])
    },
    180_000,
  )
})
