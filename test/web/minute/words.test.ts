import { expect, test } from 'vitest'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeValues } from '../../../src/web/minute/gauge.ts'
import {
  ageWords,
  limitWords,
  middleWords,
  refillWords,
  remarkWords,
  spokenWords,
  valueWords,
} from '../../../src/web/minute/words.ts'
import { UNSEEN, window_ } from '../_snapshot.ts'

const minute = (changes: Partial<WindowSnapshot>, elapsedMs = 0) => gaugeValues(window_(changes), elapsedMs)
const { limit: _, ...withoutLimit } = window_()
const { remaining: __, ...withoutNumber } = window_()

test.each([
  [minute({}), '37', '37 of 60 left', 'seen 12 s ago', '37 of 60 reads left'],
  [minute({ in_flight: 1 }), '36', 'about 36 of 60 left', 'seen 12 s ago', 'about 36 of 60 reads left'],
  [gaugeValues(withoutLimit, 0), '37', '37 left', 'seen 12 s ago', '37 reads left'],
  [
    minute({ limit: 60_000, remaining: 59_999 }),
    '59,999',
    '59,999 of 60,000 left',
    'seen 12 s ago',
    '59,999 of 60,000 reads left',
  ],
  [minute({ remaining: 8 }), '8', 'Low: 8 of 60 left', 'seen 12 s ago', '8 of 60 reads left'],
  [minute({ remaining: 0 }), '0', 'None of 60 left', 'seen 12 s ago', '0 of 60 reads left'],
  [gaugeValues({ ...withoutLimit, remaining: 0 }, 0), '0', 'None left', 'seen 12 s ago', '0 reads left'],
  [minute({}, 30_000), '60', 'probably all 60 left', 'new minute', 'reads: probably all 60 left'],
  [
    minute({}, 90_000),
    '60',
    'probably all 60 left',
    'last seen 2 minutes ago',
    'reads: probably all 60 left',
  ],
  [
    gaugeValues({ ...withoutLimit, known: 'expired' }, 0),
    '–',
    'probably all left',
    'new minute',
    'reads: probably all left',
  ],
  [
    gaugeValues(withoutNumber, 0),
    '–',
    '60 a minute',
    'number left not reported',
    'reads: number left not reported',
  ],
  [gaugeValues(UNSEEN, 0, { limit: 15 }), '–', '15 a minute', 'not measured yet', 'reads: not measured yet'],
  [gaugeValues(UNSEEN, 0), '–', 'limit not known yet', 'not measured yet', 'reads: not measured yet'],
])('%# has %2$s in the ring and "%3$s", "%4$s" beside it (B24, B26)', (shown, ...words) => {
  expect([middleWords(shown), valueWords(shown), ageWords(shown), spokenWords('read', shown)]).toEqual(words)
})

test('anything unusual about a number is a remark, and without it there is none (B2, B4)', () => {
  const odd = minute({ assumed: true, limit_before: 60, limit: 600, remaining: -2, notes: ['sliding'] })
  expect(remarkWords('read', odd).split(' · ')).toEqual([
    'Reads: the limit changed from 60 to 600',
    'the service did not say if it counted a read or an update',
    'over by 2',
    'requests come back one by one',
  ])
  expect(remarkWords('update', minute({ inconsistent: true }))).toBe(
    'Updates: more than the limit, so probably wrong',
  )
  expect(remarkWords('read', minute({}))).toBe('')
})

test('the refill is named for each class only if the two differ, and left out if none has any (8.2)', () => {
  const [read, full] = [minute({}), minute({ limit: 15, remaining: 15 })]
  expect(refillWords(read, full)).toBe('refills in 21 s')
  expect(refillWords(full, read)).toBe('refills in 21 s')
  expect(refillWords(read, minute({ limit: 15, remaining: 3 }))).toBe('refills in 21 s')
  expect(refillWords(read, minute({ limit: 15, remaining: 3, reset_in_ms: 41_000 }))).toBe(
    'refill: reads in 21 s, updates in 40 s',
  )
  expect(refillWords(full, gaugeValues(UNSEEN, 0))).toBe('')
})

test('the limits of both classes are one line, as far as they are known', () => {
  const [read, unseen] = [minute({}), gaugeValues(UNSEEN, 0)]
  expect(limitWords(read, minute({ limit: 15 }))).toBe('60 reads and 15 updates a minute')
  expect(limitWords(read, unseen)).toBe('60 reads a minute')
  expect(limitWords(unseen, read)).toBe('60 updates a minute')
  expect(limitWords(unseen, unseen)).toBe('limits not known yet')
})
