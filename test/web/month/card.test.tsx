import type { QueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { MonthCard } from '../../../src/web/month/card.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { draw, received, SESSION } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const reading = (low: number, high = low, reading_age_ms = 2 * HOUR) => ({
  organization: { low, high, reading_age_ms },
})
const PACE = { allowance_per_day: 8, forecast: { state: 'on_pace', early: false } } as const
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

function card(changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) {
  draw(<MonthCard session={SESSION} />, received(changes, rest))
  return screen.getByRole('region', { name: 'This month' })
}
const ofMonth = (month: MonthSnapshot) => card({}, { month })

test('the verdict comes first: a number, whether that is enough, the bar, and then the field (8.3)', () => {
  const shown = card({ ...reading(45), ...PACE })
  expect(shown).toHaveTextContent(
    /^This monthStandard · resets Dec 1, in 9 days55 of 100 requests left · as of 2 hours ago On track: you can use 8 a day until it resets on Dec 1 left 55 other apps 42 this app 3 Your plan page says used so far/,
  )
  expect(shown).toHaveTextContent('Entered 2 hours ago.')
  expect(screen.getByText('How we know').closest('details')).not.toHaveAttribute('open')
})

test('without a reading there is an upper bound, what to do about it, and no forecast (8.3)', () => {
  const shown = card({ ...PACE, reading_wanted: 'none' })
  expect(shown).toHaveTextContent('At most 97 of 100 requests left · not known yet')
  expect(shown).toHaveTextContent('Other apps share these 100. Enter what your plan page says.')
  expect(shown).toHaveTextContent('It makes the number exact, and is free.')
  expect(shown).not.toHaveTextContent(/on track|you can use/i)
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('data-kind', 'primary')
})

test('once the count is entered, saving another is not the main action (C21)', () => {
  card({ ...reading(45), ...PACE })
  expect(screen.getByRole('button', { name: 'Save' })).not.toHaveAttribute('data-kind')
})

test('the card asks for a new count, with the reason, and opens no dialog (C21)', () => {
  const shown = card({ ...reading(32, 34, 144 * HOUR), reading_wanted: 'old' })
  expect(shown).toHaveTextContent(
    'Entered 6 days ago. Entered more than 5 days ago: what does the page say now?',
  )
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each<[Partial<MonthSnapshot>, string]>([
  [reading(45), 'plenty'],
  [{}, 'own'],
  [reading(85), 'low'],
  [reading(100), 'none'],
  [{ suspected: { age_ms: 0, reasons: [] } }, 'suspected'],
])('the month %o has the state %s, which colours what is left (D5)', (changes, state) => {
  expect(card(changes)).toHaveAttribute('data-state', state)
})

test('Business has no limit, and no bar', () => {
  const shown = ofMonth({ ...unseen, plan: 'business' })
  expect(shown).toHaveTextContent(/^This monthBusiness3 requests sent by this app, no monthly limit/)
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the card claims no plan before one was seen, and takes a count already (4.4, 8.3)', () => {
  expect(ofMonth(unseen)).toHaveTextContent(/^This monthPlan not known yet3 requests sent by this app/)
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.getByRole('textbox')).toBeVisible()
})

const ANSWER = { ageMs: 0, atMs: 0, spent: 0, refreshes: 0 }
/** The page hears of it in a later task. */
const giveRecord = (client: QueryClient, text: string) =>
  act(async () => {
    client.setQueryData(organizationQuery(SESSION).queryKey, { ...ANSWER, text })
    await new Promise((resolve) => setTimeout(resolve))
  })

test('before any limit was seen the card names the plan of the record, and no limit (4.4, 8.3)', async () => {
  for (const [language, plan, words] of [
    ['en', 'Business', 'The limit is not known yet. Your next request shows it.'],
    ['ja', 'ビジネス', '上限は未確認です。次のリクエストで分かります。'],
  ] as const) {
    await loadLanguage(language)
    const quota = received({}, { month: unseen })
    const { client, unmount } = draw(<MonthCard session={SESSION} />, quota)
    await giveRecord(client, '{"plan":"business"}')
    expect(screen.getByText(plan)).toBeVisible()
    expect(screen.getByText(words)).toBeVisible()
    unmount()
  }
})

test.each(['{"plan":"business"}', '{"plan":"standard"}', 'no JSON'])(
  'where the record is %s the plan is that of the limits (4.4, 8.2)',
  async (text) => {
    const { client } = draw(<MonthCard session={SESSION} />, received({}))
    await giveRecord(client, text)
    expect(screen.getByText(/^Standard · resets/)).toBeVisible()
  },
)

test('the page does not infer the plan that the record below names (4.4, 8.2)', async () => {
  const network = await signedInNetwork()
  network.isLive = true
  await openPage('/', network)
  await waitFor(() => expect(screen.getByText(/^Standard · resets/)).toBeVisible())
  await expect.poll(() => screen.queryByText(/inferred/)).toBeNull()
})

test('the reset lies between two instants, in the reader’s own words for a date (C11)', () => {
  const resets_in_ms = { earliest: (9 * 24 + 3) * HOUR, latest: (9 * 24 + 12) * HOUR }
  const shown = card({ ...reading(45), ...PACE, resets_in_ms })
  expect(shown).toHaveTextContent('Standard · resets Dec 1, in 9 days')
  expect(shown).toHaveTextContent('until it resets on Dec 1')
  expect(shown).toHaveTextContent('Resets between Dec 1, 12:00 AM and Dec 1, 9:00 AM your time.')
})

test('between two months the card says that a new one may have begun, and names no day (C10)', () => {
  const shown = card({ may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 720 * HOUR } })
  expect(shown).toHaveTextContent(/^This monthStandardAt most 97/)
  expect(shown).toHaveTextContent('A new month may have begun')
  expect(shown).not.toHaveTextContent(/resets|your time/i)
})

test('before the first snapshot the card keeps its space, and shows no number', () => {
  draw(<MonthCard session={SESSION} />)
  expect(screen.getByText('Loading…')).toBeVisible()
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
  ['with a reading', { ...reading(32, 34), ...PACE }],
  ['near its end', { ...reading(97, 99), reserve: { person: 10, sign_in: 2 } }],
  ['used up', { low: 100, high: 102 }],
  ['that may be reset', { may_have_reset: true }],
])('in Japanese no English sentence is left in a month %s', async (_name, changes) => {
  await loadLanguage('ja')
  draw(<MonthCard session={SESSION} />, received(changes))
  const shown = screen.getByRole('region', { name: '今月' })
  expect(shown).toHaveTextContent('プランページに表示された使用済みの件数')
  expect(shown.textContent.replaceAll(/Standard|Plimsoll/g, '')).not.toMatch(/[A-Za-z]{3,}/)
  expect(latinSentences()).toEqual([])
})
