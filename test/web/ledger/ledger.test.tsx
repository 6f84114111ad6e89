import { act, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Use } from '../../../src/web/ledger/ledger.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { draw } from '../_month.tsx'
import { openPage, quotaOfPage, showAgain } from '../_page.tsx'
import type { LedgerEntry } from '../../../src/contract/ledger.ts'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import { LedgerEntries, countsWords } from '../../../src/web/ledger/entries.tsx'

afterEach(() => loadLanguage('en'))

const ledgerEntry = (changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at: '2026-11-21T06:00:00Z',
  kind: 'api.read',
  initiator: 'person',
  by: 'you',
  outcome: 'settled',
  status: 200,
  counts: 'yes',
  ...changes,
})

/** After the presses and a check of the limits. */
async function openLedger(presses = 2) {
  const network = await signedInNetwork('api_key')
  for (let times = 0; times < presses; times++) {
    network.fixture.advance(2000)
    await network.browser.spend('/organizations')
  }
  const before = network.spent()
  const opened = await openPage('/ledger', network)
  for (const name of ['Requests, newest first', 'By type']) await screen.findByRole('table', { name })
  return { ...opened, network, spent: () => network.spent() - before }
}

test('the page lists the used requests by kind, by day and one by one, and costs nothing (C35, D4)', async () => {
  const { spent } = await openLedger()
  const list = screen.getByRole('table', { name: 'Requests, newest first' })
  expect(within(list).getAllByRole('row')).toHaveLength(4)
  expect(screen.getByRole('table', { name: 'By type' })).toHaveTextContent(/Read3/)
  expect(await screen.findByRole('figure', { name: /At most 97 of 100 requests left/ })).toBeVisible()
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    '3 requests this month',
  ])
  expect(spent()).toBe(0)
})

test('a press loads more, until the whole month is there, and costs nothing (C35)', async () => {
  const { user, spent } = await openLedger(55)
  expect(screen.getByText('The newest 50 requests')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('56 requests this month')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  // The pressed button is gone (WCAG 2.4.3).
  await waitFor(() => expect(screen.getByRole('region', { name: 'Requests, newest first' })).toHaveFocus())
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
  expect(await screen.findByText('4 requests this month')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('There are newer requests.')).toBeNull())
})

test('after a press on the page before, the sums have its request too (C35)', async () => {
  const { user } = await openLedger()
  await user.click(screen.getByRole('link', { name: 'Back to quota and organization' }))
  await user.click(await screen.findByRole('button', { name: /^Refresh/ }))
  await waitFor(() => expect(screen.getByText(/96 of 100/)).toBeVisible())
  act(() => history.back())
  expect(await screen.findByText('4 requests this month')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('table', { name: 'By type' })).toHaveTextContent(/Read4/))
})

test('an older page of the list leaves the hint that there are newer requests (C35)', async () => {
  const { user, network } = await openLedger(55)
  network.fixture.advance(2000)
  await network.browser.spend('/organizations')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  expect(await screen.findByText('There are newer requests.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
  expect(screen.getByText('There are newer requests.')).toBeVisible()
  // So does a count that somebody enters, with which the chart asks again.
  const asked = network.count('GET', '/bff/ledger/days')
  await network.browser.request('POST', '/bff/readings', { json: { count: 90 } })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  await waitFor(() => expect(network.count('GET', '/bff/ledger/days')).toBeGreaterThan(asked))
  expect(screen.getByText('There are newer requests.')).toBeVisible()
})

test('other counts of the same requests are no newer requests (C35)', async () => {
  const { network } = await openLedger()
  const { high } = quotaOfPage()!.snapshot.month
  const { fetch } = network.browser
  // As after a press of "Confirm", by which requests count that did not before.
  network.browser.fetch = async (path, init) => {
    const response = await fetch.call(network.browser, path, init)
    if (path !== '/bff/quota') return response
    const { version, month, ...quota } = (await response.json()) as QuotaSnapshot
    return Response.json({ ...quota, version: version + 1, month: { ...month, high: month.high + 1 } })
  }
  act(showAgain)
  await waitFor(() => expect(quotaOfPage()?.snapshot.month.high).toBe(high + 1))
  expect(screen.queryByText('There are newer requests.')).toBeNull()
})

test('of a month without a request that counts the page says only that (C35)', () => {
  render(<Use days={[]} browsers={[]} />)
  expect(screen.getByText('This app has sent no request that counts this month.')).toBeVisible()
})

test('the month is summed by browser (C35)', async () => {
  await openLedger()
  expect(await screen.findByRole('table', { name: 'By browser' })).toHaveTextContent(/Another browser3/)
})

const rowsOf = (name: string) =>
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
  expect(rowsOf('By browser')).toEqual(['Aya, office3', 'Firefox on Linux1–2', 'Unknown browser0–2'])
  expect(rowsOf('By type')).toEqual(['Read4–5', 'Token refresh0–2'])
  expect(rowsOf('By day (UTC)')).toEqual(['Nov 213–5', 'Nov 201–2'])
})

