// The bff's tests that also run over PostgreSQL: effects of several requests, processes and machines.
import { readdirSync } from 'node:fs'
import { IS_WHOLE } from '../_extent.ts'
import { findPostgres } from '../store/_postgres-server.ts'

const TESTS = 'test/bff'
/** The races. `npm test` runs all others only over SQLite. */
const IN_EACH_RUN = ['limits/admission-races', 'token/refresh-run', 'read/shared-read']

/** None without a PostgreSQL, which the run reports. */
export function postgresTests(): string[] {
  if (findPostgres() === undefined) return []
  const names = IS_WHOLE
    ? readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    : IN_EACH_RUN.map((name) => `${name}.test.ts`)
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${TESTS}/${name}`)
}
