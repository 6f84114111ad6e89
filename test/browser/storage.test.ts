// A browser whose settings refuse the storages of a page still signs in.
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { isShown, press } from '../kit/page.ts'

const running = await openApp({ PLIMSOLL_PKCE: 'S256' })
const browser = await openBrowser()

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

const REFUSED: [names: string[]][] = [[['sessionStorage']], [['sessionStorage', 'localStorage']]]
test.each(aPartOf(REFUSED, ([{ length }]) => length > 1))(
  'without %j a person signs in, and returns to the place where that began (RFC 6749 10.12)',
  async (names) => {
    const { context, page } = await openRefusing(names)
    const failures: string[] = []
    page.on('pageerror', ({ message }) => failures.push(message))
    await page.goto(`${running.url}/organizations/1001?tab=1#members`)
    // The address fills the field when the script takes over, perhaps between the two steps of `fill`.
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.locator('#organization-id').fill('1001')
    await page.locator('#organization-id').press('Enter')
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
