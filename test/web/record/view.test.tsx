import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import userEvent from '@testing-library/user-event'
import { JsonView } from '../../../src/web/record/view.tsx'
import { fieldsOf } from '../../../src/web/record/fields.ts'
import { searchFields, shownEntries } from '../../../src/web/record/search.ts'
import { RawJson } from '../../../src/web/record/raw.tsx'
import { useOrganizationName } from '../../../src/web/record/organization-name.ts'
import { summaryIn } from '../../../src/web/record/summary.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { draw, SESSION } from '../_month.tsx'
import { stubFetch } from '../_network.ts'

const show = (value: unknown) => {
  const answer = { text: typeof value === 'string' ? value : JSON.stringify(value) }
  return render(<JsonView answer={answer} />)
}
const valueOf = (label: string) => screen.getByText(label).closest('[role=treeitem]')?.children[1]
const press = (row: string | RegExp) => fireEvent.click(screen.getByRole('treeitem', { name: row }))

test('an object is a list of labels and values', () => {
  show({
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
  show({ organization: { name: 'Harbour' } })
  expect(screen.queryByText('Organization')).toBeNull()
  expect(valueOf('Name')).toHaveTextContent('Harbour')
  show({ data: [{ id: 7 }], meta: { total: 1 } })
  expect(screen.getByText('Meta')).toBeVisible()
})

test('a closed record shows its values on one line, without the name in its label', () => {
  show([
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
  show('{"id":9007199254740993123,"ratio":1.10}')
  expect(valueOf('ID')).toHaveTextContent('9007199254740993123')
  expect(valueOf('Ratio')).toHaveTextContent('1.10')
})

test('markup, addresses and scripts are text', () => {
  const { container } = show({ a: '<img src=x onerror=alert(1)>', b: 'https://example.org/', '<b>c</b>': 1 })
  expect(container.querySelector('img, a, b, script')).toBeNull()
  expect(valueOf('A')).toHaveTextContent('<img src=x onerror=alert(1)>')
})

test('deep nesting opens step by step', () => {
  show(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
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
  '{"plan":{"tier":1},"owner":[null],"members":3,"created_at":1e9,"updated_at":false}',
  '{"plan":"constructor"}',
])('%s is drawn (4.4)', (text) => {
  const { container } = show(text)
  expect(container.textContent).not.toMatch(/undefined|NaN|\[object/)
  expect(screen.getByText('Raw JSON')).toBeVisible()
})

test.each([
  ['<html>oops</html>', /no JSON that can be shown here/],
  ['{"id":9007199254740993123}', /"id": 9007199254740993123/],
  [`"${'x'.repeat(150_000)}"`, '50002 more characters are not shown. The download has all.'],
])('the raw text of %# is indented when it is opened, or shown as it came (4.4)', (text, words) => {
  show(text)
  const details = screen.getByText('Raw JSON').closest('details')!
  details.open = true
  fireEvent(details, new Event('toggle'))
  expect(screen.getByText(words)).toBeVisible()
})

test('an instant is shown in the reader’s own format, and keeps its text', () => {
  show({ created_at: '2021-03-14T09:26:53Z', day: '2021-03-14', odd: '2021-99-99T99:99:99Z' })
  expect(screen.getByTitle('2021-03-14T09:26:53Z')).toHaveAttribute('datetime', '2021-03-14T09:26:53Z')
  // The zone of the tests is ahead of UTC, and a day stays the same day.
  expect(screen.getByTitle('2021-03-14')).toHaveTextContent('14')
  expect(valueOf('Odd')).toHaveTextContent('2021-99-99T99:99:99Z')
})

test('an object shows only its own members, never those that every object inherits (4.4)', () => {
  show('[{"id":1,"constructor":"x","__proto__":"y"},{"id":2,"toString":"z"}]')
  expect(screen.getAllByRole('treeitem').map((row) => row.textContent)).toEqual([
    'Answer',
    '1ID: 1Constructor: xProto: y',
    '2ID: 2To string: z',
  ])
})

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
  await user.type(search, 'constructor')
  expect(await screen.findByText('0 matches')).toBeVisible()
  expect(screen.queryByRole('tree')).toBeNull()
})

test('the download is the answer as it came, made in the page', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:x'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  render(<RawJson text='{"a": 1.10}' file="a.json" />)
  fireEvent.click(screen.getByRole('button', { name: 'Download JSON' }))
  expect(await blobs[0]?.text()).toBe('{"a": 1.10}')
})

test.each([
  ['{"name":"Harbour Rope Works"}', 'Harbour Rope Works'],
  ['{"name":" Harbour\\n Rope  Works "}', 'Harbour Rope Works'],
  ['{"name":""}', undefined],
  ['{"name":7}', undefined],
  ['{"other":"x"}', undefined],
  ['[{"name":"x"},{"name":"y"}]', undefined],
  ['{"__proto__":{"name":"x"}}', undefined],
  ['{"name":"\u202Ex\u202C"}', 'x'],
  ['{"name":"\u200B"}', undefined],
  ['no JSON', undefined],
  [`{"name":"${'x'.repeat(80)}"}`, 'x'.repeat(80)],
  [`{"name":"${'x'.repeat(81)}"}`, undefined],
])('%s gives the name %s (4.4: the record’s members are not shown)', (text, name) => {
  expect(summaryIn(text).name).toBe(name)
})

const Name = ({ session = SESSION }) => <p>{useOrganizationName(session)}</p>

test('without a copy the name is the number, and nothing is sent (4.4)', () => {
  const asked: string[] = []
  stubFetch((path) => {
    asked.push(path)
    return Promise.reject(new TypeError('fetch failed'))
  })
  const { client } = draw(<Name />)
  expect(screen.getByText('Organization 1001')).toBeVisible()
  expect(client.getQueryData(organizationQuery(SESSION).queryKey)).toBeUndefined()
  expect(asked).toEqual([])
})

test('with an API key the organization has no number (5.1)', () => {
  const { organization_id: _, ...session } = SESSION
  draw(<Name session={{ ...session, method: 'api_key' }} />)
  expect(screen.getByText('Organization of your key')).toBeVisible()
})
