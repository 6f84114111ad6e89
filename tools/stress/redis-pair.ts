/**
 * A Redis primary and replica behind one address that leads to the primary, as a proxy does (docs/redis.md).
 */
import { type RedisServer, startRedis } from '../../test/store/_redis-server.ts'
import { until } from '../../test/kit/until.ts'
import { openForward } from './tcp-forward.ts'

const HOST = '127.0.0.1'

export interface RedisPair {
  /** The value of PLIMSOLL_STORE. */
  url: string
  primary: () => RedisServer
  /** Makes the replica the primary, and moves the address to it. */
  failOver: () => Promise<void>
  /** Waits until the replica is up to date. */
  synced: () => Promise<void>
  remove: () => Promise<void>
}

export async function startRedisPair(): Promise<RedisPair> {
  let [primary, replica] = [await startRedis(), await startRedis()]
  const servers = [primary, replica]
  // The exit of this process ends the servers.
  process.once('exit', () => {
    for (const server of servers) server.signal('SIGKILL')
  })
  await replica.send('REPLICAOF', HOST, `${primary.port}`)
  const forward = await openForward(`http://${HOST}:${primary.port}`)
  const stateOf = async (server: RedisServer) => String(await server.send('INFO', 'replication'))
  const synced = () => until(async () => (await stateOf(replica)).includes('master_link_status:up'))
  await synced()
  return {
    url: `${forward.url.replace('http', 'redis')}/0`,
    primary: () => primary,
    async failOver() {
      // It waits for the replica, and accepts no further write.
      await primary.send('FAILOVER', 'TO', HOST, `${replica.port}`)
      ;[primary, replica] = [replica, primary]
      await until(async () => (await stateOf(primary)).includes('role:master'))
      await forward.refuse()
      forward.to(`http://${HOST}:${primary.port}`)
      await forward.accept()
    },
    synced,
    async remove() {
      await forward.close()
      for (const server of servers) await server.remove()
    },
  }
}
