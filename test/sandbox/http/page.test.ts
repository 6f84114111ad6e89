import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../../src/contract/authorize.ts'
import { REFUSALS } from '../../../src/sandbox/http/handler.ts'
import STYLE from '../../../src/sandbox/http/style.css?raw'
import { PAGES } from '../../../src/sandbox/settings/pages.tsx'
import { BASE, open, seed } from '../../kit/sandbox.ts'
import { atSettings, HOSTILE } from '../_settings.ts'
import { start } from '../_start.ts'

type There = Awaited<ReturnType<typeof atSettings>>

const OF_MEMBERS = PAGES.map(([path]) => path)
const CONSENT = '/oauth2/login'

/** @returns the address of a page for Cleo, without the base path */
async function addressOf({ handles, authorizePath }: There, page: string) {
  if (page === CONSENT) return authorizePath({ organization_id: '2002', redirect_uri: undefined })
  const [handle = ''] = page.includes(':') ? await handles(page.split('/')[2] ?? '') : []
  if (!OF_MEMBERS.includes(page)) return page
  return `${handle ? `/settings/${handle}` : page}?organization_id=2002`
}

// check 47, check 48 too
test.each(['', '/', `${CONSENT}?client_id=unknown`, CONSENT, ...OF_MEMBERS])(
  '"%s" is not scripted, framed, cached or counted, and stays below its path (S2, check 33, RFC 6749 10.13)',
  async (page) => {
    for (const basePath of ['', '/a/b']) {
      const there = await atSettings({ basePath })
      const path = await addressOf(there, page)
      for (const person of [there.headers, {}]) {
        const headers = { ...person, ...there.key(2002), Origin: 'https://other.example' }
        const answer = await there.send(path, { headers })
        // The form may lead to the redirect URI, from where the application leads on.
        const target = page === CONSENT ? '' : " form-action 'self';"
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self';${target} frame-ancestors 'none'; base-uri 'none'`,
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        })
        expect([...answer.headers.keys()].join()).not.toMatch(/access-control|ratelimit/)
        const html = await answer.text()
        expect(html).toMatch(/^<!doctype html><html lang="en">.*Nothing here is real/is)
        expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
        expect(html.match(/<h1/g)).toHaveLength(1)
        const links = [...html.matchAll(/(?:href|action|src)="([^"#]+)"/g)].map(([, link = '']) => link)
        for (const link of links) expect(link).toMatch(/^(\.|[a-z])/)
        const absolute = links.map((link) => new URL(link, BASE + basePath + path).href)
        expect(absolute.filter((link) => !link.startsWith(`${BASE}${basePath}/`))).toEqual([])
        expect(absolute).toContain(`${BASE}${basePath}/style.css`)
      }
      expect(there.state().months).toEqual({})
    }
  },
)

test.each(OF_MEMBERS)('%s is for members who are signed in, by GET and POST (5.1, 5.2)', async (page) => {
  const there = await atSettings()
  const { send, headers, signIn } = there
  const path = await addressOf(there, page)
  expect((await send(path, { headers })).status).toBe(200)
  expect(await (await send(path)).text()).toContain('Who are you?')
  const others = await signIn('ben')
  for (const search of ['?organization_id=2002', '?organization_id=9', '?organization_id=x', ''])
    expect((await send(path.split('?')[0] + search, { headers: others })).status).toBe(404)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await send(path, { method, headers })).status).toBe(405)
})

test('what others have written is shown as text on every page (check 49, RFC 6749 10.14)', async () => {
  const known = seed()
  const [name, description] = [HOSTILE, HOSTILE]
  const project = { name, lead: name, open_tasks: 0, done_tasks: 0, due_on: name }
  const organizations = known.organizations.map((one) => ({ ...one, name, projects: [project] }))
  const role = 'member' as const
  const stranger = { id: HOSTILE, name, organizations: [{ organization_id: 7, role }] }
  const people = [...known.people.map((one) => ({ ...one, name })), stranger]
  const redirect_uri = `https://a.example/?x=${HOSTILE}`
  const applications = known.applications.map((one) => ({ ...one, name, description, redirect_uri }))
  const api_keys = known.api_keys.map((one) => ({ ...one, description }))
  const there = await atSettings({ seed: { ...known, organizations, people, applications, api_keys } })
  let all = ''
  for (const page of ['/', CONSENT, ...OF_MEMBERS])
    for (const headers of [there.headers, {}]) {
      const html = await (await there.send(await addressOf(there, page), { headers })).text()
      expect(html).not.toMatch(/<script|<img/)
      expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)')
      all += html
    }
  for (const text of ['member of 7', '0 of 0 tasks done']) expect(all).toContain(text)
})

test('every page shows the values of a request as text (check 49, RFC 6749 10.14)', async () => {
  for (const orgbad of ['page', 'picker'] as const) {
    const { visit } = start({ choices: { orgbad } })
    for (const name of [...AUTHORIZATION_PARAMETERS, 'x'])
      for (const person of [null, 'ada']) {
        const { html } = await visit({ organization_id: '7', state: HOSTILE, [name]: HOSTILE }, person)
        expect(html).not.toMatch(/<script|<img/)
      }
  }
})

const values = (css: string): Record<string, string> =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]))

test('one stylesheet loads nothing, and uses every colour, which are those of the app (7)', async () => {
  const answer = await open().send('/style.css')
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(await answer.text()).toBe(STYLE)
  expect(STYLE).not.toMatch(/url\(|@import/)
  const own = values(STYLE)
  const [, root = ''] = /:root \{([^}]*)\}/.exec(readFileSync('src/web/app/tokens.css', 'utf8')) ?? []
  expect(Object.keys(own).length).toBeGreaterThan(5)
  expect(values(root)).toMatchObject(own)
  expect(Object.keys(own).filter((name) => !STYLE.includes(`var(--${name})`))).toEqual([])
})

test('every sentence has only characters of an error_description (RFC 6749 5.2)', () => {
  for (const [, description] of Object.values(REFUSALS))
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
})

test('an internal error answers 500 without its cause, which is told apart from it (RFC 9110 15.6.1)', async () => {
  const causes: unknown[] = []
  const { send, key, signIn, clock } = open({ onError: (error) => causes.push(error) })
  const person = await signIn()
  // This is not an instant, so the month throws.
  clock.ms = Number.NaN
  const answer = await send('/organizations', { headers: key() })
  const error = { error: 'server_error', error_description: REFUSALS.server_error[1] }
  expect([answer.status, await answer.json()]).toEqual([500, error])
  const page = await send('/plan?organization_id=1001', { headers: person })
  expect([page.status, (await page.text()).includes('RangeError')]).toEqual([500, false])
  expect(causes).toEqual([expect.any(RangeError), expect.any(RangeError)])
})
