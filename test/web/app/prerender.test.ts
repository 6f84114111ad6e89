import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../src/contract/organization.ts'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import type { SignedIn, SignedOut } from '../../../src/contract/session.ts'
import { drawPage, prerender } from '../../../src/web/app/prerender.tsx'
import { month, snapshot } from '../_snapshot.ts'

const SESSION: SignedOut = {
  signed_in: false,
  authorize: {
    authorization_endpoint: 'https://service.example/oauth/authorize',
    client_id: 'client',
    redirect_uri: 'https://plimsoll.example/callback',
  },
}
const SANDBOX = {
  control_url: 'http://127.0.0.1:4001/',
  organizations: [{ id: '1001' as OrganizationId, name: 'Harbour <b>Rope</b> Works' }],
}

test('the sign-in page is drawn in each language, as for a browser at our own address', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
  const { en, ja } = await prerender(SESSION)
  expect(Object.getOwnPropertyDescriptor(globalThis, 'location')).toEqual(before)
  expect(en.title).toBe('Sign in')
  expect(en.pages['sign-in']).toMatch(/<h1 tabindex="-1">Plimsoll<.*<form.*id="organization-id".*<footer/s)
  expect(en.pages['sign-in']).toContain('Sign in · 1–2 requests')
  expect(en.signIn.yes).toContain('Sign in · 2 requests')
  expect(en.signIn.no).toContain('Sign in · 1 request<')
  expect(en.pages['sign-in']).not.toContain('Sandbox')
  expect(ja.pages['sign-in'].replaceAll(/<[^>]*>/g, ' ')).not.toMatch(
    /[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/,
  )
})

test('the sign-in page has the organizations of an embedded sandbox, with their names as text', async () => {
  const { en } = await prerender({ ...SESSION, sandbox: SANDBOX })
  expect(en.pages['sign-in']).toMatch(
    /Harbour &lt;b&gt;Rope&lt;\/b&gt; Works<\/bdi> \(1001\) · <span[^>]*>1–2 requests</,
  )
})

test('the page of an organization has its headings and space, and no data of an organization', async () => {
  const { page } = (await prerender(SESSION)).en.pages
  expect(page).toMatch(/<header.*This month.*Speed limit, this minute.*id="organization"/s)
  expect(page).toContain(' data-hidden=""')
  // The content security policy would refuse a style attribute.
  expect(page).not.toContain('style=')
})

test('only the part of a page whose buttons need the script cannot be pressed before, not the menus', async () => {
  const { pages } = (await prerender(SESSION)).en
  const { root } = drawPage('en', { session: SIGNED_IN, quota: QUOTA })
  for (const page of [pages.page, root]) {
    expect(page).toMatch(
      /<header.* popoverTarget="account-menu".* popover="auto" id="account-menu".*<main inert /s,
    )
    expect(page).not.toContain('<footer')
  }
  for (const kind of ['waiting', 'sign-in', 'side'] as const) expect(pages[kind]).not.toContain('inert')
})

test('a person with several organizations gets their menu from the server too', async () => {
  await prerender(SESSION)
  const others = [{ id: 'o', method: 'oauth' as const, organization_id: '2002' as OrganizationId }]
  const { root } = drawPage('en', { session: { ...SIGNED_IN, others }, quota: QUOTA })
  expect(wordsOf(root)).toMatch(/Organization 1001.* Organization 2002 All your organizations/)
})

test('a browser without scripts gets a card in its language, and what POST has sent back needs none', async () => {
  const { en } = await prerender(SESSION)
  expect(en.noScript).toMatch(/<main.*<h1>Plimsoll<.*<h2>Plimsoll needs JavaScript<.*<p>Allow it/)
  expect(en.pages.posted).toMatch(/you are not signed in.*<a href="\/">/)
})

const SIGNED_IN: SignedIn = {
  ...SESSION,
  signed_in: true,
  id: 'i',
  method: 'oauth',
  organization_id: '1001',
  ends_in: 3600,
  plan_page: 'https://service.example/plan?organization_id=1001',
}
const QUOTA = snapshot({ month: month({ low: 7, high: 9 }) })
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('a person’s page has the month’s numbers, and none of another person (8.3)', async () => {
  await prerender(SESSION)
  const { root } = drawPage('en', { session: SIGNED_IN, quota: QUOTA })
  expect(wordsOf(root)).toContain('This app has used 7–9')
  expect(root).toContain('1001')
  expect(wordsOf((await prerender(SESSION)).en.pages.page)).not.toContain('7–9')
})

test('texts that depend on the reader’s zone are hidden and keep their space', async () => {
  await prerender(SESSION)
  const { root } = drawPage('en', { session: SIGNED_IN, quota: QUOTA })
  expect(root).toMatch(/<p data-hidden=""[^>]*>(?:(?!<\/p>).)*<time/s)
  expect(root).not.toContain('\uE000')
  const seen = root.replaceAll(/<(p|li) data-hidden="".*?<\/\1>/gs, '')
  expect(seen).not.toContain('<time')
  expect(seen).not.toMatch(/resets (on )?[A-Z][a-z]{2} \d/)
})

test('the page of a session has no style attribute (CSP 3 8.2)', async () => {
  await prerender(SESSION)
  const { root, sheet } = drawPage('en', { session: SIGNED_IN, quota: QUOTA })
  expect([root.includes('style='), sheet]).toEqual([false, ''])
})

test.each<[string, Partial<MonthSnapshot>, RegExp]>([
  [
    'with a reading',
    { organization: { low: 93, high: 95, reading_age_ms: 60_000 } },
    /5–7 of 100 requests left/,
  ],
  ['that may have been reset', { may_have_reset: true }, /A new month has begun, or begins within a day/],
  ['without a limit', { plan: 'business' }, /This month/],
])('the page of a month %s is drawn in each language (8.3)', async (_, changes, words) => {
  await prerender(SESSION)
  const quota = snapshot({ month: month(changes) })
  expect(wordsOf(drawPage('en', { session: SIGNED_IN, quota }).root)).toMatch(words)
  expect(drawPage('ja', { session: SIGNED_IN, quota }).root).toContain('id="month"')
})
