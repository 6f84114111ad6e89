// The bff's tests that also run over PostgreSQL: effects of several requests, processes and machines.
import { readdirSync } from 'node:fs'
import { IS_WHOLE } from '../_extent.ts'
import { findPostgres } from '../store/_postgres-server.ts'

const TESTS = 'test/bff'
/** The races of several machines, which run over nothing else. `npm test` runs all others only over SQLite. */
export const MANY_MACHINES = `${TESTS}/many-machines.test.ts`

/** None without a PostgreSQL, which the run reports. */
export function postgresTests(): string[] {
  if (findPostgres() === undefined) return []
  if (!IS_WHOLE) return [MANY_MACHINES]
  const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${TESTS}/${name}`)
}
