/** The ledger records every request before it is sent, so that the month can be counted (8.3). */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { isErrorBody } from '../../contract/error-body.ts'
import type { Admission, LedgerEntry, Settlement } from '../../store/store.ts'
import { untilStored } from '../core/deferred-writes.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { randomText } from '../core/encryption.ts'
import { describe } from '../core/problem.ts'

/**
 * Records a request that is about to be sent, if it is admitted.
 * @param admissionAt decides at the service's time, in the same step as the record
 * @returns the id and the time of its entry
 * @throws Problem `store_unavailable` (it must not be sent), and the errors of the admission
 */
export async function reserve(
  context: Context,
  entry: Omit<LedgerEntry, 'id' | 'atMs'>,
  admissionAt?: (nowMs: number) => Admission,
): Promise<Pick<LedgerEntry, 'id' | 'atMs'>> {
  const atMs = serviceNowMs(context)
  const id = `${atMs.toString(36)}-${randomText(9)}`
  await context.store.reserve({ ...entry, id, atMs }, admissionAt?.(atMs))
  context.memory.unagreedSinceMs ??= atMs
  return { id, atMs }
}

/** The service may not count a success whose body is an error, so its status is left out. */
export const settleAnswered = (context: Context, id: string, status: number, text: string): Promise<void> =>
  settle(context, id, {
    outcome: 'settled',
    ...(isSuccess(status) && isErrorBody(text) ? {} : { status }),
  })

/** @param sent true if the request may have reached the service */
export const settleUnanswered = (context: Context, id: string, { sent }: { sent: boolean }): Promise<void> =>
  settle(context, id, { outcome: sent ? 'uncertain' : 'void' })

/** If the store keeps failing, the entry stays `reserved`, which counts as sent. */
async function settle(context: Context, id: string, settlement: Settlement): Promise<void> {
  const atMs = serviceNowMs(context)
  try {
    await untilStored(context, () => context.store.settle(id, settlement, atMs))
  } catch (cause) {
    context.log({ level: 'warn', event: 'ledger', cause: describe(cause) })
  }
}
