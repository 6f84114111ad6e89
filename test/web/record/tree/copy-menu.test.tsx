import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { JsonView } from '../../../../src/web/record/view.tsx'

function draw(text: string) {
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
  const { user, write } = draw(`{"note":${text}}`)
  openMenu(/^Note/)
  await user.click(item(/^Copy value$/))
  expect(await screen.findByText('Value copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith(copied)
})

test('the path is shown and copied', async () => {
  const { user, write } = draw('{"a/b":{"big":1}}')
  openMenu(/^Big/)
  await user.click(item(/^Copy path \/a~1b\/big$/))
  expect(await screen.findByText('Path copied')).toHaveTextContent('Path copied')
  expect(write).toHaveBeenCalledWith('/a~1b/big')
})

test('a browser that refuses to copy is named', async () => {
  const { user, write } = draw('{"a":1}')
  write.mockRejectedValue(new DOMException('refused', 'NotAllowedError'))
  openMenu(/^A/)
  await user.click(item(/^Copy value$/))
  expect(await screen.findByText('The browser refused to copy')).toBeVisible()
})

test.each(['Enter', 'ArrowRight', 'ContextMenu'])('the key %s opens the menu of a value', async (key) => {
  const { user, write } = draw('{"a":1,"b":2}')
  fireEvent.keyDown(screen.getByRole('treeitem', { name: 'B, 2' }), { key })
  await user.click(item(/^Copy value$/))
  expect(write).toHaveBeenCalledWith('2')
})

test('a mouse opens the menu by a button of the row, which opens no branch', async () => {
  const { user, write } = draw('{"a":{"b":[{}]}}')
  await user.click(screen.getAllByRole('button', { name: 'Copy' })[0] ?? document.body)
  expect(screen.getByRole('treeitem', { name: /^A/ })).toHaveAttribute('aria-expanded', 'true')
  await user.click(item(/^Copy value$/))
  expect(write).toHaveBeenCalledWith('{"b":[{}]}')
})

test('arrows go between the items of the menu', () => {
  draw('{"a":1}')
  item(/^Copy value$/).focus()
  fireEvent.keyDown(item(/^Copy value$/), { key: 'ArrowDown' })
  expect(item(/^Copy path/)).toHaveFocus()
  fireEvent.keyDown(item(/^Copy path/), { key: 'ArrowUp' })
  expect(item(/^Copy value$/)).toHaveFocus()
})
