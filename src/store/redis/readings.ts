import type { Connection } from './connection.ts'
import { LEDGER_SCRIPTS } from './scripts/ledger.ts'
import type { Readings, StoredReading } from '../store.ts'

/** More readings than a person enters in a month. */
const MOST_READINGS = 1000

export type ReadingRow = [
  id: string,
  count: string,
  readAtMs: string,
  inFlight: string,
  monthWasReset: string,
  owner: string,
]

export const readingOf = ([
  id,
  count,
  readAtMs,
  inFlight,
  monthWasReset,
  owner,
]: ReadingRow): StoredReading => ({
  id,
  count: Number(count),
  readAtMs: Number(readAtMs),
  inFlight: Number(inFlight),
  monthWasReset: monthWasReset === '1',
  owner,
})

export const readings = ({ run }: Connection): Readings => ({
  async addReading(organization, { id, count, readAtMs, inFlight, monthWasReset, owner }) {
    const reset = monthWasReset ? 1 : 0
    await run(LEDGER_SCRIPTS.addReading, organization, id, count, readAtMs, inFlight, reset, owner)
  },
  async listReadings(organization, sinceMs) {
    const rows = await run(LEDGER_SCRIPTS.listReadings, organization, sinceMs, MOST_READINGS)
    return (rows as ReadingRow[]).map(readingOf)
  },
  async removeReading(organization, id, atMs) {
    return (await run(LEDGER_SCRIPTS.removeReading, organization, id, atMs)) === 1
  },
})
