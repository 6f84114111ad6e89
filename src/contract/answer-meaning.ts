/** Says whether a refusal that is no 429 may be the end of the month, whose answer is not shown (8.3). */
import { isErrorBody } from '../contract/error-body.ts'
import type { Plan } from '../contract/plan.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { House } from './house.ts'
import { type Answer, readMonth } from './month.ts'

/** From this part of the month's limit on, by our own count, a refusal is more likely the month than the credential. */
const NEARLY = 0.9

/** RFC 9110 15.5.3: payment is what a used-up month asks for, and nothing else here does. */
const PAYMENT_REQUIRED = 402

/** @returns the suspicion; `undefined` where the answer means what it says */
export async function suspectMonth(
  house: House,
  organization: string,
  plan: Plan | undefined,
  { status, text }: Answer,
): Promise<Refusal | undefined> {
  if (status === PAYMENT_REQUIRED) return suspicion('The service asks for payment.')
  const isRefusal = status === 401 || status === 403 || (isSuccess(status) && isErrorBody(text))
  if (!isRefusal || plan?.per_month === undefined) return undefined
  const { high } = await readMonth(house, organization)
  return high >= NEARLY * plan.per_month
    ? suspicion('It was refused when nearly all requests of the month were spent.')
    : undefined
}

const suspicion = (reason: string): Refusal => ({ code: 'month_suspected', reasons: [reason] })

const isSuccess = (status: number) => status >= 200 && status < 300
