import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MonthUse } from '../../../src/contract/months.ts'
import { MonthList, planSentences } from '../../../src/web/months/months.tsx'
import { STANDARD as STANDARD_ID } from '../../kit/app.ts'
import { reading } from '../../bff/_reservation.ts'
import { signedInNetwork } from '../_network.ts'
import { draw } from '../_month.tsx'
import { openPage } from '../_page.tsx'

const STANDARD = { plan: 'standard', limit: 100 } as const
const others = (low: number, high: number, read_on: string) => ({ low, high, read_on })
const MONTHS: MonthUse[] = [
  { month: '2026-11', low: 40, high: 50, others: others(28, 30, '2026-11-12'), ...STANDARD },
  { month: '2026-10', low: 0, high: 0 },
  { month: '2026-09', low: 90, high: 101, plan: 'business' },
  { month: '2026-08', low: 60, high: 60, ...STANDARD, ran_out_on: '2026-08-21' },
]

test('the page says which plan was enough, and where it is not certain and why (8.3)', async () => {
  const network = await signedInNetwork('oauth')
  const { store } = network.fixture
  const entry = { press: 'a press', kind: 'api.read', method: 'GET', path: '/', initiator: 'person' } as const
  for (const month of ['07', '10'])
    await store.addEntry({
      ...entry,
      id: month,
      organization: STANDARD_ID,
      atMs: Date.parse(`2026-${month}-09`),
    })
  await store.addReading(STANDARD_ID, reading(88, Date.parse('2026-10-21')))
  await store.addReading(STANDARD_ID, reading(99, Date.parse('2026-09-29')))
  await openPage('/months', network)
  expect(await screen.findByText(/been enough in/)).toHaveTextContent(
    'Standard (100 requests a month) would certainly have been enough in 1 of 5 months.' +
      ' Not certain, still running: Nov 2026. Not certain, others unknown: Aug 2026 and Jul 2026.' +
      ' Not certain, last count entered too early: Oct 2026.',
  )
})

test('a month is a row: this app, others, their sum, plan and limit, and when it ran out (8.3)', () => {
  draw(<MonthList months={MONTHS} />)
  const texts = (role: 'columnheader' | 'cell', row: HTMLElement) =>
    within(row)
      .getAllByRole(role)
      .map(({ textContent }) => textContent)
  const [names, ...rows] = screen.getAllByRole('row')
  expect(texts('columnheader', names as HTMLElement)).toEqual([
    'Month',
    'This app',
    'Other apps',
    'Sum',
    'Plan',
  ])
  expect(rows.map((row) => texts('cell', row))).toEqual([
    ['Nov 2026 so far', '40–50', '28–30', '68–80', 'Standard, 100 a month'],
    ['Oct 2026 ', '0', 'unknown', '0 or more', 'Plan not known'],
    ['Sep 2026 ', '90–101', 'unknown', '90 or more', 'Business'],
    ['Aug 2026 ', '60', 'unknown', '60 or more', 'Standard, 100 a month · ran out on Aug 21'],
  ])
})

/** This app, others, what is not known and the mark, in percent of the scale. */
function bars(months: readonly MonthUse[]): number[][] {
  const { unmount } = draw(<MonthList months={months} />)
  const shares = [...document.querySelectorAll('tbody tr')].map((row) => {
    const widths = ['first', 'others', 'unknown'].map((kind) => row.querySelector(`[data-kind="${kind}"]`))
    const mark = row.querySelector('line')?.getAttribute('x1')
    return [...widths.map((rect) => rect?.getAttribute('width') ?? '0%'), mark].map((share) =>
      Number.parseFloat(share ?? ''),
    )
  })
  unmount()
  return shares
}

test('a bar shows what is not known, up to a mark at 100, and all have one scale (8.3)', () => {
  expect(bars(MONTHS)).toEqual(
    [
      [40, 28, 12, 100],
      [0, 0, 100, 100],
      [90, 0, 11, 100],
      [60, 0, 40, 100],
    ].map((row) => row.map((count) => expect.closeTo((count / 101) * 100, 1))),
  )
  expect(bars([{ month: '2026-07', low: 200, high: 200 }])).toEqual([[100, 0, 0, 50]])
})

test('a sentence says for each plan where it would have been enough, where not, and where it is unclear (8.3)', () => {
  const july = { month: '2026-07', low: 60, high: 60, others: others(30, 40, '2026-07-30') }
  const june = { month: '2026-06', low: 60, high: 60, others: others(38, 41, '2026-06-30') }
  expect(planSentences([...MONTHS, july, june])).toEqual([
    'Standard (100 requests a month) would certainly have been enough in 1 of 6 months. Not in Aug 2026.' +
      ' Not certain, still running: Nov 2026. Not certain, others unknown: Oct 2026 and Sep 2026.' +
      ' Not certain, count not exact: Jun 2026.',
    'Business has no monthly limit, so no month would have run out.',
  ])
})
