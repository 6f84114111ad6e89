import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { View } from '../../../src/contract/boot.ts'
import type { OrganizationId } from '../../../src/contract/organization.ts'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { runEarly } from '../_early.ts'
import { stubFetch } from '../_network.ts'
import { month, snapshot } from '../_snapshot.ts'
import { drawn, drawnHome, SIGNED_IN, SIGNED_OUT, wordsOf } from './_drawn.ts'

afterAll(() => loadLanguage('en'))

test('the sign-in page is drawn whole, in the language that is chosen or accepted (D9)', () => {
  const en = drawn({})
  expect(en.title).toBe('Sign in · Plimsoll')
  expect(en.root).toMatch(/<h1 tabindex="-1">Plimsoll<.*<form.*id="organization-id".*<footer/s)
  expect(en.root).toContain('Sign in · 1–2 requests')
  expect(en.root).not.toContain('Sandbox')
  expect(en.boot).toMatchObject({ language: 'en', locale: 'en-gb', isDrawn: true, session: SIGNED_OUT })
  const ja = drawn({ choices: { language: 'ja', theme: 'dark' } })
  expect(wordsOf(ja.root)).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/)
  expect(ja.root).toMatch(/<option value="ja" lang="ja" selected.*<option value="dark" selected/)
  expect(ja.boot).toMatchObject({ language: 'ja', locale: 'ja', theme: 'dark' })
  expect(drawn({ languages: ['fr', 'ja-jp'], choices: { language: 'tl' } }).boot.locale).toBe('ja-jp')
})

test.each([
  ['yes', '2 requests'],
  ['no', '1 request'],
] as const)(
  'where it is known that a code exchange counts: %s, a sign-in is drawn with its price (8.3)',
  (counts, price) => {
    const { root } = drawn({ session: { ...SIGNED_OUT, sign_in_counts: counts } })
    expect(root).toContain(`Sign in · ${price}<`)
  },
)

test('the sign-in page has the organization of its address, and those of a sandbox with their names as text', () => {
  const organizations = [{ id: '1001' as OrganizationId, name: 'Harbour <b>Rope</b> Works' }]
  const sandbox = { control_url: 'http://127.0.0.1:4001/', organizations }
  const { root } = drawn({ path: '/organizations/2002', session: { ...SIGNED_OUT, sandbox } })
  expect(root).toMatch(/Harbour &lt;b&gt;Rope&lt;\/b&gt; Works<\/bdi> \(1001\) · <span[^>]*>1–2 requests</)
  expect(root).toContain('value="2002"')
})

test('a page that the browser must draw itself says that it is opening, and has no number (8.3)', () => {
  for (const kind of ['frame', 'person'] as const) {
    const { root, boot } = drawn({ kind, path: '/callback', session: SIGNED_IN })
    expect(wordsOf(root)).toContain('Opening Plimsoll…')
    expect(boot).toMatchObject({ isDrawn: false, session: SIGNED_IN })
  }
})

test('a browser without scripts gets a card in its language', () => {
  const { failure, noScript } = drawn({ kind: 'frame', session: undefined })
  expect(noScript).toMatch(/<main.*<h1>Plimsoll needs JavaScript<.*<p>Allow it/)
  expect(failure).toMatch(
    /<main id="main" class="centre">.*could not be loaded.*<p role="alert">.*<button.*Reload/,
  )
})

test('a wall whose page could not be loaded loads anew by itself (L9)', async () => {
  vi.useFakeTimers()
  history.replaceState(null, '', '/watch/abc?wall')
  document.body.innerHTML = drawn({ kind: 'frame', session: undefined }).failure
  // The files of a worker share the document.
  onTestFinished(() => document.body.replaceChildren())
  stubFetch(() => Promise.resolve(new Response()))
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  runEarly()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a person’s page has the month’s numbers, the menus, and dates in the reader’s zone (8.3, D9)', () => {
  const others = [{ id: 'o', method: 'oauth' as const, organization_id: '2002' as OrganizationId }]
  const { root } = drawnHome({ session: { ...SIGNED_IN, others } })
  expect(wordsOf(root)).toMatch(/Organization 1001.* Organization 2002 All your organizations/)
  expect(wordsOf(root)).toContain('This app has used 7–9')
  expect(root).toMatch(/<header.* popoverTarget="account-menu".* popover="auto" id="account-menu"/)
  const dayIn = (zone: string) => /<time[^>]*>([^<]*)</.exec(drawnHome({ choices: { zone } }).root)?.[1]
  expect(dayIn('Pacific/Honolulu')).not.toBe(dayIn('Pacific/Kiritimati'))
  // The cookie may have anything.
  expect(drawnHome({ choices: { zone: 'Nowhere/AtAll' } }).boot.zone).toBeUndefined()
  // Nothing of one person is left for the next.
  expect(wordsOf(drawn({ kind: 'person', session: undefined }).root)).not.toMatch(/7–9|1001/)
})

const STATES: [string, Partial<MonthSnapshot>, RegExp][] = [
  [
    'with a reading',
    { organization: { low: 93, high: 95, reading_age_ms: 60_000 } },
    /5–7 of 100 requests left/,
  ],
  ['that may have been reset', { may_have_reset: true }, /A new month has begun, or will within a day/],
  ['without a limit', { plan: 'business' }, /This month/],
  ['that is used up', { low: 100, high: 100 }, /Used up/],
]

test.each(STATES)(
  'the page of a month %s is drawn in each language, as the policy asks (8.3, CSP 3 8.2)',
  (_, changes, words) => {
    const quota = snapshot({ month: month(changes) })
    const drawnIn = (language: string, view: Partial<View> = {}) =>
      drawnHome({ quota, choices: { language, zone: 'Asia/Tokyo' }, ...view }).root
    expect(wordsOf(drawnIn('en'))).toMatch(words)
    for (const root of [drawnIn('en'), drawnIn('ja')]) {
      expect(root).toContain('id="month"')
      // A style attribute, a script, or a part that was not ready: React leaves a template for it.
      expect(root).not.toMatch(/ style="|<script|<template|javascript:/)
    }
  },
)
