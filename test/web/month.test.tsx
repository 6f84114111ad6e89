import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import type { MonthSnapshot } from '../../src/contract/quota.ts'
import { Month, monthState } from '../../src/web/month.tsx'
import { useUi } from '../../src/web/ui.ts'
import { snapshot } from './_snapshot.ts'

const { month: MONTH } = snapshot()

function draw(changes: Partial<MonthSnapshot>, without?: 'limit' | 'plan') {
  const month = { ...MONTH, ...changes }
  if (without) delete month[without]
  // Noon in UTC, on a day when no zone has the reset behind it.
  useUi.setState({
    quota: { snapshot: snapshot({ month }), atMs: performance.now(), wallMs: Date.UTC(2026, 10, 21, 12) },
  })
  render(<Month />)
  return screen.getByRole('region', { name: 'This month' })
}

test('the count, its bar, and that others spend from it too (8.3)', () => {
  const card = draw({})
  expect(card).toHaveTextContent('3 of 100 this month')
  expect(card).toHaveTextContent('● plenty · 97 left')
  expect(card).toHaveTextContent('Plan Standard: guessed from the limits seen.')
  expect(card).toHaveTextContent('This app only: others in the organization spend from the same 100.')
  expect(screen.getByRole('meter')).toHaveAttribute('aria-valuetext', '3 of 100 requests used this month')
})

test('a count that is not certain is an interval, explained in words', () => {
  const card = draw({ low: 3, high: 5 })
  expect(card).toHaveTextContent('3–5 of 100 this month')
  expect(card).toHaveTextContent('Between 3 and 5: the service does not say whether every one counts.')
  expect(card).toHaveTextContent('95–97 left')
})

test('Business has no limit, and no bar', () => {
  const card = draw({ plan: 'business' }, 'limit')
  expect(card).toHaveTextContent('unlimited on Business')
  expect(screen.queryByRole('meter')).toBeNull()
})

test('while no plan was seen, none is claimed', () => {
  useUi.setState({
    quota: {
      snapshot: snapshot({
        month: { low: 1, high: 1, resets_in_ms: MONTH.resets_in_ms, may_have_reset: false },
      }),
      atMs: 0,
      wallMs: 0,
    },
  })
  render(<Month />)
  expect(screen.getByRole('region')).toHaveTextContent('plan not yet seen')
})

test('the reset lies between two instants, in the reader’s own words for a date', () => {
  const hour = 3_600_000
  const card = draw({
    resets_in_ms: { earliest: 9 * 24 * hour + 3 * hour, latest: 9 * 24 * hour + 12 * hour },
  })
  expect(card).toHaveTextContent(/Resets .*(1|30).*, in about 9 days: between .+ and .+ your time\./)
  expect(card.querySelector('time')).toHaveAttribute('datetime', '2026-12-01T00:00:00.000Z')
})

test.each([
  [{ low: 79, high: 79 }, 'plenty'],
  [{ low: 79, high: 80 }, 'low'],
  [{ low: 99, high: 120 }, 'low'],
  [{ low: 100, high: 120 }, 'none'],
] as const)('%o is %s', (count, state) => {
  expect(monthState({ ...MONTH, ...count })).toBe(state)
})

test('without a snapshot the card shows that', () => {
  useUi.setState({ quota: undefined, quotaProblem: new Problem('bff_unreachable') })
  render(<Month />)
  expect(screen.getByText('Not known.')).toBeVisible()
})
