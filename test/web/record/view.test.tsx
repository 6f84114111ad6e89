import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { JsonView } from '../../../src/web/record/view.tsx'

const draw = (value: unknown) => {
  const answer = { text: typeof value === 'string' ? value : JSON.stringify(value) }
  return render(<JsonView answer={answer} />)
}
const valueOf = (label: string) => screen.getByText(label).closest('[role=treeitem]')?.children[1]
const press = (row: string | RegExp) => fireEvent.click(screen.getByRole('treeitem', { name: row }))

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

test('a closed record shows its values on one line, without the name in its label', () => {
  draw([
    { id: 1, name: 'Ada', since: '2021-03-14', motto: null },
    { id: 2, tasks: [{ a: [1, null] }] },
  ])
  expect(screen.getByRole('treeitem', { name: /^1 · Ada,/ })).toHaveTextContent(
    /^1 · AdaID: 1Since: Mar 14, 2021Motto: not set$/,
  )
  press(/^2,/)
  expect(screen.getByRole('treeitem', { name: /^2,/ })).toHaveTextContent(/^22 fields$/)
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
  draw({ list: Array.from({ length: 700 }, (_, at) => `row ${at} ${'x'.repeat(40)}`), text: 'x'.repeat(300) })
  const rows = () => screen.getAllByText(/^row \d/).length
  expect(rows()).toBe(100)
  press('Show 100 more (100 of 700 shown)')
  expect(rows()).toBe(200)
  press('Show 100 more (200 of 700 shown)')
  expect(rows()).toBe(300)
  fireEvent.click(screen.getByRole('button', { name: 'Show 20 more of 300 characters' }))
  expect(valueOf('Text')).toHaveTextContent('x'.repeat(300))
})

test('deep nesting opens step by step', () => {
  draw(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
  for (let levels = 0; levels < 10; levels += 1)
    fireEvent.click(screen.getByRole('treeitem', { expanded: false }))
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

test('an object shows only its own members, never those that every object inherits (4.4)', () => {
  draw('[{"id":1,"constructor":"x","__proto__":"y"},{"id":2,"toString":"z"}]')
  expect(screen.getAllByRole('treeitem').map((row) => row.textContent)).toEqual([
    'Answer',
    '1ID: 1Constructor: xProto: y',
    '2ID: 2To string: z',
  ])
})

test('what has changed since the answer before is marked, and what is gone is listed', () => {
  const [before, answer] = [
    { text: '{"plan":"standard","a":{"b":1,"c":2},"old":[1,[2]]}', readAtMs: 0 },
    { text: '{"plan":"business","a":{"b":1,"c":3}}' },
  ]
  render(<JsonView answer={answer} before={before} />)
  const rows = screen.getAllByRole('treeitem').map((row) => row.getAttribute('aria-label'))
  expect(rows).toEqual([
    'Plan, changed, business',
    'A, changed, 2 fields',
    'B, 1',
    'C, changed, 3',
    'Old, gone, 2 entries',
  ])
  expect(screen.getAllByText('changed')).toHaveLength(3)
  expect(screen.getByText('gone')).toBeVisible()
})
