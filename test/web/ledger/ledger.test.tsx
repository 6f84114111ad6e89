import { render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Use } from '../../../src/web/ledger/use.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

/** After the presses and a check of the limits. */
async function openLedger(presses = 2) {
  const network = await signedInNetwork('api_key')
  for (let times = 0; times < presses; times++) {
    network.fixture.advance(2000)
    await network.browser.spend('/organizations')
  }
  const before = network.spent()
  const opened = await openPage('/ledger', network)
  await screen.findByRole('table', { name: /newest first|新しい順/ })
  return { ...opened, network, spent: () => network.spent() - before }
}

test('the page lists the used requests by kind, by day and one by one, and costs nothing (C35)', async () => {
  const { spent } = await openLedger()
  const list = screen.getByRole('table', { name: 'Requests, newest first' })
  expect(within(list).getAllByRole('row')).toHaveLength(4)
  expect(screen.getByRole('table', { name: 'By type' })).toHaveTextContent(/Read3/)
  expect(await screen.findByRole('figure', { name: /At most 97 of 100 requests left/ })).toBeVisible()
  expect(spent()).toBe(0)
})

test('a press loads more, until the whole month is there, and costs nothing (C35)', async () => {
  const { user, spent } = await openLedger(55)
  expect(screen.getByText('50 of the newest 50 requests')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('56 of 56 requests this month')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  expect(spent()).toBe(0)
})

test('the list stays as it was read; the page says that it is outdated, and a press reads it again (C35)', async () => {
  const { user, network } = await openLedger()
  const reads = network.count('GET', '/bff/ledger')
  expect(screen.queryByText('There are newer requests.')).toBeNull()
  network.fixture.advance(2000)
  await network.browser.spend('/organizations')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  expect(await screen.findByText('There are newer requests.')).toBeVisible()
  expect(network.count('GET', '/bff/ledger')).toBe(reads)
  await user.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByText('4 of 4 requests this month')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('There are newer requests.')).toBeNull())
})

test('the page has one polite live region, which says how many requests are shown (D4)', async () => {
  await openLedger()
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    '3 of 3 requests this month',
  ])
})

test('a ledger that cannot be read is reported, and a press asks again', async () => {
  const network = await signedInNetwork('api_key')
  network.cut.add('GET /bff/ledger')
  const { user } = await openPage('/ledger', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1 of 1 request this month')).toBeVisible()
})

test('the month is summed by browser, and a server without these sums shows the rest (C35)', async () => {
  const { network, unmount } = await openLedger()
  const { browser } = network
  expect(await screen.findByRole('table', { name: 'By browser' })).toHaveTextContent(/Another browser3/)
  unmount()
  const { fetch } = browser
  browser.fetch = (path, init) =>
    fetch.call(browser, path === '/bff/ledger/browsers' ? '/bff/ledger/none' : path, init)
  await openPage('/ledger', network)
  expect(await screen.findByRole('table', { name: 'By type' })).toBeVisible()
  await screen.findByRole('table', { name: 'Requests, newest first' })
  expect(screen.queryByRole('table', { name: 'By browser' })).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the sums, the chart and the list are in Japanese too', async () => {
  await loadLanguage('ja')
  await openLedger(0)
  expect(screen.getByText('今月の1件のうち1件')).toBeVisible()
  const figure = await screen.findByRole('figure', { name: /100件中、残り最大99件です。/ })
  expect(within(figure).getByRole('slider')).toHaveAttribute(
    'aria-valuetext',
    expect.stringMatching(/残り最大99件/),
  )
  expect(screen.getAllByRole('cell', { name: /読み取り · サインイン時/ })).not.toHaveLength(0)
  expect(latinSentences()).toEqual([])
})

const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

test('tables sum the requests by kind, by browser and by day (C35)', () => {
  render(
    <Use
      days={[
        { day: '2026-11-21', kind: 'api.read', low: 3, high: 3 },
        { day: '2026-11-21', kind: 'token.refresh', low: 0, high: 2 },
        { day: '2026-11-20', kind: 'api.read', low: 1, high: 2 },
      ]}
      browsers={[
        { browser: 'Aya, office', low: 3, high: 3 },
        { browser: 'Firefox on Linux', low: 1, high: 2 },
        { low: 0, high: 2 },
      ]}
    />,
  )
  expect(rows('By browser')).toEqual(['Aya, office3', 'Firefox on Linux1–2', 'Unknown browser0–2'])
  expect(rows('By type')).toEqual(['Read4–5', 'Token refresh0–2'])
  expect(rows('By day (UTC)')).toEqual(['Nov 213–5', 'Nov 201–2'])
})

test('a month without a request says so', () => {
  render(<Use days={[]} browsers={[]} />)
  expect(screen.getByText('This app has sent no request this month.')).toBeVisible()
})
