import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { answerWith, gate, refuseOnce, signedInNetwork } from '../_network.ts'
import { openPage, showAgain } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const card = () => screen.findByRole('region', { name: 'This minute' })
const meter = (name: string) => screen.findByRole('meter', { name: `${name} requests left this minute` })

/** The timers still run. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date', 'performance'] })

test('each class has a meter, its number as text, its state in words, and its age (D1, D2, D5)', async () => {
  stopClock()
  const network = await signedInNetwork()
  network.fixture.advance(12_000)
  await openPage('/', network)
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuetext', '59 of 60 reads left')
  expect(read).toHaveAttribute('aria-valuenow', '59')
  expect(await card()).toHaveTextContent('59 of 60 left')
  expect(within(await card()).getByRole('timer')).toHaveTextContent('Resets in 48 s')
  expect(await card()).toHaveTextContent('Plenty')
  expect((await card()).querySelector('[data-shape=circle]')).toBeVisible()
  expect(await card()).toHaveTextContent('As of 12 s ago')
})

test('a class that was never seen is not shown as measured (B24)', async () => {
  await openPage('/')
  const update = await meter('Update')
  expect(update).toHaveAttribute('aria-valuetext', 'updates: No data yet')
  expect(update).toHaveAttribute('aria-valuenow', '0')
  expect(update.className).toContain('hatched')
  expect(await card()).toHaveTextContent('up to 15')
})

test('the seconds count down from 60 beside the meter, and the end needs no request (D3, B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openPage('/')
  const read = await meter('Read')
  const before = network.calls.length
  const timer = within(await card()).getByRole('timer')
  expect(timer).toHaveTextContent(/Resets in (59|60) s/)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(timer).toHaveTextContent(/Resets in (4[89]|50) s/)
  expect(read).toHaveAttribute('aria-valuetext', '59 of 60 reads left')
  await act(() => vi.advanceTimersByTimeAsync(52_000))
  expect(await card()).toHaveTextContent(QUIET)
  expect(within(await card()).queryByRole('timer')).toBeNull()
  expect(network.calls).toHaveLength(before)
})

const QUIET = '60 reads and 15 updates a minute; none used in the last minute that we know of.'

/** Also hidden ones. */
const bars = () => document.querySelectorAll('[role="meter"][aria-label$="this minute"]')

test('while nothing runs one line fills the space of the bars, so that nothing moves later (B26)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(61_000)
  const { user } = await openPage('/', network)
  expect(await screen.findByText(QUIET)).toBeVisible()
  expect(screen.queryByRole('meter', { name: /this minute/ })).toBeNull()
  expect(bars()).toHaveLength(2)
  const version = () => useUi.getState().quota?.snapshot.version ?? 0
  const before = version()
  await user.click(screen.getByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText('59 of 60 left')).toBeVisible()
  expect(screen.queryByText(QUIET)).toBeNull()
  // The page reads the quota after the press, which resets the age.
  await waitFor(() => expect(version()).toBeGreaterThan(before))
  act(() => useUi.setState(({ quota }) => ({ quota: quota && { ...quota, atMs: quota.atMs - 120_000 } })))
  expect(await screen.findByText(QUIET)).toBeVisible()
  expect(screen.queryByRole('meter', { name: /this minute/ })).toBeNull()
})

test('a window that was reset within a minute of its last answer has no number yet (B26)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(50_000)
  await network.browser.spend('/organizations/1001')
  network.fixture.advance(20_000)
  await openPage('/', network)
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuetext', 'reads: New minute: probably all 60 free')
  expect(read.className).toContain('hatched')
  expect(await card()).toHaveTextContent('New minute: probably all 60 free')
  expect((await card()).querySelector('[data-shape=diamond]')).toBeVisible()
  expect(await card()).toHaveTextContent('up to 60')
})

test('the report of an answer, also of a refusal, is shown before the quota is read again (8.4.2)', async () => {
  const { network, user } = await openPage('/')
  await meter('Read')
  network.cut.add('GET /bff/quota')
  await user.click(screen.getByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText('15 of 15 left')).toBeVisible()
  expect(screen.getByText('58 of 60 left')).toBeVisible()
  answerWith(network, { 'X-RateLimit-Remaining': '0' }, 429)
  await user.click(await screen.findByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText('0 of 60 left')).toBeVisible()
})

