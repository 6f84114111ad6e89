/** The store over a database: every statement is here once, for SQLite and PostgreSQL. */
import type { Store } from '../store.ts'
import { ledgerCounts } from './counts.ts'
import type { Database } from './database.ts'
import { counters, leases } from './leases.ts'
import { ledger } from './ledger.ts'
import { notes } from './notes.ts'
import { readings } from './readings.ts'
import { sessions } from './sessions.ts'
import { sweep } from './sweep.ts'
import { Watch } from './watch.ts'

export function createStore(db: Database): Store {
  const watch = new Watch(db)
  return {
    ...sessions(db, watch),
    ...leases(watch),
    ...counters(watch),
    ...ledger(db, watch),
    ...ledgerCounts(db),
    ...readings(db, watch),
    ...notes(db, watch),
    watch: (topics, onChange) => watch.add(topics, onChange),
    readVersion: () => watch.readVersion(),
    sweep: (nowMs, datedMs) => sweep(db, nowMs, datedMs),
    close() {
      watch.stop()
      return db.close()
    },
  }
}
