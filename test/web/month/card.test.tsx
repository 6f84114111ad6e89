import type { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { burnDownOf } from '../../../src/web/chart/burn-down.ts'
import type { ReceivedAnswer } from '../../../src/web/lib/api.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { MonthCard, How, howWords } from '../../../src/web/month/card.tsx'
import { dayWords } from '../../../src/web/text/format.ts'
import { draw, received, SESSION } from '../_month.tsx'
import { stubNotification } from '../_notification.ts'

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
    /^This monthStandard · resets Dec 1, in 10 days55 of 100 requests left · as of 2 hours ago You can use 8 a day until it resets on Dec 1\. left 55 other apps 42 this app 3 Used so far, on your plan page/,
  )
  expect(shown).toHaveTextContent('Entered 2 hours ago.')
  expect(screen.getByText('How we know').closest('details')).not.toHaveAttribute('open')
})

test.each<[Partial<MonthSnapshot>, string]>([
  [{ ...reading(45), ...PACE }, 'ok'],
  [{}, 'unknown'],
  [reading(85), 'low'],
  [reading(100), 'none'],
])('the month %o has the tone %s, which colours what is left (D5)', (changes, tone) => {
  expect(card(changes)).toHaveAttribute('data-tone', tone)
})

test('Business has no limit, and no bar', () => {
  const shown = ofMonth({ ...unseen, plan: 'business' })
  expect(shown).toHaveTextContent(/^This monthBusiness3 sent by this app No monthly limit/)
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the card claims no plan before one was seen, and takes a count already (4.4, 8.3)', () => {
  expect(ofMonth(unseen)).toHaveTextContent(/^This monthPlan not known yet3 sent by this app/)
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.getByRole('textbox')).toBeVisible()
})

/** The page hears of it in a later task. */
const giveRecord = (client: QueryClient, text: string) =>
  act(async () => {
    const answer: ReceivedAnswer = { text, ageMs: 0, atMs: 0, spent: 0, refreshes: 0 }
    client.setQueryData(organizationQuery(SESSION).queryKey, answer)
    await new Promise((resolve) => setTimeout(resolve))
  })

test('the day of the reset and the time until it are of the same instant (8.3)', () => {
  const shown = card({ ...reading(71), ...PACE, resets_in_ms: { earliest: 60_000, latest: 26 * HOUR } })
  expect(shown).toHaveTextContent(/resets Nov 22, in 26 hours/)
  // The axis of the chart ends with the same day.
  const { snapshot, wallMs } = received({ resets_in_ms: { earliest: 60_000, latest: 26 * HOUR } })
  const { resetMs } = burnDownOf({
    month: { ...snapshot.month, limit: 100 },
    nowMs: wallMs,
    days: [],
    readings: [],
  })
  expect(dayWords(resetMs)).toBe('Nov 22')
})

test('while the month turns, one sentence says what is known, and no number is of the future (8.3)', () => {
  const turn = { may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 720 * HOUR } }
  const shown = card({ low: 0, high: 17, ...reading(0, 71), ...PACE, ...turn, ...ON_PACE })
  expect(shown).toHaveTextContent(/At least 29 of 100 requests left/)
  expect(shown).toHaveTextContent('A new month')
  expect(shown).not.toHaveTextContent(
    /resets|your time|–100|may count|at the reset|\d a day|even pace|At this pace/,
  )
})

test('while no newer values come the card says how old its own are (B20)', () => {
  card({})
  act(() => useUi.setState({ live: 'not_live' }))
  expect(screen.getByText('Last update just now')).toBeVisible()
  act(() => useUi.setState({ live: 'live' }))
  expect(screen.queryByText('Last update just now')).toBeNull()
})

beforeEach(() => void stubNotification('default'))
const DAY = 24 * HOUR
const SUSPECTED: Partial<MonthSnapshot> = {
  suspected: { age_ms: HOUR, reasons: [{ code: 'minute_has_requests_left' }] },
}
const ON_PACE = { forecast: { state: 'on_pace', early: false } } as const

const COUNTED = 'The service does not report the month, so Plimsoll counts what it sends.'
const RESETS = 'Resets between Dec 1, 3:13 AM and Dec 1, 12:13 PM your time.'
const ZONE = 'The service does not show in which time zone its month begins.'

/** The sentences above the link. */
const how = (changes: Partial<MonthSnapshot>) => {
  const { snapshot, wallMs } = received(changes)
  return howWords(snapshot.month, wallMs)
}

test.each<[string, Partial<MonthSnapshot>, string[]]>([
  [
    'without a reading the count and its uncertainty are this app’s own',
    { low: 1, high: 2, ...ON_PACE },
    [
      `This app has used 1–2. Other apps in your organization use the same 100. ${COUNTED}`,
      'Between 1 and 2: some requests, such as sign-ins, may not count.',
    ],
  ],
  [
    'with a reading the count is the organization’s',
    { ...reading(91, 93), ...ON_PACE },
    [
      `Your organization has used 91–93 of 100; 3 of them through this app. ${COUNTED}`,
      'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
    ],
  ],
  [
    'a refusal is explained first',
    { ...reading(32), ...ON_PACE, ...SUSPECTED },
    [
      'Why we think so: Refused although this minute has requests left, so the month is probably used up.',
      `Your organization has used 32 of 100; 3 of them through this app. ${COUNTED}`,
    ],
  ],
])('how we know: %s (C4, C23, 8.3)', (_, changes, words) => {
  expect(how(changes)).toEqual([...words, `${RESETS} ${ZONE}`])
})

test('where evidence shows the time zone, the reset is one instant (C12)', () => {
  const resets_in_ms = { earliest: 10 * DAY, latest: 10 * DAY }
  expect(how({ ...reading(32), resets_in_ms }).at(-1)).toBe('Resets at Dec 1, 9:00 PM your time.')
})

test('while the month turns no count or reset is named (C10)', () => {
  const turn = { may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 30 * DAY } }
  expect(how({ ...reading(32, 40), ...ON_PACE, ...turn })).toEqual([COUNTED, ZONE])
})

test.each([
  ['{"plan":"standard"}', 'Standard'],
  ['{"organization":{"plan_name":"Business"}}', 'Business'],
  ['{"plan":7}', 'Plan not known yet'],
  ['{"plan":{"name":"standard"}}', 'Plan not known yet'],
  ['{"plan":"constructor"}', 'Plan not known yet'],
  ['no JSON', 'Plan not known yet'],
])('with the record %s the card names the plan: %s (4.4, 8.2)', async (record, plan) => {
  const { client } = draw(<MonthCard session={SESSION} />, received({}, { month: unseen }))
  await giveRecord(client, record)
  expect(screen.getByText(plan)).toBeVisible()
})

test('it is folded at first, and leads to how limits are counted (D1)', async () => {
  const { user } = draw(<How quota={received({})} />)
  const link = screen.getByText('How limits are counted')
  expect(link).not.toBeVisible()
  await user.click(screen.getByText('How we know'))
  expect(link).toBeVisible()
  await user.click(link)
  expect(location.pathname).toBe('/learnt')
})
