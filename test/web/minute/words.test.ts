import { expect, test } from 'vitest'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeValues } from '../../../src/web/minute/gauge.ts'
import { remarks, leftWords, quietWords, gaugeStateWords } from '../../../src/web/minute/words.ts'
import { UNSEEN, window_ } from '../_snapshot.ts'

const minute = (changes: Partial<WindowSnapshot>, elapsedMs = 0) => gaugeValues(window_(changes), elapsedMs)
const { limit: _, ...withoutLimit } = window_()

test.each([
  [minute({}), '37 of 60 left', 'Plenty'],
  [minute({ in_flight: 1 }), 'about 36 of 60 left', 'Plenty'],
  [gaugeValues(withoutLimit, 0), '37 left', 'Plenty'],
  [minute({ limit: 60_000, remaining: 59_999 }), '59,999 of 60,000 left', 'Plenty'],
  [minute({}, 30_000), 'up to 60', 'New minute: probably all 60 free'],
  [gaugeValues({ ...withoutLimit, known: 'expired' }, 0), '–', 'New minute: probably all free'],
  [gaugeValues(UNSEEN, 0, { limit: 15 }), 'up to 15', 'No data yet'],
])('%# is "%2$s", %3$s, with a number only if it was measured (B24, B26)', (shown, number, state) => {
  expect([leftWords(shown), gaugeStateWords(shown)]).toEqual([number, state])
})

test('the remarks have the age of a number, and anything unusual about it (B2, B4)', () => {
  const odd = minute({ assumed: true, limit_before: 60, limit: 600, remaining: -2, notes: ['sliding'] })
  expect(remarks(odd)).toEqual([
    'As of 12 s ago',
    'Limit 60 → 600',
    'The service did not say if this is read or update',
    'Over by 2',
    'The window slides, so requests come back one by one',
  ])
  expect(remarks(gaugeValues(UNSEEN, 0))).toEqual(['Checking the limits shows it'])
})

test('while nothing runs one line has the known limits', () => {
  const [read, unseen] = [minute({}), gaugeValues(UNSEEN, 0)]
  const none = 'none used in the last minute that we know of.'
  expect(quietWords(read, minute({ limit: 15 }))).toBe(`60 reads and 15 updates a minute; ${none}`)
  expect(quietWords(read, unseen)).toBe(`60 reads a minute; ${none}`)
  expect(quietWords(unseen, read)).toBe(`60 updates a minute; ${none}`)
  expect(quietWords(unseen, minute({ notes: ['not_reported'] }))).toContain('The service stopped reporting.')
  expect(quietWords(unseen, unseen)).toBe(`The limits of a minute are not yet seen; ${none}`)
})
