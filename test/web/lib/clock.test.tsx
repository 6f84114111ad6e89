import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useElapsed } from '../../../src/web/lib/clock.ts'

let draws = 0
function Probe({ sinceMs }: { sinceMs: number }) {
  draws++
  return <p>{Math.round(useElapsed(sinceMs) / 1000)}</p>
}

test('the clock ticks each second while it can be seen, and never when hidden (D10)', () => {
  vi.useFakeTimers()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  render(<Probe sinceMs={Date.now()} />)
  act(() => void vi.advanceTimersByTime(3000))
  expect(screen.getByText('3')).toBeVisible()
  hidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  const before = draws
  act(() => void vi.advanceTimersByTime(60_000))
  expect(draws).toBe(before)
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByText('63')).toBeVisible()
})

test('nothing ticks when nothing watches', () => {
  vi.useFakeTimers()
  const { unmount } = render(<Probe sinceMs={Date.now()} />)
  expect(vi.getTimerCount()).toBe(1)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
