import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Chart } from '../../../src/web/ledger/burn-down-chart.tsx'
import type { BurnDown } from '../../../src/web/ledger/burn-down.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { openPage } from '../_page.tsx'

const at = (day: number): number => Date.UTC(2026, 10, day)
const BURN_DOWN: BurnDown = {
  startMs: at(1),
  reset: { earliestMs: at(30), latestMs: at(31) },
  limit: 100,
  own: [
    { atMs: at(1), low: 100, high: 100 },
    { atMs: at(11), low: 80, high: 82 },
  ],
  readings: [{ atMs: at(6), low: 70, high: 70 }],
  organization: { atMs: at(11), low: 60, high: 62 },
  forecast: { from: { atMs: at(11), low: 60, high: 62 }, to: { atMs: at(27), low: 0, high: 0 } },
}

function draw(burnDown = BURN_DOWN) {
  render(
    <>
      <h2 id="title">What is left</h2>
      <Chart burnDown={burnDown} forecast={undefined} labelledBy="title" />
    </>,
  )
  return screen.getByRole('figure', { name: 'What is left' })
}

test('the chart is a figure with a sentence and a table of the same points (D8)', () => {
  const figure = draw()
  expect(figure.querySelector('figcaption')).toHaveTextContent('60–62 of 100 left')
  const rows = within(figure).getAllByRole('row', { hidden: true }).slice(1)
  expect(rows.map((row) => [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent))).toEqual(
    [
      ['at most 100', '100', 'by the requests of this app alone'],
      ['70', '83', 'by a reading of the service’s own count'],
      ['at most 80–82', '66', 'by the requests of this app alone'],
      ['60–62', '66', 'by the newest reading and what came after it'],
    ],
  )
})

test('a slider moves from point to point, and states each as a sentence (D8)', () => {
  draw()
  const slider = screen.getByRole('slider', { name: 'Points of the chart' })
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('60–62 left'))
  fireEvent.change(slider, { target: { value: '1' } })
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('70 left, by a reading'))
  expect(screen.getByText(/: 70 left, by a reading/)).toBeVisible()
})

test('a mouse over the drawing chooses the nearest point', () => {
  const figure = draw()
  const plot = figure.querySelector('svg')?.parentElement as HTMLElement
  vi.spyOn(plot, 'getBoundingClientRect').mockReturnValue({ left: 100, width: 300 } as DOMRect)
  fireEvent.pointerMove(plot, { clientX: 155 })
  expect(screen.getByText(/: 70 left, by a reading/)).toBeVisible()
  fireEvent.pointerMove(plot, { clientX: 90 })
  expect(screen.getByText(/: at most 100 left/)).toBeVisible()
})

test('unknown lines are neither drawn nor in the legend', () => {
  const { organization: _, forecast: __, ...rest } = BURN_DOWN
  const figure = draw({ ...rest, readings: [] })
  const legend = within(figure).getByRole('list')
  expect(
    within(legend)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['this app alone', 'even use', 'when the month may be reset'])
})

test('with a reading the chart has the organization’s count and the reading (C10)', async () => {
  const network = await signedInNetwork('api_key')
  await network.browser.request('POST', '/bff/readings', { json: { count: 30 } })
  await openPage('/ledger', network)
  const figure = await screen.findByRole('figure', { name: 'Requests left this month' })
  await waitFor(() => expect(figure).toHaveTextContent('70 of 100 left, by the newest reading'))
  await waitFor(() => expect(figure).toHaveTextContent('by a reading of the service’s own count'))
})

test('a plan without a limit has no chart (8.3)', async () => {
  const network = await signedInNetwork('none')
  await signInByKey(network.fixture, network.browser, 2002)
  await openPage('/ledger', network)
  await screen.findByRole('table', { name: 'Requests, newest first' })
  await waitFor(() => expect(useUi.getState().quota?.snapshot.month.plan).toBe('business'))
  expect(screen.queryByRole('figure')).toBeNull()
})
