import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { hearComplaints, signOut } from '../kit/page.ts'

const SECRET = 'canary-client-secret-5c2a'

let running: AppProcess
let browser: Browser
let context: BrowserContext
let page: Page
const received: string[] = []
/** Violated policies and uncaught errors. */
const complaints: string[] = []

beforeAll(async () => {
  running = await openApp({ PLIMSOLL_CLIENT_SECRET: SECRET })
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.on('page', watch)
  hearComplaints(context, complaints)
  page = await context.newPage()
})

function watch(watched: Page): void {
  watched.on('response', async (response) => {
    const { url } = running
    received.push(response.url().replace(/[?&]code=[^&]*/, ''))
    if (response.url().startsWith(url))
      // A page that is closed meanwhile has neither.
      received.push(
        JSON.stringify(await response.allHeaders().catch(() => ({}))),
        await response.text().catch(() => ''),
      )
  })
}

test('a person opens a deep link, and is asked to sign in (4)', async () => {
  await page.goto(`${running.url}/organizations/1001#usage`)
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).waitFor()
  expect(await page.locator('main').innerText()).not.toContain('East Quay')
})

test('the browser goes to the service with exactly the five parameters (5.3)', async () => {
  await page.getByLabel(/organization id/i).fill(`${running.sandboxUrl}/projects?organization_id=1001`)
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.waitForURL(`${running.sandboxUrl}/oauth2/login?*`)
  const query = new URL(page.url()).searchParams
  expect([...query.keys()].toSorted()).toEqual([
    'client_id',
    'organization_id',
    'redirect_uri',
    'response_type',
    'state',
  ])
  expect(query.get('redirect_uri')).toBe(`${running.url}/callback`)
})

test('the person permits, and arrives at the deep link, with a clean address (4.1)', async () => {
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.waitForURL(`${running.url}/organizations/1001#usage`)
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('East Quay')
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
})

test('a refused consent is shown, with a way to begin again (4.1)', async () => {
  await page.goto(`${running.url}/`)
  await page.getByLabel(/organization id/i).fill('1001')
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${running.url}/callback`)
  await page.getByText('you pressed Deny, or you are not a member of organization 1001.').waitFor()
  expect(await page.title()).toBe('Access was not granted · Plimsoll')
})

test('no policy was violated, and no secret reached the browser, an address or the log (5.4, attack 76)', async () => {
  expect(complaints).toEqual([])
  const { access_tokens, refresh_tokens, api_keys } = await running.sandboxState()
  const tokens = [...Object.keys(access_tokens), ...Object.keys(refresh_tokens)]
  const canaries = [SECRET, ...tokens, ...api_keys.map(({ value }) => value)]
  expect(canaries.length).toBeGreaterThanOrEqual(5)
  const everything = received.join('\n') + running.output()
  expect(everything).toContain('Harbour Rope Works')
  expect(canaries.filter((canary) => everything.includes(canary))).toEqual([])
})
