import type { Readings, StoredReading } from '../store.ts'
import type { Scope } from './database.ts'

/** More readings than a person enters in a month. */
const MOST_READINGS = 1000

type Row = Omit<StoredReading, 'monthWasReset'> & { monthWasReset: 0 | 1 }

export const readings = (scope: Scope): Readings => ({
  addReading: (organization, { id, count, readAtMs, inFlight, monthWasReset, owner }) =>
    scope.write(async (tx) => {
      const values = [id, organization, count, readAtMs, inFlight, monthWasReset ? 1 : 0, owner]
      await tx.run(ADD, values)
      await tx.changed(`organization ${organization}`)
    }),
  async listReadings(organization, sinceMs) {
    const rows = await scope.all<Row>(LIST, [organization, sinceMs, MOST_READINGS])
    return rows.map((row) => ({ ...row, monthWasReset: row.monthWasReset === 1 }))
  },
  removeReading: (organization, id, atMs) =>
    scope.write(async (tx) => {
      const isRemoved = (await tx.run(REMOVE, [atMs, organization, id])) === 1
      if (isRemoved) await tx.changed(`organization ${organization}`)
      return isRemoved
    }),
})

const LIST = `SELECT id, count, read_at_ms AS "readAtMs", in_flight AS "inFlight",
  month_was_reset AS "monthWasReset", owner
  FROM readings WHERE organization = $1 AND read_at_ms >= $2 AND removed_at_ms IS NULL
  ORDER BY read_at_ms DESC, nth DESC LIMIT $3`
const ADD = `
  INSERT INTO readings (id, organization, count, read_at_ms, in_flight, month_was_reset, owner, nth)
  VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT count(*) FROM readings WHERE organization = $2))`
const REMOVE = `UPDATE readings SET removed_at_ms = $1
  WHERE organization = $2 AND id = $3 AND removed_at_ms IS NULL`
