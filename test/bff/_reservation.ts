/** A request that is recorded, and its outcome, without one that is sent; a reading as it is stored. */
import type { Context } from '../../src/bff/core/context.ts'
import { begin, finishOf, type ServiceAnswer } from '../../src/bff/service/request.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { LedgerEntry, StoredReading } from '../../src/store/store.ts'

export const RESERVATION = {
  press: 'a press',
  organization: '1001',
  token: 'a token',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
} as const

/** Records a request that is about to be sent. */
export const reserve = async (
  context: Context,
  entry: Omit<LedgerEntry, 'id' | 'atMs'> = RESERVATION,
): Promise<LedgerEntry> => (await begin(context, entry, async () => ({}))).row

/** Records its outcome. @param answer a status and a body, or why there is none */
export const settle = (
  context: Context,
  row: LedgerEntry,
  answer: { status: number; text: string } | Problem,
): Promise<void> => {
  const headers = { get: () => null }
  const whole =
    'status' in answer && 'text' in answer
      ? { headers, sentAtMs: context.now(), servedAtSeconds: 0, ...answer }
      : answer
  return finishOf(context, row, whole as ServiceAnswer | Problem)(async () => {})
}

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
