import type { SqliteDatabase } from './database.ts'
import type { Statements } from './statements.ts'
import type { Counter, Counters, Leases } from '../store.ts'

/** All processes that hold a lease are on this machine: a power loss ends them too. */
const ENDS_WITH_MACHINE = { mayBeLost: true }

export const leases = (db: SqliteDatabase, sql: Statements): Leases => ({
  claim: (name, nowMs, lapsesAtMs) => db.write(() => sql.claim.run(name, lapsesAtMs, nowMs) === 1),
  acquireLease: (name, nowMs, lapsesAtMs) =>
    db.write(() => {
      const [{ newest }] = sql.nextFence.all() as [{ newest: number }]
      return sql.acquireLease.run(name, newest, lapsesAtMs, nowMs) === 1 ? newest : undefined
    }, ENDS_WITH_MACHINE),
  renewLease: (name, fence, lapsesAtMs) =>
    db.write(() => sql.renewLease.run(lapsesAtMs, name, fence) === 1, ENDS_WITH_MACHINE),
  releaseLease: (name, fence) => db.write(() => void sql.releaseLease.run(name, fence), ENDS_WITH_MACHINE),
})

export const counters = (db: SqliteDatabase, sql: Statements): Counters => ({
  addToCounter: (name, by, nowMs, lapsesAtMs) =>
    db.write(() => sql.addToCounter.all<Counter>(name, by, nowMs, lapsesAtMs)[0] as Counter),
  removeCounter: (name) => db.write(() => void sql.removeCounter.run(name)),
})
