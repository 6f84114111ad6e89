/** What an entry of the ledger means, in words. */
import { isSuccess } from '../contract/answer-meaning.ts'
import type { LedgerEntry } from '../contract/ledger.ts'

export const KIND_WORDS: Record<LedgerEntry['kind'], string> = {
  'api.read': 'Read',
  'api.update': 'Change',
  rate_limit: 'Check of the limits',
  'token.code': 'Exchange of the sign-in code',
  'token.refresh': 'Renewal of the access',
}

export const INITIATOR_WORDS: Record<LedgerEntry['initiator'], string> = {
  sign_in: 'at the sign-in',
  person: 'for a press',
  call: 'to go on with a press',
}

export const BY_WORDS: Record<LedgerEntry['by'], string> = {
  you: 'You',
  another: 'Another person or browser',
}

export const OUTCOME_WORDS: Record<LedgerEntry['outcome'], string> = {
  settled: 'answered',
  reserved: 'no answer yet',
  uncertain: 'no answer came',
  void: 'never sent',
}

/** Whether the request counts in the month, and why (8.3). */
export function countsWords({ counts, outcome, status = 0 }: LedgerEntry): [word: string, why: string] {
  if (counts === 'yes') return ['counted', isSuccess(status) ? 'it succeeded' : 'so do refusals here']
  if (counts === 'no') return ['not counted', outcome === 'void' ? 'it never left' : 'such requests do not']
  if (outcome !== 'settled') return ['may count', 'it may not have arrived']
  return [
    'may count',
    isSuccess(status)
      ? 'the service does not say whether such requests do'
      : 'the service does not say whether refusals do',
  ]
}

/** A day of UTC in the reader's language, as "21 Nov". */
export const utcDayWords = (day: string): string => DAY.format(Date.parse(day))
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