const ENTRIES = [
  ledgerEntry({}),
  ledgerEntry({ by: 'another', status: 403, counts: 'unknown' }),
  ledgerEntry({ kind: 'token.refresh', initiator: 'call', counts: 'unknown' }),
  ledgerEntry({ kind: 'api.update', outcome: 'void', counts: 'no' }),
]

function show({ entries = ENTRIES, hasNextPage = false, busy = false } = {}) {
  const fetchNextPage = vi.fn<() => void>()
  const { user } = draw(
    <LedgerEntries pages={[{ entries }]} busy={busy} more={{ hasNextPage, fetchNextPage }} />,
  )
  return { fetchNextPage, user }
}

const rows = () => screen.getAllByRole('row').slice(1)

test('each request is a row with its kind, person, outcome, and if it counts and why (C35)', () => {
  show()
  expect(
    rows().map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['Read · you asked', 'You', 'answered 200', 'counts · it succeeded'],
    ['Read · they asked', 'Another person or browser', 'answered 403', 'may count · not known for refusals'],
    ['Token refresh · needed for your request', 'You', 'answered 200', 'may count · not known for this type'],
    ['Update · you asked', 'You', 'never sent 200', 'does not count · it was not sent'],
  ])
})

test('a row names its browser, or as it was chosen, and as text (C35)', () => {
  const named = (by: LedgerEntry['by'], browser: string) => ledgerEntry({ by, browser })
  const entries = [
    named('you', 'Firefox on Linux'),
    named('another', 'Aya, office'),
    named('another', 'Laptop on table'),
    named('you', '<b>Aya</b>'),
    named('another', 'Another browser'),
  ]
  show({ entries })
  expect(rows().map((row) => within(row).getAllByRole('cell')[2]?.textContent)).toEqual([
    'You · Firefox on Linux',
    'Aya, office',
    'Laptop on table',
    'You · <b>Aya</b>',
    'Another browser',
  ])
  expect(document.querySelector('b')).toBeNull()
})

test.each([
  [false, 1],
  [true, 0],
])('a press loads more, but not while a load is under way: %s', async (busy, times) => {
  const { user, fetchNextPage } = show({ hasNextPage: true, busy })
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(fetchNextPage).toHaveBeenCalledTimes(times)
})

test('a press saves the file of the server, and a failure can be repeated (C35)', async () => {
  const network = await signedInNetwork('api_key')
  const spent = network.spent()
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:file'
  })
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const { user } = show()
  network.cut.add('GET /bff/ledger?format=csv')
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  await expect.poll(() => files).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  expect((await files[0]?.text())?.split('\r\n')[0]).toBe(
    '\uFEFFat,kind,initiator,by,outcome,status,counts,browser',
  )
  expect(saved.mock.instances[0]).toMatchObject({ download: 'plimsoll-ledger.csv', href: 'blob:file' })
  expect(revoked).toHaveBeenCalledWith('blob:file')
  expect(network.spent()).toBe(spent)
})

test.each([
  [{}, 'counts', 'it succeeded'],
  [{ status: 403 }, 'counts', 'refused requests count too'],
  [{ counts: 'no', outcome: 'void', status: undefined }, 'does not count', 'it was not sent'],
  [{ counts: 'no', kind: 'token.refresh' }, 'does not count', 'this type never counts'],
  [{ counts: 'no', status: 403 }, 'does not count', 'such refusals never count'],
  [{ counts: 'no', kind: 'token.refresh', status: 401 }, 'does not count', 'such refusals never count'],
  [
    { counts: 'unknown', outcome: 'uncertain', status: undefined },
    'may count',
    'it may not have been counted',
  ],
  [
    { counts: 'unknown', outcome: 'reserved', status: undefined },
    'may count',
    'it may not have been counted',
  ],
  [{ counts: 'unknown', status: 299 }, 'may count', 'not known for this type'],
  [{ counts: 'unknown', status: 300 }, 'may count', 'not known for refusals'],
  [{ counts: 'unknown', status: 199 }, 'may count', 'not known for refusals'],
] as const)('an entry with %j is %s: %s (8.3)', (changes, word, why) => {
  expect(countsWords(ledgerEntry(changes as Partial<LedgerEntry>))).toEqual([word, why])
})
