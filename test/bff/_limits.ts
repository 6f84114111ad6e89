/** What is known of the limits of one token, read as the app reads those of many. */
import type { Context } from '../../src/bff/context.ts'
import type { LimitOwner } from '../../src/bff/limit-note.ts'
import { readQuotas } from '../../src/bff/quotas.ts'
import { countInFlight as countAll } from '../../src/bff/rate-limit-admission.ts'
import type { RequestClass } from '../../src/contract/rate-limit.ts'

export const countInFlight = async (context: Context, token: string, requestClass: RequestClass) =>
  (await countAll(context, [token], requestClass))[0] ?? Number.NaN

export async function readLimits(context: Context, owner: Pick<LimitOwner, 'token' | 'organization'>) {
  const holder = { ...owner, session: 'a session' }
  const { pauses, ...windows } = (await readQuotas(context, [holder]))(holder).own
  return { windows, pauses }
}
