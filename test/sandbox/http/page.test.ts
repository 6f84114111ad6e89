import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test, vi } from 'vitest'
import { open } from '../../kit/sandbox.ts'

const PAGES = [
  '/',
  '/projects?organization_id=1001',
  '/plan?organization_id=1001',
  '/oauth2/login?client_id=unknown',
  '/plan',
]

test.each(PAGES)(
  '%s is not scripted, framed or cached, and sends no referrer (RFC 6749 10.13, RFC 9700 4.2.4)',
  async (path) => {
    const { send, signIn } = open()
    const { headers } = await send(path, { headers: await signIn() })
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  },
)

test.each(PAGES)('%s shows that it is the sandbox, and has no inline style or script', async (path) => {
  const { send, signIn } = open()
  const page = await (await send(path, { headers: await signIn() })).text()
  expect(page).toMatch(/^<!doctype html><html lang="en">/i)
  expect(page).toContain('Nothing here is real')
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})

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

test('the icon is a file', async () => {
  const answer = await open().send('/mark.svg')
  expect(answer.headers.get('Content-Type')).toBe('image/svg+xml')
  expect(await answer.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*#0072b2.*<\/svg>$/)
})

test('a page is rendered without an AsyncLocalStorage, which would slow down every promise', async () => {
  const runs = [
    vi.spyOn(AsyncLocalStorage.prototype, 'run'),
    vi.spyOn(AsyncLocalStorage.prototype, 'enterWith'),
  ]
  const { send, signIn } = open()
  expect(await (await send('/plan', { headers: await signIn() })).text()).toContain('<main>')
  expect(runs.map((run) => run.mock.calls.length)).toEqual([0, 0])
  expect(process.getBuiltinModule('node:async_hooks').AsyncLocalStorage).toBe(AsyncLocalStorage)
  vi.restoreAllMocks()
})
