// The short form of each suite of `npm run stress`: real processes over one database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres } from './store/_postgres-server.ts'
import { endStore, STORES, useStore } from '../tools/stress/database.ts'
import { buildServer } from '../tools/stress/process.ts'
import { Report } from '../tools/stress/report.ts'
import { readCommand, shortOver, suitesOver } from '../tools/stress/stress.ts'
import { IS_WHOLE } from './_extent.ts'

beforeAll(buildServer)
afterAll(endStore)

// The run reports that PostgreSQL is missing.
const stores = STORES.filter((store) => store === 'sqlite' || (IS_WHOLE && findPostgres() !== undefined))
/** The others need minutes; test/orders, test/proof, test/store and test/browser show most of it sooner. */
const IN_EACH_RUN = ['kills', 'store']

describe.each(stores)('over %s', (store) => {
  beforeAll(() => useStore(store))

  const shortForms = suitesOver(store).flatMap(([name, suite]) => {
    const rounds = IS_WHOLE || IN_EACH_RUN.includes(name) ? shortOver(store, suite) : undefined
    return rounds === undefined ? [] : [[name, { ...suite, rounds }] as const]
  })
  /** @returns its lines if an expectation did not hold, otherwise none */
  const play = async (...[name, { run, rounds }]: (typeof shortForms)[0]): Promise<string[]> => {
    const lines: string[] = []
    const report = new Report(name, (line) => lines.push(line))
    await run(report, rounds)
    return report.failures.length === 0 ? [] : lines
  }
  test.each(shortForms.filter(([, { waits }]) => !waits))(
    'the short form of %s holds over real processes (5.4, 8.2, 8.3)',
    async (...form) => expect(await play(...form)).toEqual([]),
  )
  test.concurrent.each(shortForms.filter(([, { waits }]) => waits))(
    'the short form of %s, beside others, holds over real processes (5.4, 8.2, 8.3)',
    async (...form) => expect(await play(...form)).toEqual([]),
  )
})

test('the command line of the stress suites is read, and an error is refused in one sentence', () => {
  expect(readCommand([])).toEqual({ kind: 'sqlite', suites: [], rounds: undefined, isHelp: false })
  expect(readCommand(['crash', '--store', 'postgres', '--rounds', '3'])).toMatchObject({
    kind: 'postgres',
    suites: ['crash'],
    rounds: 3,
  })
  expect(readCommand(['-h']).isHelp).toBe(true)
  expect(() => readCommand(['--rouds', '3'])).toThrow(/^Unknown option '--rouds'\. --help lists the flags\.$/)
  for (const rounds of ['0', 'x', '1.5'])
    expect(() => readCommand(['--rounds', rounds])).toThrow('--rounds is a whole number above 0')
  expect(() => readCommand(['--store', 'mysql'])).toThrow('There is no store mysql')
  expect(() => readCommand(['power-los'])).toThrow('There is no suite power-los over sqlite')
})
