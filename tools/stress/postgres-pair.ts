/** A PostgreSQL primary and its standby behind one address that leads to the primary, as a proxy does. */
import { type PostgresServer, startPostgres } from '../../test/store/_postgres-server.ts'
import { until } from '../../test/kit/until.ts'
import { openForward } from './tcp-forward.ts'

export interface PostgresPair {
  /** The value of PLIMSOLL_STORE. */
  url: string
  primary: () => PostgresServer
  /** Ends the primary, makes the standby the primary, and moves the address to it. */
  failOver: () => Promise<void>
  remove: () => Promise<void>
}

/** A primary acknowledges only what its standby has on the disk too, which soon follows after a restart. */
const TO_BOTH = ['-c', 'synchronous_standby_names=*', '-c', 'wal_retrieve_retry_interval=100ms']

export async function startPostgresPair(): Promise<PostgresPair> {
  let primary = await startPostgres(...TO_BOTH)
  let standby = await primary.standby()
  const servers = [primary, standby]
  // The exit of this process ends the servers.
  process.once('exit', () => {
    for (const server of servers) server.signal('SIGKILL')
  })
  const forward = await openForward(`http://127.0.0.1:${primary.port}`)
  return {
    url: `${forward.url.replace('http', 'postgres').replace('//', '//postgres@')}/postgres`,
    primary: () => primary,
    async failOver() {
      await primary.stop()
      await standby.send('SELECT pg_promote()')
      await until(async () => isPrimary(standby))
      await forward.refuse()
      forward.to(`http://127.0.0.1:${standby.port}`)
      await forward.accept()
      const next = await standby.standby()
      servers.push(next)
      ;[primary, standby] = [standby, next]
    },
    async remove() {
      await forward.close()
      for (const server of servers) await server.remove()
    },
  }
}

async function isPrimary(server: PostgresServer): Promise<boolean> {
  const [row] = (await server.send('SELECT pg_is_in_recovery() AS waits')) as [{ waits: boolean }]
  return !row.waits
}
