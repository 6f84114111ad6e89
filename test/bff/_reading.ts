/** A reading as it is stored. */
import type { StoredReading } from '../../src/store/store.ts'

export const reading = (
  count: number,
  readAtMs: number,
  others: Partial<StoredReading> = {},
): StoredReading => ({
  id: `${count} ${readAtMs}`,
  count,
  readAtMs,
  inFlight: 0,
  monthWasReset: false,
  owner: 'a',
  ...others,
})
