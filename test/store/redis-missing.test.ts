import { expect, test } from 'vitest'
import { findRedisServer } from './_redis-server.ts'

test('every test of the store over Redis, which is missing: `apt-get install redis-server`, or set REDIS_SERVER to its path', ({
  skip,
}) => {
  skip(findRedisServer() === undefined)
  expect(findRedisServer()).toBeDefined()
})
