// The short form of each suite of `npm run stress`: real processes over one SQLite file, and every expectation holds.
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from './stress/process.ts'
import { Report } from './stress/report.ts'
import { SUITES } from './stress/stress.ts'

beforeAll(buildServer, 60_000)

test.each(Object.entries(SUITES))(
  'the short form of %s holds over real processes (5.4, 8.2, 8.3)',
  async (name, { run, short }) => {
    const lines: string[] = []
    const report = new Report(name, (line) => lines.push(line))
    await run(report, short)
    expect(report.failures.length === 0 ? [] : lines).toEqual([])
  },
  180_000,
)
