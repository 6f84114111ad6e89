import { expect, test } from 'vitest'
import { laterOf, lower, mergeEntries, namedEntries, newestEntry } from '../../src/contract/gauge-entry.ts'

const entry = (remaining: number, atSeconds: number) => ({ remaining, atSeconds })

test('two reports give the least remaining and the later time (8.2)', () => {
  expect(lower(undefined, entry(5, 1))).toStrictEqual(entry(5, 1))
  expect(lower(entry(4, 1), entry(5, 2))).toStrictEqual(entry(4, 2))
  expect(lower(entry(4, 3), entry(3, 2))).toStrictEqual(entry(3, 3))
})

test('entries are merged by their limit, and those that were merged stay as they are (8.2)', () => {
  const known = { '=60': entry(5, 1) }
  expect(mergeEntries(known, { '=60': entry(4, 2), '=600': entry(9, 2) })).toEqual({
    '=60': entry(4, 2),
    '=600': entry(9, 2),
  })
  expect(mergeEntries(undefined, known)).toEqual(known)
  expect(known).toEqual({ '=60': entry(5, 1) })
})

test('the later of two counts, or the only one; two of one second are merged (8.4.2)', () => {
  const merge = () => entry(0, 0)
  expect(laterOf(entry(1, 1), entry(2, 2), merge)).toEqual(entry(2, 2))
  expect(laterOf(entry(1, 2), entry(2, 1), merge)).toEqual(entry(1, 2))
  expect(laterOf(entry(1, 2), undefined, merge)).toEqual(entry(1, 2))
  expect(laterOf(undefined, entry(1, 2), merge)).toEqual(entry(1, 2))
  expect(laterOf(entry(1, 1), entry(2, 1), merge)).toEqual(entry(0, 0))
})

test('the newest entry of a window has the least of its limit, and of what was reported without one (8.2)', () => {
  expect(newestEntry({})).toBeUndefined()
  expect(newestEntry({ 100: { '?': entry(7, 1) } })).toEqual(entry(7, 1))
  const windows = {
    100: { '=60': entry(9, 1), '?': entry(3, 5) },
    101: { '=60': entry(8, 2), '=600': entry(500, 1) },
  }
  expect(newestEntry(windows)).toEqual({ remaining: 3, atSeconds: 5, limit: 60 })
  expect(namedEntries(windows)).toEqual([
    { ...entry(8, 2), limit: 60 },
    { ...entry(500, 1), limit: 600 },
  ])
})

test.each([
  [10, 5, 600],
  [5, 10, 60],
  [5, 5, 60],
])(
  'of two limits in one second, with %d and %d left, the one with less counts: %d (8)',
  (of60, of600, limit) => {
    const windows = { 100: { '=60': entry(of60, 1), '=600': entry(of600, 1) } }
    expect(newestEntry(windows)).toMatchObject({ limit, remaining: 5 })
  },
)
