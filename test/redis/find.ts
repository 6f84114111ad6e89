// The bff's tests that also run over Redis: effects of several requests, processes and machines.
import { readdirSync } from 'node:fs'
import { IS_WHOLE } from '../_extent.ts'
import { findRedisServer } from '../store/_redis-server.ts'

const TESTS = 'test/bff'
/** The races. `npm test` runs all others only over SQLite. */
const IN_EACH_RUN = ['limits/admission-races', 'token/refresh-run', 'read/shared-read']

/** None without a Redis, which the run reports. */
export function redisTests(): string[] {
  if (findRedisServer() === undefined) return []
  const names = IS_WHOLE
    ? readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    : IN_EACH_RUN.map((name) => `${name}.test.ts`)
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${TESTS}/${name}`)
}
