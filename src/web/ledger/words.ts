import { isSuccess } from '../../contract/answer-meaning.ts'
import type { LedgerEntry } from '../../contract/ledger.ts'
import { words } from '../text/text.ts'

/** Says if the request counts in the month, and why (8.3). */
export function countsWords(entry: LedgerEntry): [word: string, why: string] {
  const { counts, reasons } = words().ledger
  return [counts[entry.counts], reasons[reasonOf(entry)]]
}

function reasonOf({ counts, outcome, status = 0 }: LedgerEntry) {
  if (counts === 'yes') return isSuccess(status) ? 'succeeded' : 'refusalsCount'
  if (counts === 'no') return outcome === 'void' ? 'notSent' : 'neverCounts'
  if (outcome !== 'settled') return 'mayBeLost'
  return isSuccess(status) ? 'unknownSort' : 'unknownRefusal'
}

/** Says whose request it was, and why it was sent. */
export const initiatorWords = ({ by, initiator }: LedgerEntry): string => {
  const t = words().ledger
  return (by === 'you' ? t.initiator : t.initiatorOfAnother)[initiator]
}
