/** Removes what has ended, and old rows of the ledger, whose days keep their counts. */
import { DAY_MS, HOUR_MS } from '../../contract/duration.ts'
import type { Database } from './database.ts'
import { isUnproven } from './schema.ts'

/** Rows that one transaction removes: other writers wait for it. */
const ROWS_OF_A_STEP = 500
/** Limits a sweep to 10,000 rows. */
const STEPS_OF_A_SWEEP = 20
/** More topics than change between two looks of a watcher. */
const TOPICS_KEPT = 10_000

/** Longer than this month and the two before it, in every zone: 92 days. */
const ROWS_KEPT_MS = 94 * DAY_MS

/** The start of a day of UTC. What is before it is read by whole days alone. */
export const foldedBeforeMs = (nowMs: number): number => Math.floor((nowMs - ROWS_KEPT_MS) / DAY_MS) * DAY_MS

const lapsed = (table: string, column = 'lapses_at_ms') => `DELETE FROM ${table} WHERE ${column} <= $1`

/** Free once they lapse, whatever the service's time is. */
const FREE = lapsed('counters')
const ENDED = [
  lapsed('sessions', 'ends_at_ms'),
  lapsed('watch_links', 'ends_at_ms'),
  lapsed('notes'),
  lapsed('attributions'),
]
/** Beyond a hundred thousand sessions, PostgreSQL needs hours for the same with `NOT IN`. */
const WITHOUT_SESSION = [
  'DELETE FROM grants WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE grant_id = grants.id)',
  'DELETE FROM copies WHERE NOT EXISTS (SELECT 1 FROM grants WHERE id = copies.grant_id)',
]
/** Whole days, so that sweeps of two processes at once do the same. A sign-in may go on for an hour. */
const UNPROVEN_DAYS = [
  `DELETE FROM requests WHERE ${isUnproven('organization')} AND at_ms < $1`,
  `DELETE FROM day_counts WHERE ${isUnproven('organization')} AND day_ms < $1`,
]
const OLD_TOPICS = `DELETE FROM topics WHERE number <=
  (SELECT number FROM topics ORDER BY number DESC LIMIT 1 OFFSET ${TOPICS_KEPT})`
const FOLD = `DELETE FROM requests WHERE id IN (SELECT id FROM requests
  WHERE at_ms < $1 AND NOT ${isUnproven('organization')} ORDER BY at_ms LIMIT ${ROWS_OF_A_STEP})`

export async function sweep(db: Database, nowMs: number, datedMs = nowMs): Promise<void> {
  const endedMs = Math.min(nowMs, datedMs)
  const dayMs = Math.floor((endedMs - HOUR_MS) / DAY_MS) * DAY_MS
  await db.write(async (tx) => {
    await tx.run(FREE, [nowMs])
    for (const sql of ENDED) await tx.run(sql, [endedMs])
    for (const sql of WITHOUT_SESSION) await tx.run(sql)
    for (const sql of UNPROVEN_DAYS) await tx.run(sql, [dayMs])
    await tx.run(OLD_TOPICS)
  })
  const beforeMs = foldedBeforeMs(endedMs)
  for (let step = 0; step < STEPS_OF_A_SWEEP; step += 1) {
    const removed = await db.write((tx) => tx.run(FOLD, [beforeMs]))
    if (removed < ROWS_OF_A_STEP) return
  }
}
