import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { gate, refuseOnce, signedInNetwork } from '../_network.ts'
import { follow, openPage, showAgain } from '../_page.tsx'
import type { RecentRequest } from '../../../src/contract/quota.ts'
import { MinuteCard } from '../../../src/web/minute/panel.tsx'
import { draw, received } from '../_month.tsx'

const card = () => screen.findByRole('region', { name: 'Speed limit, this minute' })
const meter = (name: string) => screen.findByRole('meter', { name: `${name} requests left this minute` })

/** The timers still run. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'] })

const ring = (of: HTMLElement, kind: string) => of.querySelector(`path[class*="${kind}"]`)
/** The share of a circle that is drawn, without its round ends. */
const drawn = (circle: Element | null) => Number(circle?.getAttribute('stroke-dasharray')?.split(' ')[0])

test('each class has a meter, its number as text, its state in words, and its reset (D1, D2, D5)', async () => {
  stopClock()
  const network = await signedInNetwork()
  network.fixture.advance(12_000)
  await openPage('/', network)
  const read = await meter('Read')
  expect(read).toHaveAttribute('aria-valuetext', 'Reads 59 of 60 left')
  expect(read).toHaveAttribute('aria-valuenow', '59')
  expect(await card()).toHaveTextContent('59 of 60 left')
  expect(within(await card()).getByRole('timer')).toHaveTextContent('refills in 48 sec')
  expect(drawn(ring(read, 'left'))).toBeCloseTo(59 / 60, 1)
  expect(drawn(ring(read, 'countdown'))).toBeCloseTo(48 / 60)
})

test('a class that was never seen is not shown as measured (B24)', async () => {
  await openPage('/')
  const update = await meter('Update')
  expect(update).toHaveAttribute('aria-valuetext', 'Updates 15 a minute')
  expect(update).toHaveAttribute('aria-valuenow', '0')
  expect(drawn(ring(update, 'left'))).toBe(0)
  expect(await card()).toHaveTextContent('15 a minutenot measured yet')
})

test('the seconds count down from 60 beside the meter, and the end needs no request (D3, B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openPage('/')
  const read = await meter('Read')
  // The page has asked for everything by then.
  await screen.findByRole('slider', { name: /equests left, day by day|At most/ })
  // The card of the organization asks each minute for its copy.
  const asked = () => network.calls.filter(({ path }) => path.startsWith('/bff')).length
  const before = asked()
  const timer = within(await card()).getByRole('timer')
  expect(timer).toHaveTextContent(/refills in (59|60) s/)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(timer).toHaveTextContent(/refills in (4[89]|50) s/)
  expect(read).toHaveAttribute('aria-valuetext', 'Reads 59 of 60 left')
  await act(() => vi.advanceTimersByTimeAsync(52_000))
  expect(await card()).toHaveTextContent('60 leftnew minute')
  expect(within(await card()).queryByRole('timer')).toBeNull()
  expect([asked(), network.spent()]).toEqual([before, 0])
})

test.each([
  [30_000, /refills in 2\d sec/],
  [-7_200_000, /refills in (5\d|60) sec/],
])(
  'a clock that is set by %d ms changes a countdown until the next snapshot only (B10)',
  async (ms, then) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openPage('/')
    await meter('Read')
    // The chart comes late, and what is drawn anew after half a minute asks for the newest.
    await screen.findByRole('figure')
    const timer = within(await card()).getByRole('timer')
    vi.setSystemTime(Date.now() + ms)
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(timer).toHaveTextContent(then)
    act(showAgain)
    await waitFor(() => expect(timer).toHaveTextContent(/refills in (5\d|60) sec/))
    await act(() => vi.advanceTimersByTimeAsync(15_000))
    expect(timer).toHaveTextContent(/refills in 4\d sec/)
  },
)

test('after a sleep the minute is over at once, and the quota is read again (B11)', async () => {
  const { network } = await openPage('/')
  await meter('Read')
  const reads = network.count('GET', '/bff/quota')
  network.gate = gate().closed
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  act(showAgain)
  expect(await screen.findByText('new minute')).toBeVisible()
  expect(ring(await meter('Read'), 'countdown')).toBeNull()
  expect(network.count('GET', '/bff/quota')).toBe(reads + 1)
  expect(network.spent()).toBe(0)
})

test('a quota that cannot be read can be read again for free (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/quota')
  await openPage('/', network)
  const again = await screen.findByRole('button', { name: 'Try again · free' })
  expect(again.closest('section')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(screen.queryByRole('meter')).toBeNull()
  network.cut.clear()
  fireEvent.click(again)
  expect(await meter('Read')).toHaveAttribute('aria-valuenow', '59')
  expect(network.spent()).toBe(0)
  expect(screen.queryByRole('button', { name: 'Try again · free' })).toBeNull()
})

test('a check of the limits is answered for screen readers too, each time anew (WCAG 4.1.3)', async () => {
  const { network, user } = await openPage('/')
  const status = within(await card()).getByRole('status')
  expect(status).toBeEmptyDOMElement()
  for (const left of [58, 57]) {
    network.fixture.advance(6000)
    await user.click(await screen.findByRole('button', { name: /^Check limits/ }))
    await waitFor(() =>
      expect(status).toHaveTextContent(`Reads ${left} of 60 left and Updates 15 of 15 left`),
    )
  }
  // What others send is not read out, nor is the check of before when the person comes back.
  network.fixture.advance(2000)
  await network.browser.spend('/organizations/1001')
  act(showAgain)
  await waitFor(() =>
    expect(screen.getByRole('meter', { name: /^Read/ })).toHaveAttribute('aria-valuenow', '56'),
  )
  expect(status).not.toHaveTextContent('Reads 56')
  await follow(user, 'Ledger')
  await user.click(await screen.findByRole('link', { name: 'Back to quota and organization' }))
  expect(within(await card()).getByRole('status')).toBeEmptyDOMElement()
})

test('while a limit is reached the card says for how long nothing is sent (7)', async () => {
  stopClock()
  const network = await signedInNetwork()
  await refuseOnce(network, { 'Retry-After': '20' })
  await openPage('/', network)
  expect(await screen.findByText(/^Paused: 20 sec$/)).toBeVisible()
})

const request = (changes: Partial<RecentRequest> = {}): RecentRequest => ({
  id: 'one',
  age_ms: 14_000,
  kind: 'read',
  by: 'you',
  failed: false,
  ...changes,
})
const show = (...recent: RecentRequest[]) => draw(<MinuteCard />, received({}, { recent }))
const rows = () => within(screen.getByRole('list', { name: 'Last requests' })).getAllByRole('listitem')
const words = () => rows().map(({ textContent }) => textContent)

test('each of the last requests has its person, its kind and its age, newest first (8.3)', () => {
  show(
    request({ by: 'another', age_ms: 2000 }),
    request({ id: 'two', kind: 'check' }),
    request({ id: 'three', kind: 'sign_in', age_ms: 60_000 }),
    request({ id: 'four', failed: true }),
    request({ id: 'five', kind: 'refresh' }),
  )
  expect(words()).toEqual([
    'Another browser read the organization 2 seconds ago',
    'You checked limits 14 seconds ago',
    'You signed in 1 minute ago',
    'You read the organization failed 14 seconds ago',
    'You refreshed the token 14 seconds ago',
  ])
})

test('the ages go on without a request', async () => {
  vi.useFakeTimers()
  show(request())
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(words()).toEqual(['You read the organization 17 seconds ago'])
})
