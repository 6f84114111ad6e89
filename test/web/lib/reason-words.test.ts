import { expect, test } from 'vitest'
import { REASONS } from '../../../src/contract/reason.ts'
import { reasonWords } from '../../../src/web/lib/reason-words.ts'

test('each reason has its own sentence (8.4.3)', () => {
  const sentences = REASONS.map((code) => reasonWords({ code }))
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
  expect(new Set(sentences).size).toBe(REASONS.length)
})

test('a reason has its numbers, and the age of a reading in words (8.3)', () => {
  expect(reasonWords({ code: 'month_used_by_app', count: 98, limit: 100 })).toBe(
    'Of the 100 requests of the month 98 may have been sent by this app.',
  )
  const byReading = { count: 96, limit: 100, since: 2, age_ms: 7_200_000 }
  expect(reasonWords({ code: 'month_used_by_reading', ...byReading })).toBe(
    'Of the 100 requests of the month 96 were used by a reading 2 hours ago, and 2 may have been sent since.',
  )
  expect(reasonWords({ code: 'reserved_for_sign_in', count: 2 })).toBe(
    'The last 2 requests are for signing in.',
  )
})
