import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { LedgerEntry } from '../../../src/contract/ledger.ts'
import { LedgerEntries } from '../../../src/web/ledger/entries.tsx'
import { countsWords } from '../../../src/web/ledger/words.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { ledgerEntry } from '../../_ledger-entry.ts'

const ENTRIES = [
  ledgerEntry({}),
  ledgerEntry({ by: 'another', status: 403, counts: 'unknown' }),
  ledgerEntry({ kind: 'token.refresh', initiator: 'call', counts: 'unknown' }),
  ledgerEntry({ kind: 'api.update', outcome: 'void', counts: 'no' }),
]

function show({ hasNextPage = false, busy = false } = {}) {
  const fetchNextPage = vi.fn<() => void>()
  render(<LedgerEntries pages={[{ entries: ENTRIES }]} busy={busy} more={{ hasNextPage, fetchNextPage }} />)
  return { fetchNextPage, user: userEvent.setup() }
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

test('a row names its browser, in the language of the page or as it was chosen, and as text (C35)', async () => {
  const named = (by: LedgerEntry['by'], browser: string) => ledgerEntry({ by, browser })
  const entries = [
    named('you', 'Firefox on Linux'),
    named('another', 'Aya, office'),
    named('another', 'Laptop on table'),
    named('you', '<b>Aya</b>'),
    named('another', 'Another browser'),
  ]
  const draw = () =>
    render(
      <LedgerEntries
        pages={[{ entries }]}
        busy={false}
        more={{ hasNextPage: false, fetchNextPage: () => {} }}
      />,
    )
  const who = () => rows().map((row) => within(row).getAllByRole('cell')[2]?.textContent)
  const { unmount } = draw()
  expect(who()).toEqual([
    'You · Firefox on Linux',
    'Aya, office',
    'Laptop on table',
    'You · <b>Aya</b>',
    'Another browser',
  ])
  expect(document.querySelector('b')).toBeNull()
  unmount()
  await loadLanguage('ja')
  draw()
  expect(who()).toEqual([
    '自分 · LinuxのFirefox',
    'Aya, office',
    'Laptop on table',
    '自分 · <b>Aya</b>',
    'その他のブラウザー',
  ])
  await loadLanguage('en')
})

test.each([
  ['Type', 'Token refresh', 1],
  ['Who', 'Another person or browser', 1],
  ['Why', 'needed for your request', 1],
  ['Outcome', 'never sent', 1],
  ['Outcome', 'answered', 3],
])('%s: %s leaves %i of them, and the number is announced (C35)', async (label, choice, count) => {
  const { user } = show({ hasNextPage: true })
  await user.selectOptions(screen.getByLabelText(label), choice)
  expect(rows()).toHaveLength(count)
  expect(screen.getByRole('status')).toHaveTextContent(`${count} of the newest 4 requests`)
  await user.selectOptions(screen.getByLabelText(label), 'All')
  expect(rows()).toHaveLength(4)
})

test('filters combine, and without a match there is a sentence and no empty table', async () => {
  const { user } = show()
  await user.selectOptions(screen.getByLabelText('Who'), 'Another person or browser')
  await user.selectOptions(screen.getByLabelText('Type'), 'Update')
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('status')).toHaveTextContent('0 of 4 requests this month')
})

test('a press loads more for free, but not while a load is under way', async () => {
  const { user, fetchNextPage } = show({ hasNextPage: true })
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(fetchNextPage).toHaveBeenCalledTimes(1)
})

test('a press is not repeated while it is under way', async () => {
  const { user, fetchNextPage } = show({ hasNextPage: true, busy: true })
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(fetchNextPage).not.toHaveBeenCalled()
})

test('the page writes the month to a file without a request to the service (C35)', async () => {
  const network = await signedInNetwork('api_key')
  await network.browser.request('PUT', '/bff/browser', { json: { name: '＝1;=2' } })
  const spent = network.spent()
  const { user } = show()
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:file'
  })
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  await expect.poll(() => files).toHaveLength(1)
  const lines = (await files[0]?.text())?.split('\r\n') ?? []
  expect(lines[0]).toBe('\uFEFFat,kind,initiator,by,outcome,status,counts,browser')
  expect(lines[1]).toMatch(/^2026-11-21T06:00:\d\d\.\d{3}Z,api\.read,sign_in,you,settled,200,yes,"'＝1;'=2"$/)
  expect(lines).toHaveLength(3)
  expect(revoked).toHaveBeenCalledWith('blob:file')
  expect(network.spent()).toBe(spent)
  network.cut.add('GET /bff/ledger')
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
})

test.each([
  [{}, 'counts', 'it succeeded'],
  [{ status: 403 }, 'counts', 'refused requests count too'],
  [{ counts: 'no', outcome: 'void', status: undefined }, 'does not count', 'it was not sent'],
  [{ counts: 'no', status: 403 }, 'does not count', 'this type never counts'],
  [{ counts: 'unknown', outcome: 'uncertain', status: undefined }, 'may count', 'it may not have arrived'],
  [{ counts: 'unknown', outcome: 'reserved', status: undefined }, 'may count', 'it may not have arrived'],
  [{ counts: 'unknown', status: 299 }, 'may count', 'not known for this type'],
  [{ counts: 'unknown', status: 300 }, 'may count', 'not known for refusals'],
  [{ counts: 'unknown', status: 199 }, 'may count', 'not known for refusals'],
] as const)('an entry with %j is %s: %s (8.3)', (changes, word, why) => {
  expect(countsWords(ledgerEntry(changes as Partial<LedgerEntry>))).toEqual([word, why])
})
