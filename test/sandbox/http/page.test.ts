import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { REFUSALS } from '../../../src/sandbox/http/handler.ts'
import STYLE from '../../../src/sandbox/http/style.css?raw'
import { open } from '../../kit/sandbox.ts'

const PAGES = [
  '/',
  '/projects?organization_id=1001',
  '/plan?organization_id=1001',
  '/oauth2/login?client_id=unknown',
  '/plan',
]

test.each(PAGES)(
  '%s says that it is the sandbox, is not scripted, framed or cached, and sends no referrer (RFC 6749 10.13, RFC 9700 4.2.4)',
  async (path) => {
    const { send, signIn } = open()
    const answer = await send(path, { headers: await signIn() })
    const { headers } = answer
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    const page = await answer.text()
    expect(page).toMatch(/^<!doctype html><html lang="en">.*Nothing here is real/is)
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
  },
)

test('a page shows who is signed in, with a button to sign out', async () => {
  const { send, signIn } = open()
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  expect(page).toMatch(/Ada Lindqvist<\/span><button[^>]*>Sign out/)
  expect(await (await send('/')).text()).not.toContain('Sign out')
})

test.each([
  ['', '/', './'],
  ['/a/b', '/', './'],
  ['/a/b', '', 'b/'],
  ['', '/oauth2/login', '../'],
  ['/a/b', '/oauth2/login', '../'],
])('links work under the base path and path %s%s (0)', async (basePath, path, prefix) => {
  const page = await (await open({ basePath }).send(path)).text()
  expect(page).toContain(`href="${prefix}style.css"`)
  expect(page).not.toMatch(/(href|action|src)="\//)
})

test('the policy allows a redirect to a private-use scheme (RFC 8252 7.1)', async () => {
  const { seed } = open()
  const applications = seed.applications.map((one) => ({ ...one, redirect_uri: 'com.example.app:/callback' }))
  const { send, authorizePath } = open({ seed: { ...seed, applications } })
  const { headers } = await send(authorizePath({ redirect_uri: undefined }))
  expect(headers.get('Content-Security-Policy')).toContain("form-action 'self' com.example.app:;")
})

const values = (css: string): Record<string, string> =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]))

test('the style is served as one stylesheet that loads nothing', async () => {
  const answer = await open().send('/style.css')
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(await answer.text()).toBe(STYLE)
  expect(STYLE).not.toMatch(/url\(|@import/)
})

test('the colours are those of the app, and every one is used', () => {
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

test('an internal error answers 500 without its cause, which is in the log (RFC 9110 15.6.1)', async () => {
  const log: unknown[] = []
  const { send, key, signIn, clock } = open({ log: (entry) => log.push(entry) })
  const person = await signIn()
  // This is not an instant, so the month throws.
  clock.ms = Number.NaN
  const answer = await send('/organizations', { headers: key() })
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { error: 'server_error', error_description: REFUSALS.server_error[1] },
  ])
  const page = await send('/plan?organization_id=1001', { headers: person })
  expect([page.status, (await page.text()).includes('RangeError')]).toEqual([500, false])
  const cause = expect.stringContaining('RangeError')
  expect(log).toEqual([
    { event: 'sandbox_error', method: 'GET', path: '/organizations', cause },
    { event: 'sandbox_error', method: 'GET', path: '/plan', cause },
  ])
})
