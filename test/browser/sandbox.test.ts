import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { hearComplaints } from '../kit/page.ts'

let running: AppProcess
let browser: Browser
let context: BrowserContext
let settings: Page
let app: Page
let control: Page
/** Violated policies and uncaught errors. */
const complaints: string[] = []

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  hearComplaints(context, complaints)
  settings = await context.newPage()
  app = await context.newPage()
  control = await context.newPage()
})

/** The number on the service's own plan page, which costs nothing. */
async function counted(): Promise<number> {
  const plan = await context.newPage()
  await plan.goto(`${running.sandboxUrl}/plan?organization_id=1001`)
  // A sign-in ends with the day, which the clock may have left.
  const ada = plan.getByRole('button', { name: /Ada/ })
  if (await ada.isVisible()) await ada.click()
  const text = await plan.locator('.count strong').textContent()
  await plan.close()
  return Number(text)
}

const gauge = () => app.getByRole('meter', { name: /read/i }).getAttribute('aria-valuenow')

async function moveClock(button: RegExp): Promise<void> {
  const url = new URL(running.sandboxUrl)
  await control.goto(`http://${url.hostname}:${Number(url.port) + 1}/`)
  await control.getByRole('button', { name: button }).click()
  await control.waitForLoadState()
}

wholeTest('an administrator registers an application by keyboard alone (S47, S48, 5.2)', async () => {
  await settings.goto(`${running.sandboxUrl}/projects?organization_id=1001`)
  await settings.getByRole('button', { name: /Ada/ }).click()
  await settings.getByRole('link', { name: 'Settings' }).click()
  await settings.getByRole('link', { name: 'Application setting' }).click()
  await settings.getByText('There is no application of yours.').waitFor()
  await settings.getByRole('link', { name: 'add application' }).focus()
  await settings.keyboard.press('Enter')
  await settings.waitForURL(/applications\/add/)
  await settings.getByLabel('Application name').focus()
  await settings.keyboard.type('Tide table')
  await settings.keyboard.press('Tab')
  await settings.keyboard.type(`${running.url}/tides`)
  await settings.keyboard.press('Tab')
  await settings.keyboard.press('Tab')
  await settings.keyboard.press('Space')
  await settings.keyboard.press('Tab')
  await settings.keyboard.press('Enter')
  await settings.getByRole('heading', { name: 'Tide table' }).waitFor()
  for (const fact of ['Client Id', 'Client Secret']) expect(await settings.getByText(fact).count()).toBe(1)
})

test('the person denies the app, then permits it, and the gauge is at 59 (4.1, 8.4)', async () => {
  for (const answer of ['Deny', 'Permit']) {
    await app.goto(`${running.url}/organizations/1001#usage`)
    // The address fills the field when the script takes over, perhaps between the two steps of `fill`.
    await app.locator('html[data-ready]').waitFor({ state: 'attached' })
    const id = app.getByLabel(/organization id/i)
    if (await id.isVisible()) await id.fill('1001')
    await app.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
    // The sandbox remembers who has signed in there.
    await app
      .getByRole('button', { name: /Ada|Deny/ })
      .first()
      .waitFor()
    const ada = app.getByRole('button', { name: /Ada/ })
    if (await ada.isVisible()) await ada.click()
    await app.getByRole('button', { name: answer }).click()
    await app.waitForURL((url) => url.href.startsWith(running.url))
  }
  await app.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(1)
})

/** Waits for a second, within which a press shares the answer to the same read. */
const refresh = async () => {
  await app.waitForTimeout(1100)
  await app.getByRole('button', { name: /^Refresh/ }).click()
}

wholeTest('the clock goes to the next minute, and the gauge with it (8.2)', async () => {
  await refresh()
  await expect.poll(gauge).toBe('58')
  await moveClock(/to the next minute/i)
  await refresh()
  await expect.poll(gauge).toBe('59')
})

wholeTest(
  'the clock goes to the token’s end: the next press refreshes it, and the person stays signed in (5.4)',
  async () => {
    await refresh()
    await expect.poll(gauge).toBe('58')
    await moveClock(/to the token.s end/i)
    await refresh()
    await expect.poll(gauge).toBe('59')
    await expect.poll(counted).toBe(5)
  },
)

test('the clock goes to the month’s end, and the monthly access count begins again (8.3)', async () => {
  await refresh()
  await expect.poll(gauge).toBe('58')
  await moveClock(/to the month.s end/i)
  await expect.poll(counted).toBe(0)
  await refresh()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(1)
})

test('no policy was violated, and nothing failed in the page (RFC 6749 10.13)', () => {
  expect(complaints).toEqual([])
})
