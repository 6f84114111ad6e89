/** Removes what has ended, and folds old rows of the ledger. */
import { HOUR_MS } from '../../contract/duration.ts'
import { foldedBeforeMs } from '../../contract/ledger-fold.ts'
import type { SqliteDatabase } from './database.ts'
import type { Sweeps } from './statements.ts'

/** Rows that one commit folds. Other writers wait for the lock that long. */
const ROWS_OF_A_STEP = 500
/** Limits a sweep to 10,000 rows every ten minutes. */
const STEPS_OF_A_SWEEP = 20

export async function sweep(
  db: SqliteDatabase,
  sweeps: Sweeps,
  nowMs: number,
  datedMs = nowMs,
): Promise<void> {
  const endedMs = Math.min(nowMs, datedMs)
  await db.write(() => {
    for (const lapsed of sweeps.lapsed) lapsed.run(nowMs)
    sweeps.lapsedLeases.run(nowMs - HOUR_MS)
    for (const ended of sweeps.ended) ended.run(endedMs)
    for (const ended of sweeps.longEnded) ended.run(endedMs - HOUR_MS)
    sweeps.surplus.run()
    db.forget()
  })
  const beforeMs = foldedBeforeMs(endedMs)
  const fold = () => {
    sweeps.fold.run(beforeMs)
    return sweeps.removeFolded.run(beforeMs, ROWS_OF_A_STEP)
  }
  for (let step = 0; step < STEPS_OF_A_SWEEP; step += 1) if ((await db.write(fold)) < ROWS_OF_A_STEP) return
}
