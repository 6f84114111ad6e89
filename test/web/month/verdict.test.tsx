import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { Verdict } from '../../../src/web/month/verdict.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw, received } from '../_month.tsx'
import { window_ } from '../_snapshot.ts'

afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const DAY = 24 * HOUR
const reading = (low: number, high = low, reading_age_ms = 2 * HOUR) => ({
  organization: { low, high, reading_age_ms },
})
const pace = (state: Forecast['state'], more: Partial<Forecast> = {}, allowance_per_day = 8) => ({
  allowance_per_day,
  forecast: { state, early: false, ...more },
})
const runsOut = (runs_out_in_ms: number, early = false) => pace('runs_out', { runs_out_in_ms, early })
const SUSPECTED = { suspected: { age_ms: HOUR, reasons: [] } }
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

/** @param elapsedMs since the snapshot came, at 21:00 of November 21 in Tokyo */
function shown(changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) {
  const quota = received(changes, rest)
  const { unmount } = draw(<Verdict quota={{ ...quota, atMs: quota.atMs - elapsedMs }} />)
  const [number, sentence] = [...document.querySelectorAll('p')].map((part) => part.textContent.trim())
  const look = document.querySelector<HTMLElement>('[data-tone]')
  const looks = [look?.dataset['tone'], look?.querySelector('svg')?.dataset['shape']]
  unmount()
  return { number, sentence, looks }
}

async function inBoth(...drawn: Parameters<typeof shown>) {
  const english = shown(...drawn)
  await loadLanguage('ja')
  return [english, shown(...drawn)] as const
}

test.each<[changes: Partial<MonthSnapshot>, en: string, ja: string]>([
  [
    { ...reading(45), ...pace('on_pace') },
    'On track: you can use 8 a day until it resets on Dec 1',
    '順調：12月1日のリセットまで1日あたり8件使えます',
  ],
  [
    { ...reading(45), ...pace('too_early') },
    'You can use 8 a day until it resets on Dec 1',
    '12月1日のリセットまで1日あたり8件使えます',
  ],
  [
    { ...reading(45), ...pace('over') },
    'Tight: use at most 8 a day until it resets on Dec 1',
    '余裕なし：12月1日のリセットまで1日あたり8件以内に',
  ],
  [
    { ...reading(85), ...pace('on_pace') },
    'Low: you can use 8 a day until it resets on Dec 1',
    '残りわずか：12月1日のリセットまで1日あたり8件使えます',
  ],
  [
    { ...reading(97), ...pace('on_pace', {}, 0) },
    'Low: less than one a day until it resets on Dec 1',
    '残りわずか：12月1日のリセットまで1日あたり1件未満です',
  ],
  [
    reading(100),
    'Used up: the service refuses requests until it resets on Dec 1',
    '使い切りました：12月1日のリセットまでリクエストは受け付けられません',
  ],
  [
    { low: 100, high: 102 },
    'Used up by this app alone, until it resets on Dec 1',
    'このアプリだけで使い切りました（リセットは12月1日）',
  ],
  [
    { ...reading(45), ...SUSPECTED },
    'Probably used up: refused at 8:00 PM. It resets on Dec 1.',
    'おそらく使い切り：20:00にサービスがリクエストを拒否しました。リセットは12月1日です。',
  ],
  [
    { ...pace('on_pace') },
    'Other apps share these 100. Enter what your plan page says.',
    'この100件はほかのアプリと共有です。プランページの件数を入力してください。',
  ],
  [
    { low: 90, high: 90 },
    'Low: other apps share these 100. Enter what your plan page says.',
    '残りわずか：この100件はほかのアプリと共有です。プランページの件数を入力してください。',
  ],
  [
    { ...reading(45, 60, 6 * DAY), ...pace('stale') },
    'Not certain: the count is from 6 days ago. Enter what your plan page says.',
    '不確か：件数は6日前のものです。プランページの件数を入力してください。',
  ],
  [
    { ...reading(45), may_have_reset: true },
    'A new month may have begun: it begins within a day, in a time zone that is not known.',
    '新しい月が始まった可能性があります。1日以内に始まりますが、タイムゾーンは不明です。',
  ],
])('the sentence for %o is %j, in Japanese %j (8.3)', async (changes, en, ja) => {
  const drawn = await inBoth(changes)
  expect(drawn.map(({ sentence }) => sentence)).toEqual([en, ja])
})

