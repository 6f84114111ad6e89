import { afterEach, describe, expect, test } from 'vitest'
import { checkServer } from '../../../src/store/redis/check.ts'
import { openRedis } from '../../../src/store/redis/redis.ts'
import { server } from '../_redis.ts'
import { findRedisServer } from '../_redis-server.ts'

async function noticesOf(url = server.url()): Promise<string[]> {
  const notices: string[] = []
  const store = await openRedis(url, (notice) => void notices.push(notice))
  await store.close()
  return notices
}
const matching = (notice: RegExp) => [expect.stringMatching(notice)]
const refusalOf = async (url: string): Promise<string> => {
  const error = (await openRedis(url).catch((error: unknown) => error)) as Error
  expect([error, error.cause]).toEqual([expect.any(Error), expect.any(Error)])
  return error.message
}

describe.skipIf(findRedisServer() === undefined)('a Redis server', () => {
  afterEach(async () => {
    for (const [name, value] of [
      ['maxmemory', '0'],
      ['maxmemory-policy', 'noeviction'],
      ['appendonly', 'yes'],
      ['appendfsync', 'always'],
    ] as const)
      await server.send('CONFIG', 'SET', name, value)
    await server.send('REPLICAOF', 'NO', 'ONE')
    await server.send('ACL', 'DELUSER', 'app')
  })
  const set = (name: string, value: string) => server.send('CONFIG', 'SET', name, value)

  test('that may remove keys when it is full is refused with the reason', async () => {
    await set('maxmemory-policy', 'allkeys-lru')
    expect(await noticesOf()).toEqual([])
    await set('maxmemory', '100mb')
    expect(await refusalOf(server.url())).toBe(
      `The Redis server 127.0.0.1:${server.port} cannot be used: its maxmemory-policy is allkeys-lru, which would remove sessions and counted requests: set it to noeviction.`,
    )
    await set('maxmemory-policy', 'noeviction')
    expect(await noticesOf()).toEqual([])
  })

  test('that is a replica is refused', async () => {
    await server.send('REPLICAOF', '127.0.0.1', '1')
    expect(await refusalOf(server.url())).toMatch(
      /cannot be used: it is a read-only replica: name the primary\.$/,
    )
  })

  test.each([
    ['appendonly', 'no', /^Redis has appendonly off: .*last snapshot/],
    ['appendfsync', 'everysec', /^Redis has appendfsync everysec: .*two seconds/],
    ['appendfsync', 'no', /^Redis has appendfsync no: .*half a minute/],
  ])('with %s %s is used, with one line about the cost of a power loss', async (name, value, notice) => {
    await set(name, value)
    expect(await noticesOf()).toEqual(matching(notice))
    expect(await noticesOf()).toEqual(matching(/^[^\n]* Set appendonly yes and appendfsync always\.$/))
  })

  test('that does not show its settings is used, and the line says so', async () => {
    await server.send('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all', '-config')
    expect(await noticesOf(server.url().replace('//', '//app:secret@'))).toEqual(
      matching(/^Redis does not show its appendfsync/),
    )
  })

  test('with a wrong address, password or protocol is refused in one line without the password', async () => {
    await server.send('ACL', 'SETUSER', 'app', 'on', '>other', '~*', '&*', '+@all')
    for (const [url, reason] of [
      ['redis://app:top-secret@127.0.0.1:1/0', /ECONNREFUSED 127\.0\.0\.1:1\.$/],
      [server.url().replace('//', '//app:top-secret@'), /WRONGPASS .* disabled\.$/],
      [server.url().replace('redis:', 'rediss:').replace('//', '//app:top-secret@'), /./],
      [`${server.url().replace('//', '//app:top-secret@')}x`, /./],
    ] as const) {
      const refusal = await refusalOf(url)
      expect(refusal).toMatch(/^The Redis server 127\.0\.0\.1:\d+ cannot be used: .+\.$/)
      expect(refusal).toMatch(reason)
      expect(refusal).not.toContain('top-secret')
    }
  })
})

const infoOf = (version: string) => (name?: string) =>
  Promise.resolve(
    name === 'INFO'
      ? `redis_version:${version}\r\nrole:master\r\naof_enabled:1\r\n`
      : { appendfsync: 'always' },
  )

test.each(['6.0.16', '5.0.14', '2.8.0'])('version %s is too old', async (version) => {
  await expect(checkServer(infoOf(version))).rejects.toThrow(
    `Redis ${version} is too old: at least 6.2 is needed`,
  )
})

test.each(['6.2.0', '7.0.15', '8.2.1', '10.0.0'])('version %s is new enough', async (version) => {
  expect(await checkServer(infoOf(version))).toBe('')
})

test('a server that does not state its version is too old', async () => {
  await expect(checkServer(() => Promise.resolve('role:master\r\n'))).rejects.toThrow(/ is too old: /)
})
