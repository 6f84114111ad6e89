import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Use } from '../../../src/web/ledger/use.tsx'

const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

test('what used the quota is summed by kind and by day, in tables (C35)', () => {
  render(
    <Use
      days={[
        { day: '2026-11-21', kind: 'api.read', low: 3, high: 3 },
        { day: '2026-11-21', kind: 'token.refresh', low: 0, high: 2 },
        { day: '2026-11-20', kind: 'api.read', low: 1, high: 2 },
      ]}
    />,
  )
  expect(rows('By what it was for')).toEqual(['Read4–5', 'Renewal of the access0–2'])
  expect(rows('By day, in UTC')).toEqual(['Nov 213–5', 'Nov 201–2'])
})

test('a month without a request is reported as one', () => {
  render(<Use days={[]} />)
  expect(screen.getByText('No request was sent in this month.')).toBeVisible()
})
