import { describe, expect, test } from 'vitest'
import { findRedisServer, startRedis } from '../../_redis-server.ts'

describe.skipIf(findRedisServer() === undefined)('a script', () => {
  test('has the digest by which Redis knows it', async () => {
    const { script } = await import('../../../../src/store/redis/scripts/lua.ts')
    const server = await startRedis()
    const { text, sha1 } = script('return finish(version)')
    expect(await server.send('SCRIPT', 'LOAD', text)).toBe(sha1)
    await server.remove()
  })
})
