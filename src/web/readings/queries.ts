/** Reads and changes the readings of the month. All of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import type { Reading, ReadingRequest, Readings } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { type Free, useFree } from '../components/use-free.ts'
import { requestJson, unlessGone } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'
import { QUOTA_KEY } from '../quota/query.ts'

/** The latest first. */
export const readingsQuery = (session: SignedIn) =>
  listQuery('readings', session, BFF.readings, ({ readings }: Readings) => readings)

/** Those that a lower number contradicts, asked for each time that one is refused. */
export const earlierQuery = (session: SignedIn) =>
  queryOptions({ ...readingsQuery(session), queryKey: ['readings', session.id, 'earlier'] })

export const postReading = (body: ReadingRequest): Promise<Reading> =>
  requestJson(BFF.readings, { method: 'POST', body })

/** @param press.without are removed first */
async function storeReading({ request, without = [] }: Entry): Promise<Reading> {
  for (const { id } of without) await deleteReading(id)
  return postReading(request)
}

/** A typed reading, and the earlier ones that it corrects. */
export interface Entry {
  request: ReadingRequest
  without?: readonly Reading[]
}

export type Storing = Free<Entry, Reading>

const changesOf = (session: SignedIn) => ({
  changes: [QUOTA_KEY, readingsQuery(session).queryKey],
})

export const useStoring = (session: SignedIn, onDone?: (saved: Reading) => void): Storing =>
  useFree(storeReading, { ...changesOf(session), ...(onDone && { onDone }) })

export const useRemoving = (session: SignedIn, onDone: () => void): Free<Reading, void> =>
  useFree(({ id }) => deleteReading(id), { ...changesOf(session), onDone })

/** Removing one that no longer exists is not an error. */
export async function deleteReading(id: string): Promise<void> {
  await requestJson(`${BFF.readings}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessGone)
}
