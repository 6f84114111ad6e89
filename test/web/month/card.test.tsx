import type { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { MonthCard } from '../../../src/web/month/card.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { draw, received, SESSION } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'
import { window_ } from '../_snapshot.ts'

afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const reading = (low: number, high: number, reading_age_ms = 2 * HOUR) => ({
  organization: { low, high, reading_age_ms },
})

function card(changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) {
  draw(<MonthCard session={SESSION} />, received(changes, rest))
  return screen.getByRole('region', { name: 'This month' })
}

test('without a reading the card states the requests of this app, and says "at most" (8.3)', () => {
  const shown = card({})
  expect(shown).toHaveTextContent('At most 97 left of 100')
  expect(shown).toHaveTextContent('This app has used 3. Others in the organization spend from the same 100.')
  expect(shown).not.toHaveTextContent(/plenty/i)
  expect(shown).toHaveTextContent('Plan Standard, guessed from the limits seen')
})

const ANSWER = { ageMs: 0, atMs: 0, spent: 0, refreshes: 0 }
/** The page hears of it in a later task. */
const giveRecord = (client: QueryClient, text: string) =>
  act(async () => {
    client.setQueryData(organizationQuery(SESSION).queryKey, { ...ANSWER, text })
    await new Promise((resolve) => setTimeout(resolve))
  })

const GUESSED = 'Plan Standard, guessed from the limits seen'

test.each([
  ['{"plan":"standard"}', 'Plan Standard'],
  ['{"organization":{"plan_name":"Standard"}}', 'Plan Standard'],
  ['{"plan":"business"}', GUESSED],
  ['{"plan":7}', GUESSED],
  ['{"plan":{"name":"standard"}}', GUESSED],
  ['{"name":"standard"}', GUESSED],
  ['{"plan":"constructor"}', GUESSED],
  ['no JSON', GUESSED],
])(
  'where the record is %s and the limits are those of Standard, the card says %s (4.4, 8.2)',
  async (text, words) => {
    const { client } = draw(<MonthCard session={SESSION} />, received({}))
    await giveRecord(client, text)
    expect(screen.getByText(words)).toBeVisible()
  },
)

test('before any limit was seen the card names the plan of the record, and no limit (4.4, 8.3)', async () => {
  const { plan: _, limit: __, ...unseen } = received({}).snapshot.month
  for (const [language, words, state] of [
    ['en', 'Plan Business', 'Limit not yet known'],
    ['ja', 'Businessプラン', '上限は未確認です'],
  ] as const) {
    await loadLanguage(language)
    const quota = received({})
    quota.snapshot.month = unseen
    const { client, unmount } = draw(<MonthCard session={SESSION} />, quota)
    await giveRecord(client, '{"plan":"business"}')
    expect(screen.getByText(words)).toBeVisible()
    expect(screen.getByText(state)).toBeVisible()
    unmount()
  }
})

test('the page does not guess the plan that the record below names (4.4, 8.2)', async () => {
  const network = await signedInNetwork()
  network.isLive = true
  await openPage('/', network)
  expect(await screen.findByText('Plan Standard')).toBeVisible()
  expect(screen.queryByText(/guessed/)).toBeNull()
})

test('with a reading the card shows the organization’s count as an interval, and the reading’s age (C23)', () => {
  const shown = card(reading(32, 34))
  expect(shown).toHaveTextContent('66–68 left of 100 Plenty')
  expect(shown).toHaveTextContent('The organization has used 32–34 of 100, this app 3 of them.')
  expect(shown).toHaveTextContent('Read 2 hours ago.')
})

test('an uncertain count is an interval, explained in words', () => {
  const shown = card({ low: 3, high: 5 })
  expect(shown).toHaveTextContent('This app has used 3–5.')
  expect(shown).toHaveTextContent('Between 3 and 5: the service does not say whether every one counts.')
})

test('a refusal changes the whole card: its time, the reason, and the time of the reset (8.3)', async () => {
  const suspected = { age_ms: HOUR, reasons: [{ code: 'minute_has_requests_left' }] } as const
  const shown = card({ ...reading(32, 34), suspected, reading_wanted: 'suspected' })
  expect(shown).toHaveAttribute('data-state', 'suspected')
  expect(shown).toHaveTextContent('Probably used up')
  expect(shown).toHaveTextContent('Refused at 08:00 PM')
  const why = screen.getByText(
    'Why we think so: Refused although this minute has requests left, so the month is probably used up.',
  )
  expect(why).not.toBeVisible()
  await userEvent.click(screen.getByText('How we know'))
  expect(why).toBeVisible()
  expect(shown).toHaveTextContent(/between .+ and .+ your time/)
  expect(shown).not.toHaveTextContent(/plenty|\d left/i)
})

test('a used-up month says so (8.3)', () => {
  expect(card({ low: 100, high: 102 })).toHaveTextContent('None left of 100 Used up')
})

test('Business has no limit, and no bar', () => {
  const { limit: _, ...unlimited } = received({ plan: 'business' }).snapshot.month
  const quota = received({})
  draw(<MonthCard session={SESSION} />, { ...quota, snapshot: { ...quota.snapshot, month: unlimited } })
  const shown = screen.getByRole('region')
  expect(shown).toHaveTextContent('3 sent by this app, no limit Unlimited on Business')
  expect(shown).toHaveTextContent('The minute is the only limit.')
  expect(screen.queryByRole('meter')).toBeNull()
})

test('the card claims no plan before one was seen', () => {
  const { limit: _, plan: __, ...unseen } = received({}).snapshot.month
  const quota = received({})
  draw(<MonthCard session={SESSION} />, { ...quota, snapshot: { ...quota.snapshot, month: unseen } })
  expect(screen.getByRole('region')).toHaveTextContent('Plan not yet seen')
})

test('the card names the limit that is met first (C40)', () => {
  expect(card({})).toHaveTextContent('The month, not the minute, limits you.')
})

test('a used-up minute limits first, until its reset (C40)', () => {
  expect(card({}, { read: window_({ remaining: 0 }) })).toHaveTextContent('At present the minute limits you.')
})

test('the reset lies between two instants, in the reader’s own words for a date', () => {
  const resets_in_ms = { earliest: (9 * 24 + 3) * HOUR, latest: (9 * 24 + 12) * HOUR }
  const shown = card({ resets_in_ms })
  expect(shown).toHaveTextContent(/Resets .*(1|30).*, in about 9 days: between .+ and .+ your time\./)
  expect(shown.querySelector('time')).toHaveAttribute('datetime', '2026-12-01T00:00:00.000Z')
})

test('between two months the card says that the count may have been reset, and names no time (C10)', () => {
  const shown = card({ may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 720 * HOUR } })
  expect(shown).toHaveTextContent('The count may have been reset already')
  expect(shown).not.toHaveTextContent(/Resets|your time/)
})

