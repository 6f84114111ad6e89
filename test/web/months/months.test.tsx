import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { MonthUse } from '../../../src/contract/months.ts'
import { MonthList } from '../../../src/web/months/list.tsx'
import { planSentences } from '../../../src/web/months/words.ts'
import { STANDARD as STANDARD_ID } from '../../kit/app.ts'
import { reading } from '../../bff/_reading.ts'
import { signedInNetwork } from '../_network.ts'
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
  const entry = { kind: 'api.read', method: 'GET', path: '/', initiator: 'person' } as const
  for (const month of ['07', '10'])
    await store.reserve({
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
  const july = { month: '2026-07', low: 60, high: 60, others: others(30, 40, '2026-07-30') }
  const june = { month: '2026-06', low: 60, high: 60, others: others(38, 41, '2026-06-30') }
  expect(planSentences([...MONTHS, july, june])).toEqual([
    'Standard (100 requests a month) would certainly have been enough in 1 of 6 months. Not in Aug 2026.' +
      ' Not certain, still running: Nov 2026. Not certain, others unknown: Oct 2026 and Sep 2026.' +
      ' Not certain, count not exact: Jun 2026.',
    'Business has no monthly limit, so no month would have run out.',
  ])
})

test('the file has the numbers of the page in a row for each month, below the names (RFC 4180)', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:file'
  })
  render(<MonthList months={MONTHS} />)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(saved[0]?.type).toBe('text/csv;charset=utf-8')
  expect(await saved[0]?.text()).toBe(
    [
      '\uFEFFmonth,low,high,others_low,others_high,others_read_on,plan,limit,ran_out_on',
      '2026-11,40,50,28,30,2026-11-12,standard,100,',
      '2026-10,0,0,,,,,,',
      '2026-09,90,101,,,,business,,',
      '2026-08,60,60,,,,standard,100,2026-08-21',
      '',
    ].join('\r\n'),
  )
})