test.each<[name: string, changes: Partial<MonthSnapshot>, en: string, ja: string]>([
  [
    'today',
    { ...reading(92), ...runsOut(2 * HOUR) },
    'Low: runs out today, 10 days before it resets on Dec 1',
    '残りわずか：今日使い切る見込みです（12月1日のリセットの10日前）',
  ],
  [
    'tomorrow',
    { ...reading(92), ...runsOut(3 * HOUR) },
    'Low: runs out tomorrow, Nov 22, 9 days before it resets on Dec 1',
    '残りわずか：明日（11月22日）使い切る見込みです（12月1日のリセットの9日前）',
  ],
  [
    'later',
    { ...reading(60), ...runsOut(5 * DAY) },
    'Low: runs out on Nov 26, 5 days before it resets on Dec 1',
    '残りわずか：11月26日に使い切る見込みです（12月1日のリセットの5日前）',
  ],
  [
    'on the last day',
    { ...reading(60), ...runsOut(9 * DAY) },
    'Low: runs out on Nov 30, 1 day before it resets on Dec 1',
    '残りわずか：11月30日に使い切る見込みです（12月1日のリセットの1日前）',
  ],
  [
    'on the day of the reset',
    { ...reading(60), ...runsOut(9 * DAY + 5 * HOUR) },
    'Low: runs out on Dec 1, 10 hours before it resets on Dec 1',
    '残りわずか：12月1日に使い切る見込みです（12月1日のリセットの10時間前）',
  ],
  [
    'early in the month',
    { ...reading(30), ...runsOut(5 * DAY, true) },
    'Low: at this pace it may run out on Nov 26, before it resets on Dec 1',
    '残りわずか：このペースでは11月26日に使い切る可能性があります（リセットは12月1日）',
  ],
])('a run-out %s is named with its day, in both languages (8.3)', async (_name, changes, en, ja) => {
  const drawn = await inBoth(changes)
  expect(drawn.map(({ sentence }) => sentence)).toEqual([en, ja])
})

test('the day of a run-out stays the same while the page is open, and becomes today (8.3)', () => {
  const month = { ...reading(92), ...runsOut(20 * HOUR) }
  const sentences = [0, 4 * HOUR].map((elapsedMs) => shown(month, {}, elapsedMs).sentence)
  expect(sentences).toEqual([
    'Low: runs out tomorrow, Nov 22, 9 days before it resets on Dec 1',
    'Low: runs out today, 9 days before it resets on Dec 1',
  ])
})

test('the age of a count grows while the page is open, and the time of a refusal stays (8.3)', () => {
  const old = shown({ ...reading(45, 60, 5 * DAY), ...pace('stale') }, {}, 2 * DAY)
  expect(old.sentence).toContain('the count is from 7 days ago')
  expect(old.number).toContain('as of 7 days ago')
  expect(shown(SUSPECTED, {}, HOUR).sentence).toContain('at 8:00 PM.')
  expect(shown(SUSPECTED, {}, 24 * HOUR).sentence).toContain('at Nov 21, 8:00 PM.')
})

test('a pause is named with its wait and its reason, whichever limit it is (8.2)', async () => {
  const minute = await inBoth(reading(45), { read: window_({ remaining: 0, reset_in_ms: 50_000 }) })
  expect(minute.map(({ sentence }) => sentence)).toEqual([
    'Paused: 50 s. No requests of this minute are left.',
    '一時停止中：あと50秒。この1分間のリクエストは残っていません。',
  ])
  await loadLanguage('en')
  const unknown = { code: 'limit_unknown', ends_in_ms: 130_000, reasons: [] } as const
  expect(shown({}, { pauses: [unknown] }).sentence).toBe('Paused: 2 min 10 s.')
})

