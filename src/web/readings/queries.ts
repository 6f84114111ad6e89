/** Asks for the readings of the month, and changes them: all of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { parseReading, parseReadings, type ReadingRequest } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson, unlessGone } from '../lib/api.ts'

/** Asked for each time the panel is opened: others of the organization enter readings too. */
export const readingsQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['readings', id],
    queryFn: async () => parseReadings(await requestJson(BFF.readings)),
    gcTime: 0,
  })

export async function postReading(body: ReadingRequest): Promise<void> {
  parseReading(await requestJson(BFF.readings, { method: 'POST', body }))
}

/** Removes a reading; one that is gone already is no failure. */
export async function deleteReading(id: string): Promise<void> {
  await requestJson(`${BFF.readings}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessGone)
}
