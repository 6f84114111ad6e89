import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { JsonView } from '../../../../src/web/record/view.tsx'

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

test('a closed branch is not rendered', () => {
  const { container } = draw({ a: { b: { c: { d: { e: [['inside']] } } } } })
  expect(container).not.toHaveTextContent('inside')
  fireEvent.click(row(/^D,/))
  fireEvent.click(row(/^E,/))
  expect(container).toHaveTextContent('inside')
})

test('the tree is one stop of the Tab key, where the focus was last (WAI-ARIA, tree view)', async () => {
  const user = userEvent.setup()
  draw(RECORD)
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('[role=tree] *')].filter(({ tabIndex }) => tabIndex === 0)
  expect(stops()).toEqual([row(/^Name/)])
  await user.tab()
  while (document.activeElement?.role !== 'treeitem') await user.tab()
  press('ArrowDown', 'ArrowDown')
  await user.tab()
  expect(document.activeElement?.closest('[role=tree]')).toBeNull()
  await user.tab({ shift: true })
  expect(focused()).toBe('Street, Quay')
  expect(stops()).toEqual([row(/^Street/)])
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

test('fields have the order of the answer, under their own names (2.3)', () => {
  draw({ zeta: 1, plan: 'standard', created_at: '2021-03-14' })
  expect(screen.getAllByRole('treeitem').map(focusedWords)).toEqual([
    'Zeta, 1',
    'Plan, standard',
    'Created at, Mar 14, 2021',
  ])
})
const focusedWords = (element: HTMLElement) => element.getAttribute('aria-label')

test.each([
  ['plan', { tier: 1 }],
  ['plan', 'constructor'],
  ['owner', [null]],
  ['members', 3],
  ['created_at', 1e9],
  ['updated_at', false],
])('a known member %s may be %j (4.4)', (name, value) => {
  const { container } = draw({ [name]: value })
  expect(container.textContent).not.toMatch(/undefined|NaN|\[object|function/)
})

test('items of a list are called by their number and their name', () => {
  draw({ projects: [{ name: 'Kittiwake', tasks: [{ a: 1 }] }, 7] })
  expect(row(/^1 · Kittiwake, 2 fields$/)).toBeVisible()
  expect(row(/^2, 7$/)).toBeVisible()
})

test('words for screen readers have no marks of direction, and no more of a text than a line (UAX 9)', () => {
  draw({ note: `\u202E\u2066${'n'.repeat(5000)}` })
  const words = row(/^Note/).getAttribute('aria-label') ?? ''
  expect(words).toMatch(/^Note, n+…$/)
  expect(words.length).toBeLessThan(200)
})
