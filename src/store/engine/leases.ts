import type { Counter, Counters, Leases } from '../store.ts'
import type { Watch } from './watch.ts'

/** Takes a claim: also within the record of a request. */
export const CLAIM = `INSERT INTO claims (name, lapses_at_ms) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET lapses_at_ms = excluded.lapses_at_ms WHERE claims.lapses_at_ms <= $3`

const ACQUIRE = `INSERT INTO leases (name, fence, lapses_at_ms) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET fence = excluded.fence, lapses_at_ms = excluded.lapses_at_ms
  WHERE leases.lapses_at_ms <= $4`

const ADD = `INSERT INTO counters (name, count, lapses_at_ms) VALUES ($1, $2, $4)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN counters.lapses_at_ms <= $3 THEN 0 ELSE counters.count END + excluded.count,
    lapses_at_ms =
      CASE WHEN counters.lapses_at_ms <= $3 THEN excluded.lapses_at_ms ELSE counters.lapses_at_ms END
  RETURNING count, lapses_at_ms AS "lapsesAtMs"`

export const leases = (watch: Watch): Leases => ({
  claim: (name, nowMs, lapsesAtMs) =>
    watch.write(async (tx) => (await tx.run(CLAIM, [name, lapsesAtMs, nowMs])) === 1),
  acquireLease: (name, nowMs, lapsesAtMs) =>
    watch.write(async (tx) => {
      // A topic that nobody watches: its changes are numbered.
      const fence = await tx.changed('service leases')
      return (await tx.run(ACQUIRE, [name, fence, lapsesAtMs, nowMs])) === 1 ? fence : undefined
    }),
  renewLease: (name, fence, lapsesAtMs) =>
    watch.write(
      async (tx) =>
        (await tx.run('UPDATE leases SET lapses_at_ms = $1 WHERE name = $2 AND fence = $3', [
          lapsesAtMs,
          name,
          fence,
        ])) === 1,
    ),
  releaseLease: (name, fence) =>
    watch.write(async (tx) => {
      await tx.run('DELETE FROM leases WHERE name = $1 AND fence = $2', [name, fence])
    }),
})

export const counters = (watch: Watch): Counters => ({
  addToCounter: (name, by, nowMs, lapsesAtMs) =>
    watch.write(async (tx) => {
      const [counter] = (await tx.all<Counter>(ADD, [name, by, nowMs, lapsesAtMs])) as [Counter]
      return counter
    }),
  removeCounter: (name) =>
    watch.write(async (tx) => {
      await tx.run('DELETE FROM counters WHERE name = $1', [name])
    }),
})
