import { afterEach, expect, test } from 'vitest'
import type { OrganizationId } from '../../src/contract/organization.ts'
import type { SignedOut } from '../../src/contract/session.ts'
import { prerender } from '../../src/web/prerender.tsx'
import { loadLanguage } from '../../src/web/text/text.ts'

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

afterEach(() => loadLanguage('en'))

test('the sign-in is drawn in each language, as for a browser at our own address', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
  const { en, ja } = await prerender(SESSION)
  expect(Object.getOwnPropertyDescriptor(globalThis, 'location')).toEqual(before)
  expect([en.title, ja.title]).toEqual(['Sign in', 'サインイン'])
  expect(en.pages['sign-in']).toMatch(/<h1 tabindex="-1">Plimsoll<.*<form.*id="organization-id".*<footer/s)
  expect(en.pages['sign-in']).toContain('Sign in · 1 request')
  expect(en.pages['sign-in']).not.toContain('Sandbox')
  expect(ja.pages['sign-in'].replaceAll(/<[^>]*>/g, ' ')).not.toMatch(
    /[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/,
  )
})

test('the organizations of an embedded sandbox are in it, and their names are text', async () => {
  const { en } = await prerender({ ...SESSION, sandbox: SANDBOX })
  expect(en.pages['sign-in']).toContain('Harbour &lt;b&gt;Rope&lt;/b&gt; Works</bdi> (1001) · 1 request')
})

test('the page of an organization has its headings and its space, and nothing of any organization', async () => {
  const { page } = (await prerender(SESSION)).en.pages
  expect(page).toMatch(/<header.*This month.*This minute.*id="organization"/s)
  expect(page).toContain(' data-hidden=""')
  // The policy would refuse it.
  expect(page).not.toContain('style=')
})

test('every document has a text for a browser without scripts', async () => {
  const { en, ja } = await prerender(SESSION)
  for (const root of Object.values(en.pages))
    expect(root).toContain('<noscript><p>Plimsoll needs JavaScript.</p></noscript>')
  for (const root of Object.values(ja.pages)) expect(root).toMatch(/<noscript><p>PlimsollにはJavaScript/)
})
