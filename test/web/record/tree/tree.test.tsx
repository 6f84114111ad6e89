import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { JsonView } from '../../../../src/web/record/view.tsx'
import { Marked, Scalar } from '../../../../src/web/record/tree/scalar.tsx'
import { QueryWords } from '../../../../src/web/record/tree/query-words.ts'
import { Digits } from '../../../../src/web/record/json-text.ts'
import { fieldsOf } from '../../../../src/web/record/fields.ts'
import { AT_FIRST, EXPANDED, openBranches } from '../../../../src/web/record/tree/open.ts'
import { searchFields } from '../../../../src/web/record/search.ts'

const draw = (value: unknown) => {
  const answer = { text: JSON.stringify(value) }
  return render(<JsonView answer={answer} />)
}
const row = (name: RegExp) => screen.getByRole('treeitem', { name })
/** The words of the focused row for screen readers. */
const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
/** Presses keys one after the other. @returns the focused row after each */
const press = (...keys: string[]) =>
  keys.map((key) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key })
    return focused()
  })

const RECORD = {
  name: 'Harbour',
  address: { street: 'Quay', city: 'Port' },
  settings: { quiet: { from: '18:00' } },
  phone: '1',
}

test('a branch says what it contains, and a press opens and closes it', () => {
  draw({ settings: { zone: 'UTC', day: 1 } })
  const branch = row(/^Settings, 2 fields$/)
  expect(branch).toHaveAttribute('aria-expanded', 'true')
  fireEvent.click(branch)
  expect(branch).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByText('UTC')).toBeNull()
  expect(branch).toHaveTextContent('Zone: UTCDay: 1')
})

test('arrows go through the rows, Home and End to the first and the last one (WAI-ARIA, tree view)', () => {
  draw(RECORD)
  row(/^Name/).focus()
  expect(press('ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft')).toEqual([
    'Name, Harbour',
    'Address, 2 fields',
    'Street, Quay',
    'City, Port',
    'Address, 2 fields',
  ])
  expect(press('End', 'ArrowDown', 'Home')).toEqual(['Phone, 1', 'Phone, 1', 'Name, Harbour'])
  expect(press('ArrowLeft')).toEqual(['Name, Harbour'])
})

test('Left closes a branch, Right opens it, and Enter and the space bar do either', () => {
  draw(RECORD)
  const address = row(/^Address/)
  address.focus()
  const states = ['ArrowLeft', 'ArrowRight', 'Enter', ' '].map((key) => {
    press(key)
    return address.getAttribute('aria-expanded')
  })
  expect(states).toEqual(['false', 'true', 'false', 'true'])
  expect(document.activeElement).toBe(address)
})

test('a row says its level, its place and the number of its siblings', () => {
  draw(RECORD)
  const place = (name: RegExp) =>
    ['aria-level', 'aria-posinset', 'aria-setsize'].map((one) => row(name).getAttribute(one))
  expect([place(/^Phone/), place(/^City/), place(/^From/)]).toEqual([
    ['1', '4', '4'],
    ['2', '2', '2'],
    ['3', '1', '1'],
  ])
})

