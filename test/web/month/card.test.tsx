import type { QueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { MonthCard } from '../../../src/web/month/card.tsx'
import { draw, received, SESSION } from '../_month.tsx'
import type { ReceivedQuota } from '../../../src/web/quota/query.ts'
import { How } from '../../../src/web/month/how.tsx'
import { stubNotification } from '../_notification.ts'
import { window_ } from '../_snapshot.ts'

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
  expect(shown).toHaveTextContent(/^This monthBusiness3 requests sent by this app No monthly limit/)
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
  const { client } = draw(<MonthCard session={SESSION} />, received({}, { month: unseen }))
  await giveRecord(client, '{"plan":"business"}')
  expect(screen.getByText('Business')).toBeVisible()
  expect(screen.getByText('The limit is not known yet. Your next request shows it.')).toBeVisible()
})

test('while the month turns the card says so, and names no day (C10)', () => {
  const shown = card({ may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 720 * HOUR } })
  expect(shown).toHaveTextContent(/^This monthStandardAt most 97/)
  expect(shown).toHaveTextContent('A new month has begun, or will within a day')
  expect(shown).not.toHaveTextContent(/resets|your time/i)
})

test('the day of the reset and the time until it are of the same instant (8.3)', () => {
  const shown = card({ ...reading(71), ...PACE, resets_in_ms: { earliest: 60_000, latest: 26 * HOUR } })
  expect(shown).toHaveTextContent(/resets Nov 22, in 26 hours/)
})

test('while the month turns, one sentence says what is known, and no number is of the future (8.3)', () => {
  const turn = { may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 720 * HOUR } }
  const shown = card({ low: 0, high: 17, ...reading(0, 71), ...PACE, ...turn, ...ON_PACE })
  expect(shown).toHaveTextContent(/At least 29 of 100 requests left/)
  expect(shown).toHaveTextContent('A new month')
  expect(shown).not.toHaveTextContent(/–100|may count|at the reset|\d a day|even pace|At this pace/)
})

