import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { RateNote } from '../../src/contract/rate-limit.ts'
import { useUi } from '../../src/web/ui.ts'
import { snapshot, window_ } from './_bff.ts'
import { look, openPage } from './_page.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const card = () => screen.findByRole('region', { name: 'This minute' })
const meter = (name: string) => screen.findByRole('meter', { name: `${name} requests left this minute` })

test('each class has a meter, its number as text, its state in words, and its age (D1, D2, D5)', async () => {
  openPage('/')
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuetext', '37 of 60 reads left, resets in 22 seconds')
  expect(read).toHaveAttribute('aria-valuenow', '37')
  expect(await card()).toHaveTextContent('37 of 60 left')
  expect(await card()).toHaveTextContent('● plenty')
  expect(await card()).toHaveTextContent('as of 12 s ago')
})

test('a class never seen is not drawn as measured (B24)', async () => {
  openPage('/')
  const update = await meter('Update')
  expect(update).toHaveAttribute('aria-valuetext', 'updates: not yet seen')
  expect(update).toHaveAttribute('aria-valuenow', '0')
  expect(update.className).toContain('hatched')
  expect(await card()).toHaveTextContent('up to 15')
})

test('the seconds tick beside the meter, and not in it; at the end it says so without a request (D3, B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { bff } = openPage('/')
  const read = await meter('Read')
  const before = bff.calls.length
  const timer = within(await card()).getByRole('timer')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(timer).toHaveTextContent(/resets in 1[12] s/)
  expect(read).toHaveAttribute('aria-valuetext', '37 of 60 reads left, resets in 22 seconds')
  await act(() => vi.advanceTimersByTimeAsync(13_000))
  expect(read).toHaveAttribute('aria-valuetext', 'reads: window has reset, not yet confirmed')
  expect(read.className).toContain('hatched')
  expect(await card()).toHaveTextContent('◇ window has reset, not yet confirmed')
  expect(within(await card()).queryByRole('timer')).toBeNull()
  expect(bff.calls).toHaveLength(before)
})

test('the browser’s own clock does not matter to the countdown (B10)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  openPage('/')
  const timer = within(await card()).getByRole('timer')
  vi.setSystemTime(Date.now() - 86_400_000)
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(timer).toHaveTextContent(/resets in (19|20) s/)
})

test('after a sleep the countdown is not trusted before the quota was read again (B11)', async () => {
  const { bff } = openPage('/')
  await meter('Read')
  const reads = bff.count('GET', '/bff/quota')
  bff.gate = new Promise(() => {})
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  act(look)
  expect(await screen.findByText('the clock stood still, asking again')).toBeVisible()
  expect(bff.count('GET', '/bff/quota')).toBe(reads)
  expect(bff.spent()).toBe(0)
})

test('what is odd about a number stands beside it', async () => {
  const notes = ['long_window', 'reset_as_delay'] satisfies RateNote[]
  openPage('/', {
    quota: snapshot({
      read: window_({ remaining: 61, inconsistent: true, assumed: true, notes }),
      update: window_({ limit: 15, remaining: -2, in_flight: 1 }),
    }),
  })
  const text = await card()
  await meter('Read')
  expect(text).toHaveTextContent('61 of 60 left')
  expect(text).toHaveTextContent('class assumed')
  expect(text).toHaveTextContent('more than the limit, so not believed')
  expect(text).toHaveTextContent('the window is longer than a minute')
  expect(text).toHaveTextContent('0 of 15 left')
  expect(text).toHaveTextContent('■ none left')
  expect(text).toHaveTextContent('over by 2')
  expect(text).toHaveTextContent('1 in flight')
})

test('checking the limits costs one request, says so, and fills both meters (4.3)', async () => {
  const { bff, user } = openPage('/')
  const button = await screen.findByRole('button', { name: 'Check the limits · 1 request' })
  bff.quota = snapshot({ read: window_({ remaining: 36 }), update: window_({ limit: 15, remaining: 15 }) })
  await user.click(button)
  expect(await screen.findByText('15 of 15 left')).toBeVisible()
  expect(screen.getByText('36 of 60 left')).toBeVisible()
  expect(bff.spent()).toBe(1)
  expect(bff.count('GET', '/api/rate_limit')).toBe(1)
})

test('a quota that cannot be read is said, and can be asked for again for free', async () => {
  const { bff } = openPage('/', { failures: { 'GET /bff/quota': { code: 'store_unavailable' } } })
  const again = await screen.findByRole('button', { name: 'Read · free' })
  expect(await card()).toHaveTextContent('The database cannot be reached')
  bff.failures = {}
  fireEvent.click(again)
  expect(await meter('Read')).toHaveAttribute('aria-valuenow', '37')
  expect(bff.spent()).toBe(0)
  expect(useUi.getState().quotaProblem).toBeUndefined()
})
