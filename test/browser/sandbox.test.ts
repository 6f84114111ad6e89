import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { type AppProcess, startAppProcess } from '../kit/app-process.ts'

let running: AppProcess
let browser: Browser
let context: BrowserContext
let settings: Page
let app: Page
let control: Page
/** Violated policies and uncaught errors. */
const complaints: string[] = []

beforeAll(async () => {
  running = await startAppProcess()
  browser = await launch()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.on('page', (page) => {
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // A 4xx that the page asked for is also on the console.
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        complaints.push(message.text())
    })
  })
  settings = await context.newPage()
  app = await context.newPage()
  control = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
})

/** The number on the service's own plan page, which costs nothing. */
async function counted(): Promise<number> {
  const plan = await context.newPage()
  await plan.goto(`${running.sandboxUrl}/plan?organization_id=1001`)
  // A sign-in ends with the day, which the clock may have left.
  const ada = plan.getByRole('button', { name: /Ada/ })
  if (await ada.isVisible()) await ada.click()
  const text = await plan
    .locator('section', { hasText: 'monthly access count' })
    .locator('.count strong')
    .textContent()
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

test('an administrator registers an application by keyboard alone (S47, S48, 5.2)', async () => {
  await settings.goto(`${running.sandboxUrl}/projects?organization_id=1001`)
  await settings.getByRole('button', { name: /Ada/ }).click()
  await settings.getByRole('link', { name: 'Settings' }).click()
  await settings.getByRole('link', { name: 'Application setting' }).click()
  await settings.getByText('No application is registered yet.').waitFor()
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
  await settings.getByText('The application was registered.').waitFor()
  expect(await settings.getByRole('heading', { name: 'Tide table' }).count()).toBe(1)
  for (const fact of ['Client Id', 'Client Secret']) expect(await settings.getByText(fact).count()).toBe(1)
})

test('a second application is refused, with the reason beside the action (S79, U77, 8.1)', async () => {
  expect(await settings.getByRole('button', { name: 'add application' }).isDisabled()).toBe(true)
  await settings.getByText('The Standard plan allows 1 application, and 1 is registered.').waitFor()
})

test('a key is refused while there is one, and issued after that is deleted (S41, S42, S77, 5.1, 8.1)', async () => {
  await settings.getByRole('link', { name: 'API keys' }).click()
  await settings.getByText('The Standard plan allows 1 API key, and 1 is issued.').waitFor()
  await settings.getByRole('link', { name: /Edit or delete/ }).click()
  await settings.getByText('Delete API key').first().click()
  await settings.getByRole('button', { name: 'Delete API key' }).click()
  await settings.getByText('The API key was deleted.').waitFor()
  await settings.getByRole('link', { name: 'add API key' }).click()
  await settings.getByLabel(/Description/).fill('Tide board')
  await settings.getByLabel('I agree to the API terms').check()
  await settings.getByRole('button', { name: 'Add API key' }).click()
  await settings.getByRole('heading', { name: 'Tide board' }).waitFor()
  const key = (await settings.locator('code.value').textContent()) ?? ''
  const answer = await context.request.get(`${running.sandboxUrl}/organizations`, {
    headers: { 'X-Service-Api-Key': key },
  })
  expect([answer.status(), await counted()]).toEqual([200, 1])
})

test('a form without the agreement comes back with an error (S21, 5.1)', async () => {
  await settings.goto(`${running.sandboxUrl}/settings/plan?organization_id=1001`)
  await settings.getByLabel('Business').check()
  await settings.getByRole('button', { name: 'Change plan' }).click()
  await settings.getByText('The plan was changed.').waitFor()
  await settings.getByRole('link', { name: 'API keys' }).click()
  await settings.getByRole('link', { name: 'add API key' }).click()
  await settings.locator('form.form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await settings.getByRole('button', { name: 'Add API key' }).click()
  await settings.getByRole('alert').getByText('Tick that you agree to the API terms.').waitFor()
  expect(await settings.title()).toMatch(/^Error: Add API key/)
  await settings.goto(`${running.sandboxUrl}/settings/plan?organization_id=1001`)
  await settings.getByLabel('Standard').check()
  await settings.getByRole('button', { name: 'Change plan' }).click()
  await settings.getByText('The plan was changed.').waitFor()
})

test('the registered application asks, and the person denies it, then permits it (S34, S35, 4.1)', async () => {
  await settings.goto(`${running.sandboxUrl}/settings/applications?organization_id=1001`)
  const asking = new URLSearchParams({
    client_id: (await settings.locator('code.value').first().textContent()) ?? '',
    redirect_uri: `${running.url}/tides`,
    response_type: 'code',
    state: 'a-state-of-some-length',
    organization_id: '1001',
  })
  const back: string[] = []
  for (const answer of ['Deny', 'Permit']) {
    await settings.goto(`${running.sandboxUrl}/oauth2/login?${asking.toString()}`)
    await settings
      .getByRole('heading', { name: 'Tide table asks for access to Harbour Rope Works' })
      .waitFor()
    await settings.getByRole('button', { name: answer }).click()
    await settings.waitForURL(`${running.url}/tides?*`)
    back.push(settings.url())
  }
  expect(back).toEqual([
    expect.stringMatching(/\?error=access_denied&.*state=a-state-of-some-length$/),
    expect.stringMatching(/\?code=[\w-]+&state=a-state-of-some-length$/),
  ])
})

test('the person denies the app, then permits it, and the gauge is at 59 (4.1, 8.4)', async () => {
  for (const answer of ['Deny', 'Permit']) {
    await app.goto(`${running.url}/organizations/1001#usage`)
    // The address fills the field when the script takes over, perhaps between the two steps of `fill`.
    await app.locator('html[data-shown=now]').waitFor({ state: 'attached' })
    const id = app.getByLabel(/organization id/i)
    if (await id.isVisible()) await id.fill('1001')
    await app.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
    await app.getByRole('button', { name: answer }).click()
    await app.waitForURL((url) => url.href.startsWith(running.url))
  }
  await app.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(2)
})

/** Waits for a second, within which a press shares the answer to the same read. */
const refresh = async () => {
  await app.waitForTimeout(1100)
  await app.getByRole('button', { name: /^Refresh/ }).click()
}

test('the clock goes to the next minute, and the gauge with it (8.2)', async () => {
  await refresh()
  await expect.poll(gauge).toBe('58')
  await refresh()
  await expect.poll(gauge).toBe('57')
  // First the minute of the key that was tried before ends, then that of the token.
  await moveClock(/to the next minute/i)
  await moveClock(/to the next minute/i)
  await refresh()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(5)
})

test('the clock goes to the token’s end: the next press refreshes it, and the person stays signed in (5.4)', async () => {
  await refresh()
  await expect.poll(gauge).toBe('58')
  await moveClock(/to the token.s end/i)
  await refresh()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(7)
})

test('the clock goes to the month’s end, and the monthly access count begins again (8.3)', async () => {
  await refresh()
  await expect.poll(gauge).toBe('58')
  await moveClock(/to the month.s end/i)
  await expect.poll(counted).toBe(0)
  await refresh()
  await expect.poll(gauge).toBe('59')
  await expect.poll(counted).toBe(1)
})

test('the settings accept a form without any script (S42, 5.1)', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const page = await plain.newPage()
  await page.goto(`${running.sandboxUrl}/settings/api-keys/add?organization_id=2002`)
  await page.getByRole('button', { name: /Cleo/ }).click()
  await page.getByLabel(/Description/).fill('No script')
  await page.getByLabel('I agree to the API terms').check()
  await page.getByRole('button', { name: 'Add API key' }).click()
  await page.getByRole('heading', { name: 'No script' }).waitFor()
  expect(await page.locator('code.value').count()).toBe(2)
  await plain.close()
})

test('no policy was violated, and nothing failed in the page (RFC 6749 10.13)', () => {
  expect(complaints).toEqual([])
})