test('before the first snapshot the card keeps its space, and shows no number', async () => {
  const { fail } = draw(<MonthCard session={SESSION} />)
  expect(screen.getByText('Loading…')).toBeVisible()
  expect(screen.getByText('At most 99')).not.toBeVisible()
  expect(screen.queryByRole('meter')).toBeNull()
  fail(new Problem('bff_unreachable'))
  await waitFor(() => expect(screen.getByRole('region')).toHaveTextContent(/^This monthNot known\.$/))
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
const INFERRED = 'Standard plan (inferred from its limits).'
const RESETS = 'Resets between Dec 1, 3:13 AM and Dec 1, 12:13 PM your time.'
const ZONE = 'The service does not show in which time zone its month begins.'

/** The paragraphs before the link. */
const words = () =>
  [...document.querySelectorAll('p')].slice(0, -1).map(({ textContent }) => textContent.trim())

function shown(quota: ReceivedQuota) {
  const { unmount } = draw(<How quota={quota} session={SESSION} />)
  const paragraphs = words()
  unmount()
  return paragraphs
}
const how = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) =>
  shown(received(changes, rest))

test('without a reading the count is this app’s own, and the monthly limit comes first (C23, C40)', () => {
  expect(how({ low: 1, high: 2, ...ON_PACE })).toEqual([
    `This app has used 1–2. Other apps in your organization use the same 100. ${COUNTED}`,
    '1 or 2: signing in may count as a request.',
    `The monthly limit comes first. ${INFERRED}`,
    `${RESETS} ${ZONE}`,
  ])
})

test('with a reading the count is the organization’s, with the reserve and the pace (C23, C31)', () => {
  const reserve = { person: 10, sign_in: 2 }
  expect(how({ ...reading(91, 93), ...ON_PACE, reserve })).toEqual([
    `Your organization has used 91–93 of 100; 3 of them through this app. ${COUNTED}`,
    'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
    'At this pace it lasts until the reset. The last 10 are kept for your own presses, the last 2 for signing in.',
    `The monthly limit comes first. ${INFERRED}`,
    `${RESETS} ${ZONE}`,
  ])
})

test('a refusal is explained first (8.3)', () => {
  expect(how({ ...reading(32), ...ON_PACE, ...SUSPECTED })).toEqual([
    'Why we think so: Refused although this minute has requests left, so the month is probably used up.',
    `Your organization has used 32 of 100; 3 of them through this app. ${COUNTED}`,
    INFERRED,
    `${RESETS} ${ZONE}`,
  ])
})

test.each<[Partial<MonthSnapshot>, string]>([
  [{ low: 1, high: 2 }, '1 or 2: signing in may count as a request.'],
  [{ low: 3, high: 5 }, 'Between 3 and 5: some requests may not count.'],
  [reading(32, 34), 'The higher number includes requests that may count, and what other apps may have used'],
])('an uncertain count is explained: %o (C4)', (changes, words) => {
  expect(how(changes).join(' ')).toContain(words)
  expect(how(reading(32)).join(' ')).not.toMatch(/may count|or 2|Between 3/)
})

const RESERVE = { reserve: { person: 10, sign_in: 2 } }

test.each<[Partial<MonthSnapshot>, boolean]>([
  [{ ...RESERVE, low: 89, high: 89 }, false],
  [{ ...RESERVE, low: 89, high: 90 }, true],
  [{ low: 99, high: 99 }, false],
  [{ ...RESERVE, low: 100, high: 100 }, false],
  [{ ...RESERVE, low: 95, high: 95, ...SUSPECTED }, false],
])('the card says for whom the last requests are once they are near: %o: %s (C31)', (changes, isSaid) => {
  const words = 'The last 10 are kept for your own presses, the last 2 for signing in.'
  expect(how(changes).includes(words)).toBe(isSaid)
})

test.each<[Partial<Forecast>, string]>([
  [{ state: 'too_early' }, 'It is too early for a forecast.'],
  [{ state: 'on_pace' }, 'At this pace it lasts until the reset.'],
  [{ state: 'under', difference: 1 }, 'At this pace 1 request will be left at the reset.'],
  [
    { state: 'over', difference: 4 },
    'At this pace 4 of the requests kept for signing in will be used by the reset.',
  ],
  [{ state: 'runs_out', runs_out_in_ms: 6 * 24 * HOUR }, 'At this pace it lasts until Nov 27.'],
  [{ state: 'on_pace', early: true }, 'At this pace it lasts until the reset (an early estimate).'],
])('the forecast %o is told as "%s", for a whole organization alone (C36)', (forecast, words) => {
  const month = { forecast: { state: 'on_pace', early: false, ...forecast } } as const
  expect(how({ ...reading(45), ...month })).toContain(words)
  expect(how(month).join(' ')).not.toContain('forecast')
  expect(how({ ...reading(100), ...month })).not.toContain(words)
})

test('a used-up minute comes first, until its reset (C40)', () => {
  const minute = { read: window_({ remaining: 0 }) }
  expect(how(reading(32), minute)).toContain(`At present the speed limit comes first. ${INFERRED}`)
  expect(how({ low: 100, high: 100 }, minute)).toContain(INFERRED)
})

test('without a limit there is one limit, and before any was seen none is named (C40, 8.3)', () => {
  const quota = received({})
  const of = (month: MonthSnapshot) => shown({ ...quota, snapshot: { ...quota.snapshot, month } })
  expect(of({ ...unseen, plan: 'business' })).toContain(
    'The speed limit is the only limit. Business plan (inferred from its limits).',
  )
  const nothing = of(unseen).join(' ')
  expect(nothing).not.toMatch(/plan|comes first|only limit/)
  expect(nothing).toContain('Other apps in your organization are not counted.')
})

test('where evidence shows the time zone, the reset is one instant (C12)', () => {
  const resets_in_ms = { earliest: 10 * DAY, latest: 10 * DAY }
  expect(how({ ...reading(32), resets_in_ms }).at(-1)).toBe('Resets at Dec 1, 9:00 PM your time.')
})

test('while the month turns no count, pace or reset is named (C10)', () => {
  const turn = { may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 30 * DAY } }
  expect(how({ ...reading(32, 40), ...ON_PACE, ...turn })).toEqual([
    COUNTED,
    `The monthly limit comes first. ${INFERRED}`,
    ZONE,
  ])
})

test.each([
  ['{"plan":"standard"}', false],
  ['{"organization":{"plan_name":"Standard"}}', false],
  ['{"plan":"business"}', true],
  ['{"plan":7}', true],
  ['{"plan":{"name":"standard"}}', true],
  ['{"name":"standard"}', true],
  ['{"plan":"constructor"}', true],
  ['no JSON', true],
])('with the record %s the plan is inferred: %s (4.4, 8.2)', async (record, isInferred) => {
  const { client } = draw(<How quota={received({})} session={SESSION} />)
  await giveRecord(client, record)
  expect(words().join(' ').includes(INFERRED)).toBe(isInferred)
})

test('it is folded at first, and leads to how limits are counted (D1)', async () => {
  const { user } = draw(<How quota={received({})} session={SESSION} />)
  const link = screen.getByText('How limits are counted')
  expect(link).not.toBeVisible()
  await user.click(screen.getByText('How we know'))
  expect(link).toBeVisible()
  await user.click(link)
  expect(location.pathname).toBe('/learnt')
})
