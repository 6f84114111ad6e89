import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RawJson } from '../../../src/web/record/raw.tsx'

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