test('a level that screen readers may not take is in the words of its row', () => {
  draw(JSON.parse(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`))
  fireEvent.click(screen.getByRole('button', { name: 'Expand all' }))
  expect(row(/^A, 1, level 8$/)).toHaveAttribute('aria-level', '6')
  expect(screen.getAllByRole('treeitem', { name: 'A, 1 field' })).toHaveLength(6)
})

test('the row that shows more of a list gives the focus to the first new row', () => {
  draw({ rows: Array.from({ length: 250 }, (_, at) => ({ at })) })
  screen.getByRole('treeitem', { name: 'Show 100 more (100 of 250 shown)' }).focus()
  expect(press('Enter')).toEqual(['101, 1 field'])
  expect(screen.getAllByRole('treeitem')).toHaveLength(202)
})

test('Enter on a long text shows more of it', () => {
  draw({ text: 'x'.repeat(300) })
  row(/^Text/).focus()
  press('Enter')
  expect(screen.getByText('x'.repeat(300))).toBeVisible()
})

test('keys of the browser and of the page stay theirs', () => {
  draw(RECORD)
  row(/^Address/).focus()
  for (const pressed of [{ key: 'ArrowLeft', altKey: true }, { key: 'End', shiftKey: true }, { key: 'g' }])
    expect(fireEvent.keyDown(row(/^Address/), pressed)).toBe(true)
  expect(row(/^Address/)).toHaveAttribute('aria-expanded', 'true')
})

test('a row that is gone gives its stop to the first row', () => {
  draw(RECORD)
  row(/^City/).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Collapse all' }))
  expect(row(/^Name/)).toHaveAttribute('tabindex', '0')
})

test('words for screen readers have no marks of direction, and no more of a text than a line (UAX 9)', () => {
  draw({ note: `\u202E\u2066${'n'.repeat(5000)}` })
  const words = row(/^Note/).getAttribute('aria-label') ?? ''
  expect(words).toMatch(/^Note, n+…$/)
  expect(words.length).toBeLessThan(200)
})

function drawText(text: string) {
  const user = userEvent.setup()
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  const answer = { text }
  render(<JsonView answer={answer} />)
  return { user, write }
}
const item = (name: RegExp) => screen.getByRole('menuitem', { name, hidden: true })
/** Opens the menu of the first row that is no branch. */
const openMenu = (label: RegExp) =>
  fireEvent.keyDown(screen.getByRole('treeitem', { name: label }), { key: 'F10', shiftKey: true })

test.each([
  ['"a text"', 'a text'],
  ['{"a":[1.10,null]}', '{"a":[1.10,null]}'],
  ['9007199254740993123', '9007199254740993123'],
])('%s is copied as %s', async (text, copied) => {
  const { user, write } = drawText(`{"note":${text}}`)
  openMenu(/^Note/)
  await user.click(item(/^Copy value$/))
  expect(await screen.findByText('Value copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith(copied)
})

test('where the browser has no clipboard, as over http, the page says so', async () => {
  const { user } = drawText('{"a":1}')
  openMenu(/^A/)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
  await user.click(item(/^Copy value$/))
  expect(await screen.findByText('The browser refused to copy')).toBeVisible()
})

test('a browser that refuses to copy is named', async () => {
  const { user, write } = drawText('{"a":1}')
  write.mockRejectedValue(new DOMException('refused', 'NotAllowedError'))
  openMenu(/^A/)
  await user.click(item(/^Copy value$/))
  expect(await screen.findByText('The browser refused to copy')).toBeVisible()
})

test.each(['Enter', 'ArrowRight', 'ContextMenu'])('the key %s opens the menu of a value', async (key) => {
  const { user, write } = drawText('{"a":1,"b":2}')
  fireEvent.keyDown(screen.getByRole('treeitem', { name: 'B, 2' }), { key })
  await user.click(item(/^Copy value$/))
  expect(write).toHaveBeenCalledWith('2')
})

test('a mouse opens the menu by a button of the row, which opens no branch', async () => {
  const { user, write } = drawText('{"a":{"b":[{}]}}')
  await user.click(screen.getAllByRole('button', { name: 'Copy' })[0] ?? document.body)
  expect(screen.getByRole('treeitem', { name: /^A/ })).toHaveAttribute('aria-expanded', 'true')
  await user.click(item(/^Copy value$/))
  expect(write).toHaveBeenCalledWith('{"b":[{}]}')
})

test.each([
  [new Digits('-0'), '-0'],
  [new Digits('1.10'), '1.10'],
])('%j is shown as %s', (value, words) => {
  const { container } = render(<Scalar of={value} />)
  expect(container).toHaveTextContent(words)
})

test('a list of words is chips, a hundred at a time', () => {
  const { container } = render(<Scalar of={['rope', 7, ...Array.from({ length: 150 }, () => 'x')]} />)
  const chips = () => [...container.querySelectorAll('bdi')].map((chip) => chip.textContent)
  expect(chips().slice(0, 3)).toEqual(['rope', '7', 'x'])
  expect(chips()).toHaveLength(100)
  fireEvent.click(screen.getByRole('button', { name: 'Show 52 more (100 of 152 shown)' }))
  expect(chips()).toHaveLength(152)
})

test('a paragraph has the direction of its letters', () => {
  render(<Scalar of="شركة الحبال" />)
  expect(screen.getByText('شركة الحبال')).toHaveAttribute('dir', 'auto')
})

test('a text of megabytes is shown in parts, and hidden again', () => {
  const { container } = render(<Scalar of={'x'.repeat(30_000)} />)
  const button = () => screen.getByRole('button')
  expect(container.textContent?.length).toBeLessThan(400)
  fireEvent.click(button())
  expect(container.textContent?.length).toBeGreaterThan(20_000)
  fireEvent.click(button())
  expect(button()).toHaveTextContent('Show less')
  fireEvent.click(button())
  expect(container.textContent?.length).toBeLessThan(400)
})

test.each([
  ['Monday', 'mon', ['Mon']],
  ['a MONTH on a monday', 'mon', ['MON', 'mon']],
  ['nothing', 'mon', []],
  ['İmon', 'mon', []],
])('in %s, %s is marked: %j', (text, query, marks) => {
  const { container } = render(
    <QueryWords value={query}>
      <Marked text={text} />
    </QueryWords>,
  )
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marks)
  expect(container).toHaveTextContent(text)
})

test('a match deep inside a text is shown', () => {
  const { container } = render(
    <QueryWords value="needle">
      <Scalar of={`${'x'.repeat(5000)} needle ${'x'.repeat(5000)}`} />
    </QueryWords>,
  )
  expect(container.querySelector('mark')).toHaveTextContent('needle')
})

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ at, list: [{ at }] }))

test('a small record is open down to the third level', () => {
  const record = { a: { b: { c: { d: { e: 1 } } } } }
  const open = openBranches(fieldsOf(record), AT_FIRST)
  expect([record.a, record.a.b, record.a.b.c].map((branch) => open.has(branch))).toEqual([true, true, true])
  expect(open.has(record.a.b.c.d)).toBe(false)
})

test('the members of an organization are open beside many other fields', () => {
  const record = { ...Object.fromEntries(rows(40).map((row, at) => [`a${at}`, row])), members: rows(20) }
  expect(openBranches(fieldsOf(record), AT_FIRST).has(record.members)).toBe(true)
})

test('"all" is never more than a page can show at once', () => {
  const record = { rows: rows(5000), others: rows(5000) }
  const open = openBranches(fieldsOf(record), EXPANDED)
  expect(open.has(record.rows)).toBe(true)
  expect(open.size).toBeLessThan(EXPANDED.mostRows)
})

test('a search opens only the branches with a match', () => {
  const record = { a: { x: 'match' }, b: { y: 'other' } }
  const fields = fieldsOf(record)
  const found = searchFields(fields, 'match').next()
  if (found.done !== true) throw new Error('found in one step')
  const open = openBranches(fields, EXPANDED, found.value)
  expect([open.has(record.a), open.has(record.b)]).toEqual([true, false])
})

test('short items of a list are closed at first, because one line shows them, and objects are open', () => {
  const record = { members: [{ id: 1, name: 'Ada' }, { tasks: [{ a: [] }] }], address: { city: 'x' } }
  const open = openBranches(fieldsOf(record), AT_FIRST)
  expect(
    [record.members[0], record.members[1], record.address].map((one) => open.has(one as object)),
  ).toEqual([false, true, true])
  expect(openBranches(fieldsOf(record), EXPANDED).has(record.members[0] as object)).toBe(true)
})
