/** The store over a database: every statement is here once, for SQLite and PostgreSQL. */
import type { Store, Tables } from '../store.ts'
import { ledgerCounts } from './counts.ts'
import type { Change, Database, Dialect, Scope } from './database.ts'
import { ledger, readings } from './ledger.ts'
import { links } from './links.ts'
import { notes } from './notes.ts'
import { copies, grants, sessions } from './sessions.ts'
import { sweep } from './sweep.ts'
import { Watch } from './watch.ts'

export function createStore(db: Database): Store {
  const watch = new Watch(db)
  return {
    ...tablesIn(watch),
    transaction: (work) => watch.write((tx) => work(tablesIn(scopeOf(tx, db.dialect)))),
    watch: (topics, onChange) => watch.add(topics, onChange),
    readVersion: () => watch.readVersion(),
    readEpoch: () => watch.readEpoch(),
    renewEpoch: () => watch.renewEpoch(),
    sweep: (nowMs, datedMs) => sweep(db, nowMs, datedMs),
    close() {
      watch.stop()
      return db.close()
    },
  }
}

const tablesIn = (scope: Scope): Tables => ({
  ...sessions(scope),
  ...grants(scope),
  ...copies(scope),
  ...ledger(scope),
  ...ledgerCounts(scope),
  ...readings(scope),
  ...links(scope),
  ...notes(scope),
  lock: (name) => scope.write((tx) => tx.lock(name)),
  async readClock(ownMs) {
    if (scope.dialect === 'sqlite') return ownMs
    const [{ atMs }] = (await scope.all<{ atMs: number }>(CLOCK)) as [{ atMs: number }]
    return atMs
  },
})

const CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "atMs"'

const scopeOf = (tx: Change, dialect: Dialect): Scope => ({
  dialect,
  all: (sql, values) => tx.all(sql, values),
  write: (work) => work(tx),
})
