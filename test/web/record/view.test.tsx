import { fireEvent, render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { JsonView } from '../../../src/web/record/view.tsx'

const draw = (value: unknown) =>
  render(<JsonView text={typeof value === 'string' ? value : JSON.stringify(value)} />)
const valueOf = (label: string) => screen.getByText(label).closest('dt')?.nextElementSibling

test('an object is a list of labels and values', () => {
  draw({
    display_name: 'Harbour',
    archived: false,
    active: true,
    parent: null,
    motto: '',
    tags: [],
    extra: {},
  })
  expect(valueOf('Display name')).toHaveTextContent('Harbour')
  expect(valueOf('Archived')).toHaveTextContent('no')
  expect(valueOf('Active')).toHaveTextContent('yes')
  expect(valueOf('Parent')).toHaveTextContent('not set')
  expect(valueOf('Motto')).toHaveTextContent('empty')
  expect(valueOf('Tags')).toHaveTextContent('none')
  expect(valueOf('Extra')).toHaveTextContent('empty')
})

test('an object whose only member is an object is replaced by it', () => {
  draw({ organization: { name: 'Harbour' } })
  expect(screen.queryByText('Organization')).toBeNull()
  expect(valueOf('Name')).toHaveTextContent('Harbour')
  draw({ data: [{ id: 7 }], meta: { total: 1 } })
  expect(screen.getByText('Meta')).toBeVisible()
})

test('similar records are a table', () => {
  draw([
    { id: 1, name: 'a' },
    { id: 2, role: 'b' },
  ])
  const table = screen.getByRole('table')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['Name', 'Role', 'ID'])
  expect(within(table).getAllByRole('row')).toHaveLength(3)
})

test('a big number loses no digit', () => {
  draw('{"id":9007199254740993123,"ratio":1.10}')
  expect(valueOf('ID')).toHaveTextContent('9007199254740993123')
  expect(valueOf('Ratio')).toHaveTextContent('1.10')
})

test('markup, addresses and scripts are text', () => {
  const { container } = draw({ a: '<img src=x onerror=alert(1)>', b: 'javascript:alert(1)', '<b>c</b>': 1 })
  expect(container.querySelector('img, a, b, script')).toBeNull()
  expect(valueOf('A')).toHaveTextContent('<img src=x onerror=alert(1)>')
})

test('a press opens long lists and long texts', () => {
  draw({ list: Array.from({ length: 700 }, (_, at) => `row ${at}`), text: 'x'.repeat(300) })
  expect(screen.getAllByRole('listitem')).toHaveLength(100)
  fireEvent.click(screen.getByRole('button', { name: 'Show 100 more (100 of 700 shown)' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(200)
  fireEvent.click(screen.getByRole('button', { name: 'Show 20 more of 300 characters' }))
  expect(valueOf('Text')).toHaveTextContent('x'.repeat(300))
})

test('deep nesting opens step by step', () => {
  draw(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
  const closed = () => screen.getByRole('button', { name: 'A', expanded: false })
  for (let levels = 0; levels < 10; levels += 1) fireEvent.click(closed())
  expect(screen.getByText('level 10')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: 'Expand all' }))
  expect(screen.getByText('level 199')).toBeVisible()
})

test.each([
  'null',
  'true',
  '12',
  '"words"',
  '[]',
  '{}',
  '[[[]]]',
  '[null,1,"a",{"b":[]}]',
  '{"__proto__":{"a":1},"constructor":2,"toString":3,"":4}',
])('%s is drawn', (text) => {
  const { container } = draw(text)
  expect(container.textContent).not.toMatch(/undefined|NaN|\[object/)
  expect(screen.getByText('Raw JSON')).toBeVisible()
})

test('text that is not JSON is shown as it came (4.4)', () => {
  draw('<html>oops</html>')
  fireEvent(screen.getByText('Raw JSON').closest('details')!, new Event('toggle'))
  expect(screen.getByText(/no JSON that can be shown here/)).toBeVisible()
})

test('the raw JSON is indented when it is opened', () => {
  draw('{"id":9007199254740993123}')
  const details = screen.getByText('Raw JSON').closest('details')!
  details.open = true
  fireEvent(details, new Event('toggle'))
  expect(screen.getByRole('region', { name: 'Raw JSON' })).toHaveTextContent('"id": 9007199254740993123')
})

test('an instant is shown in the reader’s own format, and keeps its text', () => {
  draw({ created_at: '2021-03-14T09:26:53Z', day: '2021-03-14', odd: '2021-99-99T99:99:99Z' })
  expect(screen.getByTitle('2021-03-14T09:26:53Z')).toHaveAttribute('datetime', '2021-03-14T09:26:53Z')
  // The zone of the tests is ahead of UTC, and a day stays the same day.
  expect(screen.getByTitle('2021-03-14')).toHaveTextContent('14')
  expect(valueOf('Odd')).toHaveTextContent('2021-99-99T99:99:99Z')
})

test('a table shows only a row’s own members, never those that every object inherits (4.4)', () => {
  draw('[{"id":1,"constructor":"x","__proto__":"y"},{"id":2,"toString":"z"}]')
  const cells = within(screen.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(cells).toEqual([
    ['ID', 'Constructor', 'Proto', 'To string'],
    ['1', 'x', 'y', '–'],
    ['2', '–', '–', 'z'],
  ])
})
