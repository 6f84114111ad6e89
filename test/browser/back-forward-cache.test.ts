// Pages that a browser keeps when it leaves them. The headless shell keeps none; an installed Chromium or Chrome does.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { DATA, SAFARI, signInNew } from '../kit/page.ts'

const running = await openApp()
const browser = await launch({ backForwardCache: true })
endLater(() => browser.close())

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
  const page = await signInNew(running, browser)
  const other = await signInNew(running, browser, SAFARI)
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
  const page = await signInNew(running, browser)
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
