// Tests of a real cluster of two nodes, one of which has the keys.
import { afterAll, describe, expect, test } from 'vitest'
import { nodeOfKeys, nodesOf, urlAt } from '../../../src/store/redis/cluster.ts'
import { openRedis } from '../../../src/store/redis/redis.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry, session } from '../../kit/stores.ts'
import { freePort } from '../../kit/app-process.ts'
import { findRedisServer, type RedisServer, startRedis } from '../_redis-server.ts'

test.each([
  ['redis://u:p@one:1/0', 'two:2', 'redis://u:p@two:2/0'],
  ['rediss://one', '10.0.0.1:6380', 'rediss://10.0.0.1:6380'],
  ['redis://one:1', ':2', 'redis://one:2'],
  ['redis://one:1', '::1:6379', 'redis://[::1]:6379'],
  ['redis://one:1', '[::1]:6379', 'redis://[::1]:6379'],
])('%s at %s is %s', (url, address, expected) => {
  expect(urlAt(url, address)).toBe(expected)
})

test.each(['LOADING the data set', 'ERR MOVED 1 one:2', 'MOVED 1 one:2 and more', 'MOVED 1 one'])(
  'an answer such as %s names no other node',
  async (message) => {
    await expect(nodeOfKeys(() => Promise.reject(new Error(message)))).rejects.toThrow(message)
  },
)

test('the nodes of a cluster are those whose address is known; a server that does not report them has none', async () => {
  const lines = [
    'a1 10.0.0.1:6379@16379,one.example myself,master - 0 0 1 connected 0-5460',
    'b2 ::1:6380@16380 slave a1 0 0 1 connected',
    'c3 :6381@16381 handshake - 0 0 0 disconnected',
    'd4 :0@0 master,noaddr - 0 0 0 disconnected',
    '',
  ]
  expect(await nodesOf(() => Promise.resolve(lines.join('\n')))).toEqual(['10.0.0.1:6379', '::1:6380'])
  expect(await nodesOf(() => Promise.reject(new Error('ERR cluster support disabled')))).toEqual([])
})

describe.skipIf(findRedisServer() === undefined)('a cluster', () => {
  let nodes: [RedisServer, RedisServer]
  let store: Store
  const join = async () => {
    const busPorts = [await freePort(), await freePort()]
    const start = (nth: number) =>
      startRedis(
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        `${busPorts[nth]}`,
        '--cluster-node-timeout',
        '1000',
      )
    nodes = [await start(0), await start(1)]
    await nodes[1].send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await nodes[0].send('CLUSTER', 'MEET', '127.0.0.1', `${nodes[1].port}`, `${busPorts[1]}`)
    for (const node of nodes)
      await expect.poll(() => node.send('CLUSTER', 'INFO')).toMatch(/cluster_state:ok[\s\S]*known_nodes:2/)
  }
  afterAll(async () => {
    await store?.close()
    for (const node of nodes ?? []) await node.remove()
  })

  test('is reached by any of its nodes, and followed to the replica that takes over; nothing is lost', async () => {
    await join()
    store = await openRedis(nodes[0].url())
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    let calls = 0
    const admission = {
      notes: ['token x'],
      countedSinceMs: [0],
      inFlight: { token: 'print', kinds: [], sinceMs: 0 },
    }
    await store.watch(['organization 7'], () => (calls += 1))
    await store.reserve(entry('one'), { ...admission, decide: () => undefined })
    expect(await nodes[1].send('DBSIZE')).toBeGreaterThan(5)

    await nodes[0].send('CLUSTER', 'REPLICATE', String(await nodes[1].send('CLUSTER', 'MYID')))
    await expect.poll(() => nodes[0].send('INFO', 'replication')).toMatch(/master_link_status:up/)
    await expect.poll(() => nodes[0].send('DBSIZE')).toBe(await nodes[1].send('DBSIZE'))
    await nodes[0].send('CLUSTER', 'FAILOVER')
    await expect.poll(() => nodes[0].send('INFO', 'replication')).toMatch(/role:master/)
    await expect.poll(() => store.readSession('a').catch(() => 'refused')).toMatchObject({ version: 1 })
    await expect.poll(() => store.reserve(entry('two')).catch(() => 'refused')).toBeUndefined()
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 2 }])
    expect(calls).toBeGreaterThan(1)

    // The node that the cluster's answer names by its own address.
    await expect.poll(() => nodes[1].send('INFO', 'replication')).toMatch(/master_link_status:up/)
    await expect.poll(() => nodes[1].send('DBSIZE')).toBe(await nodes[0].send('DBSIZE'))
    await nodes[0].stop('SIGKILL')
    await expect(store.readVersion()).rejects.toMatchObject({ code: 'store_unavailable' })
    await nodes[1].send('CLUSTER', 'FAILOVER', 'TAKEOVER')
    await expect.poll(() => store.readSession('a').catch(() => 'refused')).toMatchObject({ version: 1 })
    await expect.poll(() => store.reserve(entry('three')).catch(() => 'refused')).toBeUndefined()
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 3 }])

    await store.sweep(Date.UTC(2026, 10, 22))
    expect(await store.listEntries('7', { sinceMs: 0, most: 9 })).toEqual([])
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 3 }])
  })
})
