import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useOffline } from '../../../src/web/lib/online.ts'
import { useUi } from '../../../src/web/lib/ui.ts'

function Word() {
  return useOffline() ? 'offline' : 'online'
}

test('the page is offline by the browser’s own events, and never while the server is reached', () => {
  useUi.setState({ live: 'live' })
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(<Word />)
  expect(screen.getByText('online')).toBeVisible()
  act(() => useUi.setState({ live: 'connecting' }))
  expect(screen.getByText('offline')).toBeVisible()
  onLine.mockReturnValue(true)
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.getByText('online')).toBeVisible()
  onLine.mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByText('offline')).toBeVisible()
})
