import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { runEarly } from '../_early.ts'
import { latePart } from '../../../src/web/components/late-part.tsx'
import { stubFetch } from '../_network.ts'

const Whole = () => <p>the whole part</p>
const Waiting = () => <p>waiting</p>

test('a part is drawn when its file has come, and at once where it was loaded before (D3)', async () => {
  const Part = latePart(() => Promise.resolve(Whole), Waiting)
  const { unmount } = render(<Part />)
  expect(screen.getByText('waiting')).toBeVisible()
  expect(await screen.findByText('the whole part')).toBeVisible()
  unmount()
  render(<Part />)
  expect(screen.getByText('the whole part')).toBeVisible()
})

test('a file that cannot be loaded costs its own part alone, and a press loads the page anew (D3)', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  let isUp = false
  stubFetch(() => (isUp ? Promise.resolve(new Response()) : Promise.reject(new TypeError('fetch failed'))))
  const Part = latePart(() => Promise.reject(new TypeError('Failed to fetch')), Waiting)
  render(
    <>
      <Part />
      <p>the rest</p>
    </>,
  )
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(screen.getByText('the rest')).toBeVisible()
  const again = () => userEvent.click(screen.getByRole('button', { name: /^Try again/ }))
  const notice = screen.getByRole('alert')
  await again()
  // It looked, and says so anew.
  expect(await screen.findByRole('alert')).not.toBe(notice)
  // Without a server a reload would lose the page.
  expect(reload).not.toHaveBeenCalled()
  isUp = true
  await again()
  await expect.poll(() => reload.mock.calls.length).toBe(1)
})

test.each([
  ['/watch/abc?wall', 'by itself, not to an answer of a proxy', 1],
  ['/watch/abc', 'only by a press', 0],
])('without a file the page %s loads anew %s (L9)', async (path, _, expected) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  history.replaceState(null, '', path)
  runEarly()
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  let status = 200
  stubFetch(() => Promise.resolve(new Response(null, { status })))
  // While all is well it stays.
  await pass(31_000)
  const Part = latePart(() => Promise.reject(new TypeError('Failed to fetch')), Waiting)
  status = 502
  render(<Part />)
  expect(await screen.findByRole('alert')).toBeVisible()
  await pass(31_000)
  expect(reload).not.toHaveBeenCalled()
  status = 200
  await pass(30_000)
  expect(reload).toHaveBeenCalledTimes(expected)
})
