/** Reads and changes the readings of the month. All of it is free. */
import { BFF } from '../../contract/api.ts'
import type { Reading, ReadingRequest, Readings } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { type Free, useFree } from '../components/use-free.ts'
import { requestJson, unlessGone } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'
import { MONTH_DAYS_KEY, QUOTA_KEY } from '../quota/query.ts'

/** The latest first. */
export const readingsQuery = (session: SignedIn) =>
  listQuery('readings', session, BFF.readings, ({ readings }: Readings) => readings)

export const postReading = (body: ReadingRequest): Promise<Reading> =>
  requestJson(BFF.readings, { method: 'POST', body })

export type Storing = Free<ReadingRequest, Reading>

const changesOf = (session: SignedIn) => ({
  changes: [QUOTA_KEY, MONTH_DAYS_KEY, readingsQuery(session).queryKey],
})

export const useStoring = (session: SignedIn, onDone?: (saved: Reading) => void): Storing =>
  useFree(postReading, { ...changesOf(session), ...(onDone && { onDone }) })

export const useRemoving = (session: SignedIn, onDone: () => void): Free<Reading, void> =>
  useFree(({ id }) => deleteReading(id), { ...changesOf(session), onDone })

/** Removing one that no longer exists is not an error. */
export async function deleteReading(id: string): Promise<void> {
  await requestJson(`${BFF.readings}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessGone)
}
