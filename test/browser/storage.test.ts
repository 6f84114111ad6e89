// A browser whose settings refuse the storages of a page still signs in.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { isShown, press } from '../kit/page.ts'

let running: AppProcess
let browser: Browser
beforeAll(async () => {
  running = await openApp({ PLIMSOLL_PKCE: 'S256' })
  browser = await openBrowser()
})

/** Chromium's own error for a page whose storage is blocked. */
async function openRefusing(names: readonly string[]): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-GB' })
  await context.addInitScript((refused) => {
    for (const name of refused)
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException(`Failed to read the '${name}' property from 'Window'`, 'SecurityError')
        },
      })
  }, names)
  return { context, page: await context.newPage() }
}

const begin = async (page: Page, id = '1001'): Promise<void> => {
  await page.goto(`${running.url}/organizations/1001?tab=1#members`)
  await page.locator('#organization-id').fill(id)
  await page.locator('#organization-id').press('Enter')
}

test.each([[['sessionStorage']], [['sessionStorage', 'localStorage']]])(
  'without %j a person signs in, and returns to the place where that began (RFC 6749 10.12)',
  async (names) => {
    const { context, page } = await openRefusing(names)
    const failures: string[] = []
    page.on('pageerror', ({ message }) => failures.push(message))
    await begin(page)
    await press(page, /Ada/)
    await press(page, 'Permit')
    await page.waitForURL(`${running.url}/organizations/1001?tab=1#members`)
    await isShown(page)
    // Only the session's own cookies are left.
    expect((await context.cookies(running.url)).filter(({ name }) => name.includes('login'))).toEqual([])
    expect(failures).toEqual([])
    await context.close()
  },
)

test('without the storage a refusal names the organization, and leads back to where it began (4.1)', async () => {
  const { context, page } = await openRefusing(['sessionStorage'])
  await begin(page)
  await press(page, /Ada/)
  await press(page, 'Deny')
  await page.getByText('you are not a member of organization 1001').waitFor()
  await press(page, 'Start again')
  await page.waitForURL(`${running.url}/organizations/1001?tab=1#members`)
  await begin(page, '9999')
  const title = page.getByRole('alert').getByRole('heading', { name: /no organization 9999/ })
  await title.waitFor()
  expect(await title.textContent()).toBe('The service has no organization 9999')
  await context.close()
})