test('while a request is in flight the count is a prediction, drawn lighter, with "about" (B30)', async () => {
  const { network, user } = await openPage('/')
  await meter('Read')
  const slow = gate()
  network.gate = slow.closed
  await user.click(screen.getByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText('about 58 of 60 left')).toBeVisible()
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuenow', '58')
  expect(read).toHaveAttribute('aria-valuetext', 'about 58 of 60 reads left')
  const cap = read.querySelector<HTMLElement>('[class*="flying"]')
  expect(Number.parseFloat(cap?.style.width ?? '')).toBeCloseTo(100 / 60)
  slow.open()
  expect(await screen.findByText('58 of 60 left')).toBeVisible()
})

test('a changed limit stays in the remarks, and so does a reset that cannot be read (B28)', async () => {
  const network = await signedInNetwork()
  const nowSeconds = Math.floor(network.fixture.now() / 1000)
  const reset = { 'X-RateLimit-Reset': String(nowSeconds + 61) }
  network.fixture.advance(1000)
  answerWith(network, { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '590', ...reset })
  await network.browser.spend('/organizations/1001')
  await openPage('/', network)
  await meter('Read')
  expect(await card()).toHaveTextContent('Limit 60 → 600')
  answerWith(network, { 'X-RateLimit-Reset': '2026-11-21T12:00:00Z' })
  fireEvent.click(screen.getByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText(/The reset came in a form that cannot be read/)).toBeVisible()
})

test('the browser’s own clock does not change the countdown (B10)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await openPage('/')
  await meter('Read')
  const timer = within(await card()).getByRole('timer')
  vi.setSystemTime(Date.now() - 86_400_000)
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(timer).toHaveTextContent(/Resets in (5[789]) s/)
})

test('after a sleep the countdown is hidden until the quota is read again (B11)', async () => {
  const { network } = await openPage('/')
  await meter('Read')
  const reads = network.count('GET', '/bff/quota')
  network.gate = gate().closed
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  act(showAgain)
  expect(await screen.findByText('The computer slept, asking again')).toBeVisible()
  expect(network.count('GET', '/bff/quota')).toBe(reads)
  expect(network.spent()).toBe(0)
})

test('anything unusual about a number is written beside it (B2, B4)', async () => {
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
  expect(text).toHaveTextContent('The service did not say if this is read or update')
  expect(text).toHaveTextContent('More than the limit, so probably wrong')
  expect(text).toHaveTextContent('The reset came in milliseconds')
  expect(text).toHaveTextContent('The window is longer than a minute')
})

test('a negative count is shown as none, and by how many (B2)', async () => {
  const network = await signedInNetwork()
  answerWith(network, { 'X-RateLimit-Remaining': '-2' })
  await network.browser.spend('/organizations/1001')
  await openPage('/', network)
  await meter('Read')
  expect(await card()).toHaveTextContent('0 of 60 left')
  expect(await card()).toHaveTextContent('None left')
  expect((await card()).querySelector('[data-shape=square]')).toBeVisible()
  expect(await card()).toHaveTextContent('Over by 2')
})

test('checking the limits costs one request, shows the price, and fills both meters (4.3)', async () => {
  const { network, user } = await openPage('/')
  await user.click(await screen.findByRole('button', { name: 'Check the limits · 0–1 requests' }))
  expect(await screen.findByText('15 of 15 left')).toBeVisible()
  expect(screen.getByText('58 of 60 left')).toBeVisible()
  expect(network.spent()).toBe(1)
  expect(network.count('GET', '/api/rate_limit')).toBe(1)
})

test('a quota that cannot be read can be read again for free (8.3)', async () => {
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

test('while a limit is reached the card says for how long nothing is sent (7)', async () => {
  stopClock()
  const network = await signedInNetwork()
  await refuseOnce(network, { 'Retry-After': '20' })
  await openPage('/', network)
  expect(await screen.findByText(/^Paused for 20 s$/)).toBeVisible()
})

test('in Japanese no English sentence is left', async () => {
  await loadLanguage('ja')
  const network = await signedInNetwork()
  answerWith(network, { 'X-RateLimit-Remaining': '-2' })
  await network.browser.spend('/organizations/1001')
  await openPage('/', network)
  expect(await screen.findByRole('meter', { name: 'この1分間に残っている読み取り' })).toBeVisible()
  const shown = screen.getByRole('region', { name: 'この1分間' })
  expect(shown).toHaveTextContent('上限を確認・0～1リクエスト')
  expect(shown).not.toHaveTextContent(/[A-Za-z]{3,}/)
})
