import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { MonthUse } from '../../../src/contract/months.ts'
import { MonthList } from '../../../src/web/months/list.tsx'
import { monthPlanWords, planSentences } from '../../../src/web/months/words.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { STANDARD as STANDARD_ID } from '../../_fixture.ts'
import { latinSentences } from '../_latin.ts'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const DAY_MS = 86_400_000
const STANDARD = { plan: 'standard', limit: 100 } as const
const MONTHS: MonthUse[] = [
  { month: '2026-11', low: 40, high: 50, others: { low: 28, high: 30 }, ...STANDARD },
  { month: '2026-10', low: 0, high: 0 },
  { month: '2026-09', low: 90, high: 101, plan: 'business' },
  { month: '2026-08', low: 60, high: 60, ...STANDARD, ran_out_on: '2026-08-21' },
]

test('the ledger leads to a page with a kind sentence for the first month, which costs nothing (8.3)', async () => {
  const network = await signedInNetwork('api_key')
  const { user } = await openPage('/ledger', network)
  const before = network.spent()
  await user.click(await screen.findByRole('link', { name: 'The months before' }))
  expect(await screen.findByText(/This is the first month that this app knows/)).toBeVisible()
  expect(screen.getAllByRole('row')).toHaveLength(2)
  expect(screen.queryByText('Which plan would have been enough?')).toBeNull()
  expect(network.spent()).toBe(before)
})

test('months that cannot be read are reported, and a press asks again', async () => {
  const network = await signedInNetwork('api_key')
  network.cut.add('GET /bff/months')
  const { user } = await openPage('/months', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('table', { name: 'Month by month' })).toBeVisible()
})

test('with a month before, the page says in Japanese too which plan would have been enough (8.3)', async () => {
  const network = await signedInNetwork('oauth')
  const atMs = network.fixture.now() - 31 * DAY_MS
  const entry = { id: 'old', kind: 'api.read', method: 'GET', path: '/', initiator: 'person', atMs } as const
  await network.fixture.store.reserve({ ...entry, organization: STANDARD_ID })
  await loadLanguage('ja')
  await openPage('/months', network)
  expect(await screen.findByText(/2か月のうち2か月で足りました/)).toBeVisible()
  expect(latinSentences()).toEqual([])
})

test('each month is a row: this app, others, plan and limit, and the day on which it ran out (8.3)', () => {
  render(<MonthList months={MONTHS} />)
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
  expect(cells).toEqual([
    ['Nov 2026', '40–50 used', 'others 28–30', 'Standard, 100 a month'],
    ['Oct 2026', '0 used', 'others unknown', 'Plan not known'],
    ['Sep 2026', '90–101 used', 'others unknown', 'Business'],
    ['Aug 2026', '60 used', 'others unknown', 'Standard, 100 a month · ran out on Aug 21'],
  ])
})

test('the bars have one scale: the most that a month may have, or its limit (8.3)', () => {
  const { container } = render(<MonthList months={[...MONTHS, { month: '2026-07', low: 200, high: 200 }]} />)
  const widths = [...container.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('span')].map(({ style }) => style.width),
  )
  expect(widths).toEqual([['20%', '5%', '15%'], [], ['45%', '5.5%'], ['30%'], ['100%']])
  const { container: few } = render(<MonthList months={MONTHS.slice(3)} />)
  expect(few.querySelector('tbody span')).toHaveStyle({ width: '60%' })
})

test('a sentence says for each plan where it would have been enough, where not, and where it is unclear (8.3)', () => {
  expect(planSentences(MONTHS)).toEqual([
    'Standard (100 requests a month) would have been enough in 2 of 4 months. Not in Aug 2026. Not certain: Sep 2026.',
    'Business has no monthly limit, so no month would have run out.',
  ])
  expect(planSentences(MONTHS.slice(0, 2))[0]).toBe(
    'Standard (100 requests a month) would have been enough in 2 of 2 months.',
  )
})

test('a month that ran out with an unknown plan says both (8.3)', () => {
  expect(monthPlanWords({ month: '2026-08', low: 1, high: 1, ran_out_on: '2026-08-21' })).toBe(
    'Plan not known · ran out on Aug 21',
  )
})

test('the file has the numbers of the page in a row for each month, below the names (RFC 4180)', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:file'
  })
  render(<MonthList months={MONTHS} />)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(await saved[0]?.text()).toBe(
    [
      'month,low,high,others_low,others_high,plan,limit,ran_out_on',
      '2026-11,40,50,28,30,standard,100,',
      '2026-10,0,0,,,,,',
      '2026-09,90,101,,,business,,',
      '2026-08,60,60,,,standard,100,2026-08-21',
      '',
    ].join('\r\n'),
  )
})
