// Which tests of the bff run over Redis too: those of what several requests, processes and machines do to sessions and quota.
import { readdirSync } from 'node:fs'
import { findRedisServer } from '../store/_redis-server.ts'

const TESTS = 'test/bff'
/** `npm run test:redis`; `npm test` takes the races, and has all of them over SQLite. */
const IS_WHOLE = process.env['REDIS_TESTS'] === 'whole'
const IN_EACH_RUN = ['rate-limit-admission', 'replace-tokens', 'shared-read']

/** None where there is no Redis: test/store/redis-missing.test.ts reports it. */
export function redisTests(): string[] {
  if (findRedisServer() === undefined) return []
  const names = IS_WHOLE ? readdirSync(TESTS) : IN_EACH_RUN.map((name) => `${name}.test.ts`)
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${TESTS}/${name}`)
}
