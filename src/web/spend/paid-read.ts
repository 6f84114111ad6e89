/** Reads that a person pays for. The page shows at once what they report about the minute (8.4.2). */
import { API_PREFIX } from '../../contract/api.ts'
import { readAnswer, withAnswers } from '../../contract/quota-fold.ts'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'
import { type ReceivedAnswer, getAnswer } from '../lib/api.ts'
import { addAnswer } from '../quota/quota.ts'

const LIMITS = API_PREFIX + RATE_LIMIT_PATH

/** Spends one request. A refusal reports as much as a success. */
export async function readPaid(address: string): Promise<ReceivedAnswer> {
  let headers = new Headers()
  const answer = await getAnswer(address, {
    spend: true,
    onHeaders: (received) => {
      headers = received
      applyAnswer(received)
    },
  })
  if (address === LIMITS) applyAnswer(headers, answer.text)
  return answer
}

export const checkLimits = (): Promise<ReceivedAnswer> => readPaid(LIMITS)

/** @param text the body of a success of `GET /rate_limit` */
function applyAnswer(headers: Headers, text = 'null'): void {
  const answer = readAnswer(headers, performance.now(), JSON.parse(text))
  if (answer) addAnswer(answer, withAnswers)
}
