import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CopyButtons } from '../../../src/web/record/copy.tsx'
import { readJsonText } from '../../../src/web/record/json-text.ts'

function draw(value: unknown) {
  const user = userEvent.setup()
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  render(<CopyButtons value={value} path="/a/b" />)
  return { user, write }
}
const press = (name: string) => screen.getByRole('button', { name })

test.each([
  ['"a text"', 'a text'],
  ['{"a":[1.10,null]}', '{"a":[1.10,null]}'],
  ['9007199254740993123', '9007199254740993123'],
])('%s is copied as %s', async (text, copied) => {
  const { user, write } = draw(readJsonText(text)?.value)
  await user.click(press('Copy value'))
  expect(await screen.findByText('Value copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith(copied)
})

test('the path is copied', async () => {
  const { user, write } = draw(1)
  await user.click(press('Copy path'))
  expect(await screen.findByText('Path copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith('/a/b')
})

test('a browser that refuses is named', async () => {
  const { user, write } = draw(1)
  write.mockRejectedValue(new DOMException('refused', 'NotAllowedError'))
  await user.click(press('Copy value'))
  expect(await screen.findByText('The browser refused to copy')).toBeVisible()
})
