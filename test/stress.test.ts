// The short form of each suite of `npm run stress`: real processes over one database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres } from './store/_postgres-server.ts'
import { endStore, STORES, useStore } from '../tools/stress/database.ts'
import { buildFaulty } from '../tools/stress/harness.ts'
import { Report } from '../tools/stress/report.ts'
import { readCommand, suitesOver } from '../tools/stress/stress.ts'
import { IS_WHOLE } from './_extent.ts'

beforeAll(buildFaulty)
afterAll(endStore)

// The run reports that PostgreSQL is missing.
const stores = STORES.filter((store) => store === 'sqlite' || (IS_WHOLE && findPostgres() !== undefined))
/** The others need minutes; test/orders, test/proof, test/store and test/browser show most of it sooner. */
const IN_EACH_RUN = ['kills']

describe.each(stores)('over %s', (store) => {
  beforeAll(() => useStore(store))

  const shortForms = suitesOver(store).filter(
    ([name, { short }]) => short !== undefined && (IS_WHOLE || IN_EACH_RUN.includes(name)),
  )
  test.each(shortForms)(
    'the short form of %s holds over real processes (5.4, 8.2, 8.3)',
    async (name, { run, short }) => {
      const lines: string[] = []
      const report = new Report(`${name} over ${store}`, (line) => lines.push(line))
      await run(report, short)
      expect(report.failures.length === 0 ? [] : lines).toEqual([])
    },
  )
})

test('the command line of the stress suites is read, and an error is refused in one sentence', () => {
  expect(readCommand([])).toEqual({ kind: 'sqlite', suites: [] })
  expect(readCommand(['crash', '--store', 'postgres', '--rounds', '3'])).toEqual({
    kind: 'postgres',
    suites: ['crash'],
    rounds: 3,
  })
  expect(() => readCommand(['--rouds', '3'])).toThrow("Unknown option '--rouds'")
  for (const rounds of ['0', 'x', '1.5'])
    expect(() => readCommand(['--rounds', rounds])).toThrow('--rounds is a whole number above 0')
  expect(() => readCommand(['--store', 'mysql'])).toThrow('There is no store mysql')
  expect(() => readCommand(['power-los'])).toThrow('There is no suite power-los over sqlite')
})
