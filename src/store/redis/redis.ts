/** The store of many machines: a Redis server that any number of processes share. */
import { HOUR_MS } from '../../contract/duration.ts'
import { foldedBeforeMs } from '../../contract/ledger-fold.ts'
import { Connection } from './connection.ts'
import { FOLD } from './scripts/fold.ts'
import { Cache } from './cache.ts'
import { counters, leases } from './leases.ts'
import { ledger, ledgerCounts } from './ledger.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { notes } from './notes.ts'
import { Queue } from './queue.ts'
import { readings } from './readings.ts'
import { sessions } from './sessions.ts'
import { READ_VERSION } from './scripts/lua.ts'
import { MAINTENANCE_SCRIPTS } from './scripts/maintenance.ts'
import { Watch } from './watch.ts'
import type { Store } from '../store.ts'

/** Limits a sweep of a store with millions of keys. */
const FOLDS_OF_A_SWEEP = 100

/**
 * @param url `redis://` or `rediss://`, optionally with user name, password and database number
 * @param onNotice is called with a sentence for the operator
 * @throws Error that names the server and the reason; never with the password
 */
export async function openRedis(url: string, onNotice: (notice: string) => void = () => {}): Promise<Store> {
  const cache = new Cache()
  const connection = new Connection(url, {
    onChange: (topics) => watch.call(topics),
    onAdopted: (run) => cache.restorable.restore(run),
    onNotice,
  })
  const watch = new Watch(() => connection.run(READ_VERSION))
  const writer = new LedgerWriter(connection, cache)
  try {
    await connection.open()
  } catch (cause) {
    await connection.close()
    const reason = (cause as Error).message.replace(/\.$/, '')
    throw new Error(`The Redis server ${new URL(url).host} cannot be used: ${reason}.`, { cause })
  }
  return {
    ...sessions(connection),
    ...leases(connection),
    ...counters(connection),
    ...ledger(connection, writer),
    ...ledgerCounts(connection, cache),
    ...readings(connection),
    ...notes(connection, new Queue(), cache.notes),
    async watch(topics, onChange) {
      return watch.add(topics, onChange)
    },
    readVersion: async () => Number(await connection.run(READ_VERSION)),
    sweep: (nowMs, datedMs = nowMs) => sweep(connection, nowMs, Math.min(nowMs, datedMs)),
    async close() {
      watch.stop()
      await writer.finish()
      await connection.close()
    },
  }
}

async function sweep({ run }: Connection, nowMs: number, endedMs: number): Promise<void> {
  const instants = [nowMs, nowMs - HOUR_MS, endedMs, endedMs - HOUR_MS]
  while ((await run(MAINTENANCE_SCRIPTS.sweep, ...instants)) !== 0);
  for (let step = 0; step < FOLDS_OF_A_SWEEP; step += 1)
    if ((await run(FOLD, foldedBeforeMs(endedMs))) === 0) return
}
