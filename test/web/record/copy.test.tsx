import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CopyButtons } from '../../../src/web/record/copy.tsx'
import { readJsonText } from '../../../src/web/record/json-text.ts'
import { RawJson } from '../../../src/web/record/raw.tsx'

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

test('a browser that refuses to copy is named', async () => {
  const { user, write } = draw(1)
  write.mockRejectedValue(new DOMException('refused', 'NotAllowedError'))
  await user.click(press('Copy value'))
  expect(await screen.findByText('The browser refused to copy')).toBeVisible()
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

test('text that is too long to show is counted, and is in the download', () => {
  render(<RawJson text={`"${'x'.repeat(150_000)}"`} file="a.json" />)
  const details = screen.getByText('Raw JSON').closest('details')!
  details.open = true
  fireEvent(details, new Event('toggle'))
  expect(screen.getByText('50002 more characters are not shown. The download has all.')).toBeVisible()
})
