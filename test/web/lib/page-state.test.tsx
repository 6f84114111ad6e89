import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useOffline } from '../../../src/web/lib/online.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { NAME, openPage } from '../_page.tsx'

function Word() {
  return useOffline() ? 'offline' : 'online'
}

test('the browser’s own events make the page offline, but never while the server answers', () => {
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

test('the store holds the quota, and no data of the organization (4.4)', async () => {
  await openPage('/')
  await screen.findByText(NAME)
  await expect.poll(() => useUi.getState().quota).toBeDefined()
  expect(JSON.stringify(useUi.getState())).not.toContain(NAME)
})
