import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useUi } from '../../src/web/ui.ts'
import { answerWith, gate, signedInNetwork } from './_network.ts'
import { openPage, showAgain } from './_page.tsx'

const card = () => screen.findByRole('region', { name: 'This minute' })
const meter = (name: string) => screen.findByRole('meter', { name: `${name} requests left this minute` })

test('each class has a meter, its number as text, its state in words, and its age (D1, D2, D5)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(12_000)
  await openPage('/', network)
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuetext', '59 of 60 reads left, resets in 49 seconds')
  expect(read).toHaveAttribute('aria-valuenow', '59')
  expect(await card()).toHaveTextContent('59 of 60 left')
  expect(await card()).toHaveTextContent('● plenty')
  expect(await card()).toHaveTextContent('as of 12 s ago')
})

test('a class never seen is not shown as measured (B24)', async () => {
  await openPage('/')
  const update = await meter('Update')
  expect(update).toHaveAttribute('aria-valuetext', 'updates: not yet seen')
  expect(update).toHaveAttribute('aria-valuenow', '0')
  expect(update.className).toContain('hatched')
  expect(await card()).toHaveTextContent('up to 15')
})

test('the seconds tick beside the meter, and not in it; at the end that is shown without a request (D3, B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openPage('/')
  const read = await meter('Read')
  const before = network.calls.length
  const timer = within(await card()).getByRole('timer')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(timer).toHaveTextContent(/resets in (49|5[01]) s/)
  expect(read).toHaveAttribute('aria-valuetext', '59 of 60 reads left, resets in 61 seconds')
  await act(() => vi.advanceTimersByTimeAsync(52_000))
  expect(read).toHaveAttribute('aria-valuetext', 'reads: window has reset, not yet confirmed')
  expect(read.className).toContain('hatched')
  expect(await card()).toHaveTextContent('◇ window has reset, not yet confirmed')
  expect(within(await card()).queryByRole('timer')).toBeNull()
  expect(network.calls).toHaveLength(before)
})

test('the browser’s own clock does not matter to the countdown (B10)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await openPage('/')
  await meter('Read')
  const timer = within(await card()).getByRole('timer')
  vi.setSystemTime(Date.now() - 86_400_000)
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(timer).toHaveTextContent(/resets in (5[789]) s/)
})

test('after a sleep the countdown is not trusted before the quota was read again (B11)', async () => {
  const { network } = await openPage('/')
  await meter('Read')
  const reads = network.count('GET', '/bff/quota')
  network.gate = gate().closed
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  act(showAgain)
  expect(await screen.findByText('the computer slept, asking again')).toBeVisible()
  expect(network.count('GET', '/bff/quota')).toBe(reads)
  expect(network.spent()).toBe(0)
})

test('what is odd about a number is written beside it (B2, B4)', async () => {
  const network = await signedInNetwork()
  const nowSeconds = Math.floor(network.fixture.now() / 1000)
  answerWith(network, {
    'X-RateLimit-Limit': '77',
    'X-RateLimit-Remaining': '80',
    'X-RateLimit-Reset': String((nowSeconds + 300) * 1000),
  })
  await network.browser.spend('/organizations/1001')
  await openPage('/', network)
  await meter('Read')
  const text = await card()
  expect(text).toHaveTextContent('80 of 77 left')
  expect(text).toHaveTextContent('class assumed')
  expect(text).toHaveTextContent('more than the limit, so not believed')
  expect(text).toHaveTextContent('the reset came in milliseconds')
  expect(text).toHaveTextContent('the window is longer than a minute')
})

test('fewer than none is shown as none, and by how many (B2)', async () => {
  const network = await signedInNetwork()
  answerWith(network, { 'X-RateLimit-Remaining': '-2' })
  await network.browser.spend('/organizations/1001')
  await openPage('/', network)
  await meter('Read')
  expect(await card()).toHaveTextContent('0 of 60 left')
  expect(await card()).toHaveTextContent('■ none left')
  expect(await card()).toHaveTextContent('over by 2')
})

test('checking the limits costs one request, shows the price, and fills both meters (4.3)', async () => {
  const { network, user } = await openPage('/')
  await user.click(await screen.findByRole('button', { name: 'Check the limits · 1 request' }))
  expect(await screen.findByText('15 of 15 left')).toBeVisible()
  expect(screen.getByText('58 of 60 left')).toBeVisible()
  expect(network.spent()).toBe(1)
  expect(network.count('GET', '/api/rate_limit')).toBe(1)
})

test('a quota that cannot be read can be asked for again for free (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/quota')
  await openPage('/', network)
  const again = await screen.findByRole('button', { name: 'Read · free' })
  expect(await card()).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  fireEvent.click(again)
  expect(await meter('Read')).toHaveAttribute('aria-valuenow', '59')
  expect(network.spent()).toBe(0)
  expect(useUi.getState().quotaProblem).toBeUndefined()
})
