/** Reads and changes the readings of the month. All of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { parseReading, parseReadings, type ReadingRequest } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson, unlessGone } from '../lib/api.ts'

/** Asked each time the panel opens, because others of the organization enter readings too. */
export const readingsQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['readings', id],
    queryFn: async () => parseReadings(await requestJson(BFF.readings)),
    gcTime: 0,
  })

export async function postReading(body: ReadingRequest): Promise<void> {
  parseReading(await requestJson(BFF.readings, { method: 'POST', body }))
}

/** Removing one that no longer exists is not an error. */
export async function deleteReading(id: string): Promise<void> {
  await requestJson(`${BFF.readings}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessGone)
}
