/** The store of one machine: a SQLite file that several processes may share. */
import { openDatabase } from './database.ts'
import { Counts } from './counts.ts'
import type { EventLoop } from './iteration-flag.ts'
import { InFlight } from './in-flight.ts'
import { counters, leases } from './leases.ts'
import { ledger, ledgerCounts } from './ledger.ts'
import { NoteReader, notes } from './notes.ts'
import { readings } from './readings.ts'
import { sessions } from './sessions.ts'
import { prepareStatements, prepareSweeps } from './statements.ts'
import { sweep } from './sweep.ts'
import { readVersion, Watch } from './watch.ts'
import type { Store } from '../store.ts'

/**
 * Opens or creates the file, readable by its owner only. `:memory:` needs none.
 * @param loop absent: that of this process
 * @throws Error that names the file if it is no database, is damaged or too new, or cannot be opened
 */
export function openSqlite(path: string, loop?: EventLoop): Store {
  const db = openDatabase(path, () => watch.look(), loop)
  const sql = prepareStatements(db)
  const sweeps = prepareSweeps(db)
  const watch = new Watch(sql)
  const noteReader = new NoteReader(sql, db.generation)
  const counted = new Counts(db, sql)
  const inFlight = new InFlight(db, sql)
  return {
    ...sessions(db, sql),
    ...leases(db, sql),
    ...counters(db, sql),
    ...ledger(db, sql, { noteReader, counted, inFlight }),
    ...ledgerCounts(sql, counted, inFlight),
    ...readings(db, sql),
    ...notes(db, sql, noteReader),
    async watch(topics, onChange) {
      return watch.add(topics, onChange)
    },
    async readVersion() {
      return readVersion(sql)
    },
    sweep: (nowMs, datedMs) => sweep(db, sweeps, nowMs, datedMs),
    close() {
      watch.stop()
      return db.close()
    },
  }
}
