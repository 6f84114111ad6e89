import { expect, test } from 'vitest'
import { readJsonText } from '../../../src/web/record/json-text.ts'
import { fieldsOf } from '../../../src/web/record/fields.ts'
import { searchFields, shownEntries } from '../../../src/web/record/search.ts'

/** Searches to the end. @returns what was found, and in how many steps */
function search(value: unknown, query: string) {
  const work = searchFields(fieldsOf(value), query)
  let steps = 1
  let next = work.next()
  for (; next.done !== true; next = work.next()) steps += 1
  return { found: next.value, steps }
}

const RECORD = {
  name: 'Harbour',
  created_at: '2021-03-14T09:26:53Z',
  settings: { time_zone: 'Europe/London', days: ['Monday', 'Sunday'], deep: [{ note: 'MONTH' }, 7] },
}

test.each([
  ['harbour', 1],
  ['mon', 2],
  ['time zone', 1],
  ['time_zone', 1],
  ['created', 1],
  ['14', 1],
  ['7', 1],
  ['nothing', 0],
])('%j is found %d times, in names, labels and values', (query, count) => {
  expect(search(RECORD, query).found.count).toBe(count)
})

test('what has a match inside is shown down to it, and the rest is left out', () => {
  const { found } = search(RECORD, 'month')
  expect(shownEntries(RECORD, found).map(([key]) => key)).toEqual(['settings'])
  expect(shownEntries(RECORD.settings, found).map(([key]) => key)).toEqual(['deep'])
  expect(shownEntries(RECORD.settings.deep, found)).toEqual([[0, { note: 'MONTH' }]])
})

test('what is inside of a name that matches is shown whole', () => {
  const { found } = search(RECORD, 'days')
  expect(shownEntries(RECORD.settings.days, found)).toHaveLength(2)
})

test('a number is found by its digits on the wire', () => {
  expect(search(readJsonText('{"a":1.10,"b":9007199254740993123}')?.value, '1.10').found.count).toBe(1)
  expect(search(readJsonText('{"a":1.10,"b":9007199254740993123}')?.value, '993123').found.count).toBe(1)
})

test('a large record is searched in many steps, so that input is answered between them', () => {
  const { found, steps } = search({ rows: Array.from({ length: 20_000 }, (_, at) => ({ at })) }, '1999')
  expect(found.count).toBe(12)
  expect(steps).toBeGreaterThan(50)
})
