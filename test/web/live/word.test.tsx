import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LiveWord } from '../../../src/web/live/word.tsx'
import { useUi } from '../../../src/web/lib/ui.ts'

test('whether the page is live is a word, and while it is not, when it is tried again (B20)', async () => {
  vi.useFakeTimers()
  useUi.setState({ live: 'connecting', liveRetryAtMs: 0 })
  render(<LiveWord />)
  expect(screen.getByText('connecting')).toBeVisible()
  act(() => useUi.setState({ live: 'not_live', liveRetryAtMs: performance.now() + 8000 }))
  expect(screen.getByText('not live: retry in 8 s')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(screen.getByText('not live: retry in 5 s')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(6000))
  expect(screen.getByText('not live: retrying')).toBeVisible()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByText('offline')).toBeVisible()
  act(() => useUi.setState({ live: 'live' }))
  expect(screen.getByText('live')).toBeVisible()
})
