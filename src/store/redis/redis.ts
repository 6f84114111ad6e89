/** The store of many machines: a Redis server that any number of processes share. */
import { foldedBeforeMs } from '../../contract/ledger-fold.ts'
import { Connection } from './connection.ts'
import { FOLD } from './scripts/fold.ts'
import { Known } from './cache.ts'
import { counts, ledger, tokenCounts } from './ledger.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { notes } from './notes.ts'
import { Queue } from './queue.ts'
import { readings } from './readings.ts'
import { sessions } from './sessions.ts'
import { SHARED_SCRIPTS } from './scripts/leases.ts'
import { UPKEEP_SCRIPTS } from './scripts/maintenance.ts'
import { Watch } from './watch.ts'
import type { Store } from '../store.ts'

const HOUR_MS = 3_600_000
/** So a sweep ends, also of a store with millions of keys. */
const FOLDS_OF_A_SWEEP = 100

/**
 * Connects to a server, which is reached again by itself when it was lost.
 * @param url `redis://` or `rediss://`, with a user name, a password and the number of a database where there are any
 * @param onNotice is called with what the operator should know about the server
 * @throws Error that names the server and why it cannot be the store; never with the password
 */
export async function openRedis(url: string, onNotice: (notice: string) => void = () => {}): Promise<Store> {
  const known = new Known()
  const connection = new Connection(url, {
    onChange: (topics) => watch.call(topics),
    onAdopted: (run) => known.seen.restore(run),
    onNotice,
  })
  const watch = new Watch(() => connection.run(SHARED_SCRIPTS.readVersion))
  const writer = new LedgerWriter(connection, known)
  try {
    await connection.open()
  } catch (cause) {
    await connection.close()
    const reason = (cause as Error).message.replace(/\.$/, '')
    throw new Error(`The Redis server ${new URL(url).host} cannot be used: ${reason}.`, { cause })
  }
  return {
    ...sessions(connection),
    ...shared(connection),
    ...ledger(connection, writer),
    ...counts(connection, known),
    ...tokenCounts(connection),
    ...readings(connection),
    ...notes(connection, new Queue(), known.notes),
    async watch(topics, onChange) {
      return watch.add(topics, onChange)
    },
    readVersion: async () => Number(await connection.run(SHARED_SCRIPTS.readVersion)),
    async sweep(nowMs) {
      while ((await connection.run(UPKEEP_SCRIPTS.sweep, nowMs, nowMs - HOUR_MS)) !== 0);
      for (let step = 0; step < FOLDS_OF_A_SWEEP; step += 1)
        if ((await connection.run(FOLD, foldedBeforeMs(nowMs))) === 0) return
    },
    async close() {
      watch.stop()
      await writer.finish()
      await connection.close()
    },
  }
}

type Part<Name extends keyof Store> = Pick<Store, Name>

const shared = (
  connection: Connection,
): Part<'claim' | 'acquireLease' | 'renewLease' | 'releaseLease' | 'addToCounter' | 'removeCounter'> => {
  const { run } = connection
  return {
    async claim(name, nowMs, lapsesAtMs) {
      return (await run(SHARED_SCRIPTS.claim, name, nowMs, lapsesAtMs)) === 1
    },
    async acquireLease(name, nowMs, lapsesAtMs) {
      const fence = Number(await run(SHARED_SCRIPTS.acquireLease, name, nowMs, lapsesAtMs))
      connection.sawFence(fence)
      return fence === 0 ? undefined : fence
    },
    async renewLease(name, fence, lapsesAtMs) {
      return (await run(SHARED_SCRIPTS.renewLease, name, fence, lapsesAtMs)) === 1
    },
    async releaseLease(name, fence) {
      await run(SHARED_SCRIPTS.releaseLease, name, fence)
    },
    async addToCounter(name, by, nowMs, lapsesAtMs) {
      const [count, lapses] = (await run(SHARED_SCRIPTS.addToCounter, name, by, nowMs, lapsesAtMs)) as [
        number,
        string,
      ]
      return { count, lapsesAtMs: Number(lapses) }
    },
    async removeCounter(name) {
      await run(SHARED_SCRIPTS.removeCounter, name)
    },
  }
}
