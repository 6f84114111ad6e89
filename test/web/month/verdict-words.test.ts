import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { verdictOf } from '../../../src/contract/verdict.ts'
import { numberWords, verdictWords } from '../../../src/web/month/verdict-words.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { anySnapshot } from '../../contract/_any-quota.ts'

afterEach(() => loadLanguage('en'))

test.each(['en', 'ja'] as const)(
  'in %s every snapshot has words, and none has a gap (8.3)',
  async (language) => {
    await loadLanguage(language)
    fc.assert(
      fc.property(anySnapshot, fc.nat(3_600_000), (snapshot, elapsedMs) => {
        const quota = { snapshot, atMs: 0, wallMs: Date.UTC(2026, 10, 21, 12) }
        const sentence = verdictWords(verdictOf(snapshot, elapsedMs), quota, elapsedMs)
        const words = [...numberWords(snapshot.month, elapsedMs), sentence]
        expect(words.filter((text) => text === '' || /undefined|NaN|Infinity|Invalid/.test(text))).toEqual([])
      }),
      { numRuns: 500 },
    )
  },
)
