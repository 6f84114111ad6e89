// Pages that a browser keeps when it leaves them. The headless shell keeps none; an installed Chromium or Chrome does.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { type AppProcess, startAppProcess } from '../kit/app-process.ts'
import { signInByKey } from '../kit/page.ts'

let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await startAppProcess()
  browser = await launch({ backForwardCache: true })
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
})

async function openBrowser(userAgent?: string): Promise<Page> {
  const context = await browser.newContext(userAgent === undefined ? {} : { userAgent })
  return context.newPage()
}

async function signedIn(page: Page): Promise<Page> {
  await page.goto(`${running.url}/`)
  await signInByKey(page, running.sandboxState().api_keys[0]?.value ?? '')
  return page
}

/** A text of the organization's data; its name is on the sign-in page too. */
const DATA = '3 East Quay'
/** The user agent of a browser in which no test runs. */
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'

/** Goes to the service and back. @returns true if from the back/forward cache, and all it showed since */
async function leaveAndReturn(page: Page, meanwhile: () => Promise<void>) {
  await page.evaluate(() => {
    const shown: string[] = []
    Object.assign(window, { shown })
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      const note = (): void => {
        shown.push(document.body.textContent)
        requestAnimationFrame(note)
      }
      note()
    })
  })
  await page.goto(`${running.sandboxUrl}/`)
  await meanwhile()
  await page.evaluate(() => history.back()).catch(() => {})
  // A restored page fires no load event.
  await page.waitForURL(`${running.url}/**`, { waitUntil: 'commit' })
  await page.getByRole('textbox').first().waitFor()
  const shown = await page.evaluate(() => (window as { shown?: string[] }).shown)
  return { isRestored: shown !== undefined, shown: [...(shown ?? []), await page.content()].join('\n') }
}

test('a page from the back/forward cache shows nothing of a session that has ended (4, attack 31)', async () => {
  const page = await signedIn(await openBrowser())
  const other = await signedIn(await openBrowser(SAFARI))
  const { isRestored, shown } = await leaveAndReturn(page, async () => {
    await other.goto(`${running.url}/sessions`)
    await other.getByRole('button', { name: 'End all others' }).click()
    await other.getByText(/other sessions? ended\./).waitFor()
  })
  console.log(`the page came out of the back/forward cache: ${isRestored}`)
  expect(shown).not.toContain(DATA)
  expect(shown).toContain('You ended it in another browser')
})

test('the answer to a sign-out removes the pages from the back/forward cache (Clear-Site-Data)', async () => {
  const page = await signedIn(await openBrowser())
  const tab = await page.context().newPage()
  await tab.goto(`${running.url}/favicon.svg`)
  const { isRestored, shown } = await leaveAndReturn(page, async () => {
    const status = await tab.evaluate(async () => {
      const { status } = await fetch('/bff/session', { method: 'DELETE', headers: { 'X-CSRF': '1' } })
      return status
    })
    expect(status).toBe(204)
  })
  expect(isRestored).toBe(false)
  expect(shown).not.toContain(DATA)
})