test('the card asks for a reading, with the reason, and opens no dialog (C21)', () => {
  const shown = card({ ...reading(32, 34, 144 * HOUR), reading_wanted: 'old' })
  expect(shown).toHaveTextContent('The real count was read more than 5 days ago.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the number is a link to the ledger (C35)', async () => {
  const { user } = await openPage('/')
  await user.click(await screen.findByRole('link', { name: /^At most \d+ left of 100$/ }))
  expect(location.pathname).toBe('/ledger')
})

test('before the first snapshot the card keeps its space, and shows no number', () => {
  draw(<MonthCard session={SESSION} />)
  expect(screen.getByText('Loading, free…')).toBeVisible()
  expect(screen.getByText('At most 99')).not.toBeVisible()
  expect(screen.queryByRole('meter')).toBeNull()
  act(() => useUi.setState({ quotaProblem: new Problem('bff_unreachable') }))
  expect(screen.getByRole('region')).toHaveTextContent(/^This monthNot known\.$/)
})

test('while no newer values come the card says how old its own are (B20)', () => {
  card({})
  act(() => useUi.setState({ live: 'not_live' }))
  expect(screen.getByText('Last update just now')).toBeVisible()
  act(() => useUi.setState({ live: 'live' }))
  expect(screen.queryByText('Last update just now')).toBeNull()
})

test.each<[string, Partial<MonthSnapshot>]>([
  ['without a reading', { low: 1, high: 3, reading_wanted: 'none' }],
  [
    'with a reading',
    { ...reading(32, 34), allowance_per_day: 6, forecast: { state: 'under', early: true, difference: 2 } },
  ],
  ['near its end', { ...reading(97, 99), reserve: { person: 10, sign_in: 2 } }],
  ['used up', { low: 100, high: 102 }],
  ['that may be reset', { may_have_reset: true }],
])('in Japanese no English sentence is left in a month %s', async (_, changes) => {
  await loadLanguage('ja')
  draw(<MonthCard session={SESSION} />, received(changes))
  const shown = screen.getByRole('region', { name: '今月' })
  expect(shown).toHaveTextContent('実数を読み取る・無料')
  expect(shown.textContent.replace('Standard', '')).not.toMatch(/[A-Za-z]{3,}/)
})
