import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { useMinute } from '../kit/control.ts'
import { type AppProcess, startAppProcess } from '../kit/app-process.ts'
import { signOut } from '../kit/page.ts'

const SECRET = 'canary-client-secret-5c2a'

let running: AppProcess
let browser: Browser
let context: BrowserContext
let page: Page
const received: string[] = []
/** Violated policies and uncaught errors. */
const complaints: string[] = []

beforeAll(async () => {
  running = await startAppProcess({ PLIMSOLL_CLIENT_SECRET: SECRET })
  browser = await launch()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.on('page', watch)
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
})

function watch(watched: Page): void {
  watched.on('pageerror', (error) => complaints.push(error.message))
  watched.on('console', (message) => {
    // A 4xx that the page asked for is also on the console.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
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

/** The number on the service's own plan page, which costs nothing. */
async function counted(): Promise<number> {
  const plan = await context.newPage()
  await plan.goto(`${running.sandboxUrl}/plan?organization_id=1001`)
  const count = await plan
    .locator('section', { hasText: 'monthly access count' })
    .locator('.count strong')
    .textContent()
  await plan.close()
  return Number(count)
}

const readGauge = () => page.getByRole('meter', { name: /read/i })

test('a person opens a deep link, and is asked to sign in (4)', async () => {
  await page.goto(`${running.url}/organizations/1001#usage`)
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).waitFor()
  expect(await page.locator('main').innerText()).not.toContain('East Quay')
})

test('a number that the service does not know comes back to be corrected, in each language (5.3)', async () => {
  for (const [locale, title, again] of [
    ['en-GB', 'The service has no organization 9999', 'Start again'],
    ['ja-JP', '組織9999はサービスにありません', '最初からやり直す'],
  ] as const) {
    const other = await browser.newContext({ locale })
    const tab = await other.newPage()
    await tab.goto(running.url)
    await tab.locator('#organization-id').fill('9999')
    await tab.locator('#organization-id').press('Enter')
    await tab.getByRole('button', { name: /Ada/ }).click()
    await tab.getByRole('heading', { name: title }).waitFor()
    expect(await tab.getByText('Only the operator of Plimsoll').count()).toBe(0)
    await tab.getByRole('button', { name: again }).click()
    await tab.waitForURL(`${running.url}/`)
    expect(await tab.locator('#organization-id').inputValue()).toBe('9999')
    await other.close()
  }
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
  await page.getByRole('button', { name: 'Permit' }).waitFor()
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.waitForURL(`${running.url}/organizations/1001#usage`)
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await expect.poll(() => readGauge().getAttribute('aria-valuenow')).toBe('59')
})

test('the sign-in cost one request; reloads, a second tab and a focus cost none (8.3)', async () => {
  expect(await counted()).toBe(1)
  await page.reload()
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  const second = await context.newPage()
  await second.goto(`${running.url}/`)
  await second.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await page.bringToFront()
  await page.evaluate(() => {
    window.dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('online'))
  })
  await second.close()
  expect(await counted()).toBe(1)
})

test('a press of Refresh spends one, and the gauge moves (8.4)', async () => {
  await page.getByRole('button', { name: /^Refresh/ }).click()
  await expect.poll(() => readGauge().getAttribute('aria-valuenow')).toBe('58')
  // The gauge moves when the request is recorded, before the service counts it.
  await expect.poll(counted).toBe(2)
})

test('the minute is used up: the page shows that and offers no press until the reset (8.2)', async () => {
  await useMinute(running, 59)
  // The same read is sent once in a second.
  await page.waitForTimeout(1100)
  await page.getByRole('button', { name: /^Refresh/ }).click()
  await expect.poll(() => readGauge().getAttribute('aria-valuenow')).toBe('0')
  await page.getByText('None of 60 left').first().waitFor()
  expect(await counted()).toBe(3)
})

test('a sign-out leaves nothing behind, and the back button shows nothing (5)', async () => {
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
  expect(await context.cookies(running.url)).toEqual([])
  await page.goBack()
  await page.goForward()
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).waitFor()
  expect(await page.getByText('A small ropery on the east quay').count()).toBe(0)
})

test('a refused consent is shown, with a way to begin again (4.1)', async () => {
  await page.goto(`${running.url}/`)
  await page.getByLabel(/organization id/i).fill('1001')
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${running.url}/callback`)
  await page.getByText('you pressed Deny, or you are not a member of organization 1001.').waitFor()
  expect(await page.title()).toBe('Access was not granted · Plimsoll')
  await page.reload()
  await page.getByText('you pressed Deny, or you are not a member of organization 1001.').waitFor()
})

test('one press signs in to an organization of the sandbox, and the guide costs nothing (5.2)', async () => {
  await page.goto(`${running.url}/guide`)
  await page.getByText(`${running.url}/callback`).waitFor()
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await page.getByText('Where do I find the id?').click()
  await page.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }).click()
  await page.waitForURL(`${running.sandboxUrl}/oauth2/login?*`)
  expect(new URL(page.url()).searchParams.get('organization_id')).toBe('2002')
})

test('an API key signs in for one request, and only to its own organization (5.1)', async () => {
  const key = running.sandboxState().api_keys[1]?.value ?? ''
  await page.goto(`${running.url}/organizations/1001`)
  await page.getByText('Use an API key instead').click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in with the key · 1 request' }).click()
  await page.getByRole('heading', { name: 'This is not organization 1001' }).waitFor()
  await page.getByRole('link', { name: 'See the organization of the key' }).click()
  await page.getByText('Meridian Shipping').first().waitFor()
  expect(await page.content()).not.toContain(key)
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
})

test('an address without a page says so (4)', async () => {
  const response = await page.goto(`${running.url}/nowhere`)
  expect(response?.status()).toBe(404)
})

test('no policy was violated, and no secret reached the browser, an address or the log (5.4, attack 76)', async () => {
  expect(complaints).toEqual([])
  const { access_tokens, refresh_tokens, api_keys } = running.sandboxState()
  const tokens = [...Object.keys(access_tokens), ...Object.keys(refresh_tokens)]
  const canaries = [SECRET, ...tokens, ...api_keys.map(({ value }) => value)]
  expect(canaries.length).toBeGreaterThanOrEqual(5)
  const everything = received.join('\n') + running.output()
  expect(everything).toContain('Harbour Rope Works')
  expect(canaries.filter((canary) => everything.includes(canary))).toEqual([])
})
