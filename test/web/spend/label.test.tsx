import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { type Spend, SpendButton } from '../../../src/web/spend/button.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw, received } from '../_month.tsx'
import { window_ } from '../_snapshot.ts'

afterEach(() => loadLanguage('en'))

const SPEND: Spend = { run: () => {}, busy: false, problem: null, answer: undefined, press: 'read' }
const reading = (used: number) => ({ organization: { low: used, high: used, reading_age_ms: 0 } })
const PACE = { allowance_per_day: 8, forecast: { state: 'on_pace', early: false } } as const
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const DUE = { refresh: { due_in_ms: 0, counts: 'unknown' } } as const
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

interface Drawn {
  rest?: Partial<QuotaSnapshot>
  spend?: Partial<Spend>
  primary?: boolean
  language?: 'en' | 'ja'
}
function button(month: Partial<MonthSnapshot>, { rest, spend, primary = true, language = 'en' }: Drawn = {}) {
  const [label, anyway] =
    language === 'en' ? ['Refresh', 'Refresh anyway'] : ['再読み込み', '再読み込みを試す']
  draw(
    <SpendButton label={label} anyway={anyway} spend={{ ...SPEND, ...spend }} primary={primary} />,
    received(month, rest),
  )
  return screen.getByRole('button')
}
const ON_TRACK = { ...reading(45), ...PACE }

test.each<[Partial<MonthSnapshot>, en: string, ja: string]>([
  [ON_TRACK, 'Refresh · uses 1–2 of 55', '再読み込み（残り55件のうち1～2件を使用）'],
  [{}, 'Refresh · uses 1–2 of at most 97', '再読み込み（残り最大97件のうち1～2件を使用）'],
  [{ ...reading(92), ...PACE }, 'Uses 1–2 of 8 · Refresh', '残り8件のうち1～2件を使用して再読み込み'],
  [reading(100), 'Uses up to 2 requests · Refresh anyway', '最大2リクエストを使用して再読み込みを試す'],
  [SUSPECTED, 'Uses up to 2 requests · Refresh anyway', '最大2リクエストを使用して再読み込みを試す'],
])('in the month %o the button says %j, in Japanese %j (C32)', async (month, en, ja) => {
  expect(button(month, { rest: DUE })).toHaveTextContent(en)
  await loadLanguage('ja')
  cleanup()
  expect(button(month, { rest: DUE, language: 'ja' })).toHaveTextContent(ja)
})

test('without a monthly limit the button has the number of requests alone (8.3)', () => {
  expect(button({}, { rest: { month: { ...unseen, plan: 'business' } } })).toHaveTextContent(
    'Refresh · uses 1 request',
  )
})

test('before the first snapshot the button has the highest usual price, and is not the main one', () => {
  draw(<SpendButton label="Refresh" anyway="Refresh anyway" spend={SPEND} primary />)
  expect(screen.getByRole('button')).toHaveTextContent('Refresh · uses 1–2 requests')
  expect(screen.getByRole('button')).not.toHaveAttribute('data-kind')
})

test.each<[string, Partial<MonthSnapshot>, boolean, string | null]>([
  ['with plenty', ON_TRACK, true, 'primary'],
  ['with plenty, if another button is the main one', ON_TRACK, false, null],
  ['with little', { ...reading(92), ...PACE }, true, null],
  ['while a count is wanted', { reading_wanted: 'none' }, true, null],
])('%s the button is as loud as is right (8.3)', (_name, month, primary, kind) => {
  expect(button(month, { primary }).getAttribute('data-kind')).toBe(kind)
})

test('while a press runs its label says so, and keeps the price behind it (7)', () => {
  const busy = button({ ...reading(92), ...PACE }, { spend: { busy: true } })
  expect(busy).toHaveTextContent('Reading… · uses 1 of 8')
  expect(busy).toHaveAttribute('aria-busy', 'true')
  expect(busy).toHaveAttribute('aria-disabled', 'true')
})

test('the line below is empty, and takes no room, while there is nothing to say', () => {
  const line = button(ON_TRACK).nextElementSibling
  expect(line).toBeEmptyDOMElement()
})

test('a paused button says for how long and why, and keeps its label (8.2)', () => {
  const paused = button(ON_TRACK, { rest: { read: window_({ remaining: 0, reset_in_ms: 50_000 }) } })
  expect(paused).toHaveTextContent('Refresh · in 50 s')
  expect(paused).toHaveAttribute('aria-disabled', 'true')
  expect(paused.nextElementSibling).toHaveTextContent(
    'Possible again in 50 s. No requests of this minute are left.',
  )
})

test.each<[Partial<MonthSnapshot>, string]>([
  [
    { ...reading(98), reserve: { person: 10, sign_in: 2 } },
    'One of the last requests of the month, kept for signing in.',
  ],
  [{ low: 98, high: 100 }, 'The month may be used up: it may be refused.'],
  [SUSPECTED, 'The month seems to be used up: probably refused.'],
])('below the button is a warning: %o: %s (C31)', (month, warning) => {
  expect(button(month)).toHaveAccessibleDescription(warning)
})
