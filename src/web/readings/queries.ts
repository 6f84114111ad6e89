/** Reads and changes the readings of the month. All of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { parseReading, parseReadings, type Reading, type ReadingRequest } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson, unlessGone } from '../lib/api.ts'

/** Not kept, because others of the organization enter readings too. */
export const readingsQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['readings', id],
    queryFn: getReadings,
    gcTime: 0,
  })

/** The latest first. */
export const getReadings = async (): Promise<Reading[]> =>
  parseReadings(await requestJson(BFF.readings)).readings

export const postReading = async (body: ReadingRequest): Promise<Reading> =>
  parseReading(await requestJson(BFF.readings, { method: 'POST', body }))

/** Removing one that no longer exists is not an error. */
export async function deleteReading(id: string): Promise<void> {
  await requestJson(`${BFF.readings}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessGone)
}