test('without a limit the sentence says why, and claims none (8.3)', async () => {
  const draws = (month: MonthSnapshot) => inBoth({}, { month })
  const business = await draws({ ...unseen, plan: 'business' })
  await loadLanguage('en')
  const neither = await draws(unseen)
  expect([...business, ...neither].map(({ sentence }) => sentence)).toEqual([
    'No monthly limit on Business: only the speed limit counts',
    'ビジネスプランに月の上限はありません。速度制限だけがあります',
    'The limit is not known yet. Your next request shows it.',
    '上限は未確認です。次のリクエストで分かります。',
  ])
  expect([...business, ...neither].map(({ number }) => number)).toEqual([
    '3 requests sent by this app, no monthly limit',
    '3 件をこのアプリが送信（月の上限なし）',
    '3 requests sent by this app',
    '3 件をこのアプリが送信',
  ])
})

test('between two months a refusal is named without the day of a reset, which may be now (8.3)', () => {
  expect(shown({ ...SUSPECTED, may_have_reset: true }).sentence).toBe(
    'Probably used up: refused at 8:00 PM. A new month may have begun: it begins within a day, in a time zone that is not known.',
  )
})

test.each<[changes: Partial<MonthSnapshot>, en: string, ja: string]>([
  [reading(45), '55 of 100 requests left · as of 2 hours ago', '残り55件 100件中・確認：2時間前'],
  [reading(41, 45), '55–59 of 100 requests left · as of 2 hours ago', '残り55～59件 100件中・確認：2時間前'],
  [{}, 'At most 97 of 100 requests left · not known yet', '残り最大97件 100件中・正確な数は未確認'],
  [reading(100), '0 of 100 requests left · as of 2 hours ago', '残り0件 100件中・確認：2時間前'],
  [{ low: 100, high: 100 }, '0 of 100 requests left', '残り0件 100件中'],
  [
    { low: 99, high: 101 },
    'At most 1 of 100 requests left · not known yet',
    '残り最大1件 100件中・正確な数は未確認',
  ],
  [{ ...reading(45), ...SUSPECTED }, 'Probably 0 of 100 requests left', 'おそらく残り0件 100件中'],
])('the number for %o is %j, in Japanese %j (C23)', async (changes, en, ja) => {
  const drawn = await inBoth(changes)
  expect(drawn.map(({ number }) => number)).toEqual([en, ja])
})

test('the number is what stands out, and what it is follows it (D4)', () => {
  draw(<Verdict quota={received(reading(45))} />)
  expect(screen.getByText('55').tagName).toBe('STRONG')
  expect(screen.getByText('of 100 requests left · as of 2 hours ago')).toBeVisible()
})

test.each<[Partial<MonthSnapshot>, tone: string, shape: string]>([
  [{ ...reading(45), ...pace('on_pace') }, 'ok', 'check'],
  [{ ...reading(45), ...pace('too_early') }, 'unknown', 'circle'],
  [{ ...reading(45), ...pace('over') }, 'low', 'triangle'],
  [{ ...reading(45), ...runsOut(DAY) }, 'low', 'triangle'],
  [reading(85), 'low', 'triangle'],
  [reading(100), 'none', 'square'],
  [SUSPECTED, 'none', 'square'],
  [{}, 'unknown', 'diamond'],
  [{ ...reading(45), ...pace('stale') }, 'unknown', 'diamond'],
  [{ may_have_reset: true }, 'unknown', 'diamond'],
])('a verdict has a shape beside its colour: %o is %s and a %s (D5)', (changes, ...looks) => {
  expect(shown(changes).looks).toEqual(looks)
})
