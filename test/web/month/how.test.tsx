import type { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import type { ReceivedQuota } from '../../../src/web/lib/ui.ts'
import { How } from '../../../src/web/month/how.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw, received, SESSION } from '../_month.tsx'
import { stubNotification } from '../_notification.ts'
import { window_ } from '../_snapshot.ts'

beforeEach(() => void stubNotification('default'))
afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const DAY = 24 * HOUR
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 2 * HOUR } })
const SUSPECTED: Partial<MonthSnapshot> = {
  suspected: { age_ms: HOUR, reasons: [{ code: 'minute_has_requests_left' }] },
}
const ON_PACE = { forecast: { state: 'on_pace', early: false } } as const
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

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
    'At the pace of this app alone it lasts until the reset.',
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
    `The monthly limit comes first. ${INFERRED}`,
    `${RESETS} ${ZONE}`,
  ])
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

test('between two months no instant of a reset is named (C10)', () => {
  const between = { may_have_reset: true, resets_in_ms: { earliest: HOUR, latest: 30 * DAY } }
  expect(how({ ...reading(32, 40), ...ON_PACE, ...between }).slice(1)).toEqual([
    `The monthly limit comes first. ${INFERRED}`,
    ZONE,
  ])
})

const ANSWER = { ageMs: 0, atMs: 0, spent: 0, refreshes: 0 }
/** The page hears of it in a later task. */
const giveRecord = (client: QueryClient, text: string) =>
  act(async () => {
    client.setQueryData(organizationQuery(SESSION).queryKey, { ...ANSWER, text })
    await new Promise((resolve) => setTimeout(resolve))
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

test('in Japanese each of it is Japanese', async () => {
  await loadLanguage('ja')
  expect(how({ low: 1, high: 2, ...ON_PACE })).toEqual([
    'このアプリは1～2件を使いました。組織のほかのアプリも、同じ100件を使います。サービスは今月の数を知らせないため、Plimsollは自分が送った分を数えています。',
    '1件または2件です。サインインも1件と数えられる可能性があります。',
    'このアプリだけのペースなら、リセットまで足ります。',
    '先に達するのは月の上限です。スタンダードプラン（上限からの推定）。',
    'リセットは現地時刻で12月1日 3:13から12月1日 12:13の間です。どのタイムゾーンで月が始まるかを、サービスは示していません。',
  ])
  expect(screen.queryByText(/How/)).toBeNull()
})
