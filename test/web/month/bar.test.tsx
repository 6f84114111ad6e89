import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { MonthBar } from '../../../src/web/month/bar.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw } from '../_month.tsx'
import { month } from '../_snapshot.ts'

afterEach(() => loadLanguage('en'))

const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const reserve = { person: 10, sign_in: 2 }

function bar(changes: Partial<MonthSnapshot>, limit = 100) {
  draw(<MonthBar month={month(changes)} limit={limit} />)
  const meter = screen.getByRole('meter')
  const items = within(screen.getByRole('list')).getAllByRole('listitem')
  return {
    meter,
    widths: [...meter.children].map((part) => (part as HTMLElement).style.width),
    legend: items.map(({ textContent }) => textContent.trim()),
  }
}

test('what is left comes first, and what this and other apps used stands at the other side (D5)', () => {
  const { widths, legend } = bar({ low: 3, high: 5, ...reading(32, 36) })
  expect(widths).toEqual(['64%', '4%', '29%', '3%'])
  expect(legend).toEqual(['left 64–68', 'other apps 27–33', 'this app 3–5', 'may count 4'])
})

test('a count without doubt has no uncertain part, and no word for it (D5)', () => {
  const { widths, legend } = bar({ low: 3, high: 3, ...reading(32) })
  expect(widths).toEqual(['68%', '0%', '29%', '3%'])
  expect(legend).toEqual(['left 68', 'other apps 29', 'this app 3'])
})

test('without a reading the rest is left unless other apps used it, and has no number (D5)', () => {
  const { widths, legend } = bar({ low: 3, high: 5 })
  expect(widths).toEqual(['95%', '2%', '0%', '3%'])
  expect(legend).toEqual(['left, unless other apps used it', 'this app 3–5'])
})

test('when this app alone has used the month up, nothing is left, whatever other apps used (8.3)', () => {
  const { widths, legend } = bar({ low: 100, high: 105 })
  expect(widths).toEqual(['0%', '0%', '0%', '100%'])
  expect(legend).toEqual(['left 0', 'this app 100–105'])
})

test('each part of the bar has its own look, which the legend repeats (D5)', () => {
  const { meter } = bar({ low: 3, high: 5, ...reading(32, 36) })
  const looks = (parent: Element) => [...parent.querySelectorAll('span')].map(({ className }) => className)
  const [left, unknown, others, own] = looks(meter)
  expect(new Set([left, unknown, others, own])).toHaveLength(4)
  expect(looks(screen.getByRole('list'))).toEqual([left, others, own, unknown])
})

test('what is not known has the same look as what may count (D5)', () => {
  const { meter } = bar({ low: 3, high: 5 })
  expect(meter.children[0]?.className).toBe(meter.children[1]?.className)
})

test.each<[Partial<MonthSnapshot>, boolean]>([
  [reading(89), false],
  [reading(90), true],
  [reading(99), true],
  [reading(100), false],
  [{ low: 90, high: 90 }, true],
])('near the end the legend names the requests kept for signing in: %o: %s (C31)', (changes, isNamed) => {
  const { legend } = bar({ reserve, ...changes })
  expect(legend.includes('2 of them kept for signing in')).toBe(isNamed)
})

test('without a reserve nothing is kept (C31)', () => {
  const none = { person: 10, sign_in: 0 }
  expect(bar({ reserve: none, ...reading(95) }).legend.join()).not.toContain('kept')
})

test.each<[Partial<MonthSnapshot>, now: string, spoken: string]>([
  [reading(32, 36), '64', '64 to 68 of 100 requests left'],
  [reading(32), '68', '68 of 100 requests left'],
  [{ low: 3, high: 5 }, '95', 'at most 97 of 100 requests left'],
  [{ ...reading(32), ...SUSPECTED }, '0', 'at most 68 of 100 requests left'],
])('the meter is read out as a sentence: %o is %s, %j (D2)', (changes, now, spoken) => {
  const { meter } = bar(changes)
  expect(meter).toHaveAccessibleName('Requests left this month')
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '100')
  expect(meter).toHaveAttribute('aria-valuenow', now)
  expect(meter).toHaveAttribute('aria-valuetext', spoken)
})

test('a limit of 0 is a bar without parts (8.3)', () => {
  expect(bar({}, 0).widths).toEqual(['0%', '0%', '0%', '0%'])
})

test('the bar and its legend are in Japanese too', async () => {
  await loadLanguage('ja')
  const { meter, legend } = bar({ reserve, low: 3, high: 5, ...reading(92, 96) })
  expect(meter).toHaveAccessibleName('今月の残りリクエスト')
  expect(meter).toHaveAttribute('aria-valuetext', '100件中、残り4から8件')
  expect(legend).toEqual([
    '残り4～8',
    'ほかのアプリ：87～93',
    'このアプリ：3～5',
    '数えられる可能性：4',
    'うち2件はサインイン用',
  ])
})

test('in Japanese the rest is not known without a reading, as in English', async () => {
  await loadLanguage('ja')
  const { meter, legend } = bar({})
  expect(meter).toHaveAttribute('aria-valuetext', '100件中、残り最大97件')
  expect(legend).toEqual(['残り（ほかのアプリの使用分は不明）', 'このアプリ：3'])
})
