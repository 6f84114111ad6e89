import { expect, test } from 'vitest'
import type { LedgerEntry } from '../../../src/contract/ledger.ts'
import { countsWords, utcDayWords } from '../../../src/web/ledger/words.ts'
import { ledgerEntry } from '../../_ledger-entry.ts'

test.each([
  [{}, 'counted', 'it succeeded'],
  [{ status: 403 }, 'counted', 'refused requests count too'],
  [{ counts: 'no', outcome: 'void', status: undefined }, 'not counted', 'it was not sent'],
  [{ counts: 'no', status: 403 }, 'not counted', 'such requests do not count'],
  [{ counts: 'unknown', outcome: 'uncertain', status: undefined }, 'may count', 'it may not have arrived'],
  [{ counts: 'unknown', outcome: 'reserved', status: undefined }, 'may count', 'it may not have arrived'],
  [{ counts: 'unknown', status: 299 }, 'may count', 'the service does not say whether such requests do'],
  [{ counts: 'unknown', status: 300 }, 'may count', 'the service does not say whether refusals do'],
  [{ counts: 'unknown', status: 199 }, 'may count', 'the service does not say whether refusals do'],
] as const)('an entry with %j is %s: %s (8.3)', (changes, word, why) => {
  expect(countsWords(ledgerEntry(changes as Partial<LedgerEntry>))).toEqual([word, why])
})

test('a day is one of UTC, in the reader’s language (D9)', () => {
  const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  expect(utcDayWords('2026-11-21')).toBe(day.format(Date.parse('2026-11-21T12:00:00Z')))
})
