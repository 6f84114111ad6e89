import type { SqliteDatabase } from './database.ts'
import type { Statements } from './statements.ts'
import type { Readings, StoredReading } from '../store.ts'

/** More readings than a person enters in a month. */
const MOST_READINGS = 1000

export const readings = (db: SqliteDatabase, sql: Statements): Readings => ({
  addReading: (organization, { id, count, readAtMs, inFlight, monthWasReset, owner }) =>
    db.write(() => {
      sql.addReading.run(id, organization, count, readAtMs, inFlight, monthWasReset ? 1 : 0, owner)
      db.forget()
    }),
  async listReadings(organization, sinceMs) {
    return readReadings(sql, organization, sinceMs, MOST_READINGS)
  },
  removeReading: (organization, id, atMs) =>
    db.write(() => {
      db.forget()
      return sql.removeReading.run(atMs, organization, id) === 1
    }),
})

/** The readings that were read from an instant on, the latest first. */
export const readReadings = (
  sql: Pick<Statements, 'listReadings'>,
  organization: string,
  sinceMs: number,
  most: number,
): StoredReading[] =>
  sql.listReadings
    .all<Omit<StoredReading, 'monthWasReset'> & { monthWasReset: 0 | 1 }>(organization, sinceMs, most)
    .map((row) => ({ ...row, monthWasReset: row.monthWasReset === 1 }))
