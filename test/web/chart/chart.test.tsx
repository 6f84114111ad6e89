import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Chart, endWords, pointWords, summaryOf } from '../../../src/web/chart/chart.tsx'
import { dayWords, instantWords } from '../../../src/web/text/format.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { openHome, openPage, quotaOfPage, showAgain } from '../_page.tsx'
import { burnDown, DAY_MS, NOW, withReadings } from './_burn-down.ts'

const UNDER = { forecast: { state: 'under', early: false, difference: 18 } } as const
const WORDS = /Of 100|of 100 requests left/

function draw(large: boolean, data = withReadings(UNDER)) {
  render(<Chart burnDown={data} large={large} />)
  return screen.getByRole('figure', { name: WORDS })
}

test('the chart is a figure with a sentence (D8)', () => {
  expect(draw(true).querySelector('figcaption')).toHaveTextContent('40–42 of 100 requests left')
})

test.each([true, false])(
  'a slider moves from day to day, and states each as a sentence (D8), large: %s',
  (large) => {
    draw(large)
    const slider = screen.getByRole('slider', { name: 'Requests left, day by day' })
    expect(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('40–42 left'))
    fireEvent.change(slider, { target: { value: withReadings().firstMs + DAY_MS } })
    expect(slider).toHaveAttribute('aria-valuetext', 'Nov 1: 80–100 left')
    expect(screen.getByText('Nov 1: 80–100 left')).toBeVisible()
    fireEvent.blur(slider)
    expect(screen.queryByText('Nov 1: 80–100 left')).toBeNull()
  },
)

test('the same numbers are a table in the ledger, a row for each point (D8)', () => {
  const table = within(draw(true)).getByRole('table', { name: 'The same as a table', hidden: true })
  expect(within(table).getAllByRole('row', { hidden: true })).toHaveLength(withReadings().points.length + 1)
  expect(table).toHaveTextContent('80–100')
})

test('the axes have 0, half and all of the limit, the first day, today and the reset (8.3)', () => {
  const figure = draw(false)
  for (const label of ['0', '50', '100', 'Nov 1', 'today', 'even pace', '18 left at the reset'])
    expect(within(figure).getAllByText(label)).not.toHaveLength(0)
  expect(figure).toHaveTextContent('Dec 1')
})

test('unknown lines are neither drawn nor in the legend', () => {
  const figure = draw(true, burnDown(UNDER))
  const legend = within(figure).getByRole('list')
  expect(
    within(legend)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['left at most', 'may be left', 'even pace'])
  expect(figure).not.toHaveTextContent('at the reset')
})

test('if the days cannot be read, no past is drawn that nobody knows, and the page tries again (8.3)', async () => {
  const network = await signedInNetwork('api_key')
  network.cut.add('GET /bff/ledger/days')
  const { user } = await openPage('/', network)
  const notice = await screen.findByRole('alert')
  expect(screen.queryByRole('figure')).toBeNull()
  network.cut.clear()
  await user.click(within(notice).getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByRole('figure', { name: WORDS })).toHaveTextContent('At most 99 of 100')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a page that stays open asks for the days again when another day has begun (8.3)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { network } = await openHome()
  const days = () => network.count('GET', '/bff/ledger/days')
  await waitFor(() => expect(days()).toBe(1))
  network.fixture.advance(DAY_MS)
  vi.setSystemTime(Date.now() + DAY_MS)
  act(showAgain)
  await waitFor(() => expect(days()).toBe(2))
  expect(await screen.findByRole('figure', { name: WORDS })).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('a plan without a limit has no chart (8.3)', async () => {
  const network = await signedInNetwork('none')
  await signInByKey(network.fixture, network.browser, 2002)
  await openPage('/ledger', network)
  await screen.findByRole('table', { name: 'Requests, newest first' })
  await waitFor(() => expect(quotaOfPage()?.snapshot.month.plan).toBe('business'))
  expect(screen.queryByRole('figure')).toBeNull()
})

test('without a reading the sentence says "at most", since other apps use the same month (8.3)', () => {
  expect(summaryOf(burnDown())).toBe(
    'At most 93 of 100 requests left: other apps may have used some. At an even pace, 33 would be left.',
  )
})

const TWENTY_LEFT = { state: 'under', early: false, difference: 20 } as const

test.each([
  [TWENTY_LEFT, '20 left at the reset'],
  [{ ...TWENTY_LEFT, early: true }, 'perhaps 20 left at the reset'],
  [{ state: 'runs_out', early: false, runs_out_in_ms: 5 * DAY_MS }, `runs out ${dayWords(NOW + 5 * DAY_MS)}`],
  [{ state: 'too_early', early: true }, ''],
  [{ state: 'stale', early: false }, ''],
  [{ state: 'used_up', early: false }, ''],
] as const)('the forecast %j is "%s" (C36, C37)', (forecast, words) => {
  const data = withReadings({ forecast })
  expect(endWords(data)).toBe(words)
  expect(summaryOf(data).includes('Forecast: ')).toBe(words !== '')
  expect(summaryOf(data)).toContain(words)
})

test('each point has its day or its instant, and what is left (D8)', () => {
  const data = withReadings()
  const of = (at: number) => pointWords(data, data.points.at(at)!)
  expect(of(0)).toBe(`${dayWords(data.firstMs)}: 100 left`)
  expect(of(1)).toMatch(/^Nov 1: /)
  expect(of(-1)).toBe(`${instantWords(NOW)}: 40–42 left`)
  const reading = data.points.find(({ kind }) => kind === 'reading')
  expect(reading && pointWords(data, reading)).toBe(`${instantWords(NOW - 10 * DAY_MS)}: 80 left`)
})
