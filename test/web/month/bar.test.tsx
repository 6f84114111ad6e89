import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MonthBar } from '../../../src/web/month/bar.tsx'
import { draw } from '../_month.tsx'
import { month } from '../_snapshot.ts'

const reading = { organization: { low: 32, high: 36, reading_age_ms: 0 } }
const widths = (meter: HTMLElement) =>
  [...meter.querySelectorAll<HTMLElement>('[style*="width"]')].map(({ style }) => style.width)

test('this app, others by the reading, and the uncertain part are three segments with numbers (D5)', () => {
  draw(<MonthBar month={month({ low: 3, high: 5, ...reading })} limit={100} />)
  expect(widths(screen.getByRole('meter'))).toEqual(['3%', '29%', '4%'])
  const items = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent.trim())).toEqual([
    'this app 3–5',
    'others 27–33',
    'not certain 4',
  ])
})

test('without a reading the others are not known and have no segment (D5)', () => {
  draw(<MonthBar month={month()} limit={100} />)
  expect(widths(screen.getByRole('meter'))).toEqual(['3%', '0%', '0%'])
  expect(screen.getByRole('list')).toHaveTextContent('this app 3 others not known')
})

test('the meter is read out as a sentence, with the organization’s count if it is known (D2)', () => {
  draw(<MonthBar month={month(reading)} limit={100} />)
  const meter = screen.getByRole('meter', { name: 'Requests used this month' })
  expect(meter).toHaveAttribute('aria-valuenow', '32')
  expect(meter).toHaveAttribute('aria-valuetext', '32 to 36 of 100 requests used by the organization')
})

test('a limit of 0 is a bar without segments (8.3)', () => {
  draw(<MonthBar month={month()} limit={0} />)
  expect(widths(screen.getByRole('meter'))).toEqual(['0%', '0%', '0%'])
})
