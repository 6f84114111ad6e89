import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../../src/web/record/fields.ts'
import { readJsonText } from '../../../src/web/record/json-text.ts'
import { searchFields, shownEntries } from '../../../src/web/record/search.ts'
import { JsonView } from '../../../src/web/record/view.tsx'

/** @returns the result, and the number of steps */
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

test('a branch is shown down to its match, and the rest is left out', () => {
  const { found } = search(RECORD, 'month')
  expect(shownEntries(RECORD, found).map(([key]) => key)).toEqual(['settings'])
  expect(shownEntries(RECORD.settings, found).map(([key]) => key)).toEqual(['deep'])
  expect(shownEntries(RECORD.settings.deep, found)).toEqual([[0, { note: 'MONTH' }]])
})

test('the content of a matching name is shown whole', () => {
  const { found } = search(RECORD, 'days')
  expect(shownEntries(RECORD.settings.days, found)).toHaveLength(2)
})

test('a number is found by the digits that the service wrote', () => {
  expect(search(readJsonText('{"a":1.10,"b":9007199254740993123}')?.value, '1.10').found.count).toBe(1)
  expect(search(readJsonText('{"a":1.10,"b":9007199254740993123}')?.value, '993123').found.count).toBe(1)
})

test('a large record is searched in many steps, so that the browser answers input in between', () => {
  const { found, steps } = search({ rows: Array.from({ length: 20_000 }, (_, at) => ({ at })) }, '1999')
  expect(found.count).toBe(12)
  expect(steps).toBeGreaterThan(50)
})

test('typed words filter the record, and the number of matches is announced', async () => {
  const user = userEvent.setup()
  const text = '{"name":"Harbour","plan":"standard","settings":{"zone":"UTC","day":"Monday"}}'
  const answer = { text }
  render(<JsonView answer={answer} />)
  const search = screen.getByRole('searchbox', { name: 'Search in this record' })
  await user.type(search, 'MON')
  expect(await screen.findByText('1 match')).toHaveRole('status')
  expect(screen.queryByText('Harbour')).toBeNull()
  expect(screen.queryByText('Plan')).toBeNull()
  expect(screen.queryByText('UTC')).toBeNull()
  expect(screen.getByText('Mon', { selector: 'mark' })).toBeVisible()
  await user.clear(search)
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(screen.queryByText('1 match')).toBeNull()
})

test('without a match the page says so', async () => {
  const user = userEvent.setup()
  const answer = { text: '{"name":"Harbour"}' }
  render(<JsonView answer={answer} />)
  await user.type(screen.getByRole('searchbox'), 'constructor')
  expect(await screen.findByText('0 matches')).toBeVisible()
  expect(screen.queryByRole('tree')).toBeNull()
})
