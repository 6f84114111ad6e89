// A browser whose clock is wrong: dates follow the server, and the page says so once.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { signInByKey } from '../kit/page.ts'

const DAY_MS = 86_400_000
let running: AppProcess
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
})

async function openWith(aheadMs: number, locale: string): Promise<Page> {
  const page = await (await browser.newContext({ locale })).newPage()
  await page.addInitScript((ms) => {
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...parts: unknown[]) {
        super(...((parts.length === 0 ? [Real.now() + ms] : parts) as [number]))
      }
      static override now() {
        return Real.now() + ms
      }
    } as DateConstructor
  }, aheadMs)
  await page.goto(running.url)
  return page
}

const resetOf = async (page: Page) =>
  Date.parse((await page.locator('section[aria-labelledby="month"] time').getAttribute('datetime')) ?? '')

test('the reset of the month has the server’s date, and a clock a day off is said once (8.3)', async () => {
  const key = running.sandboxState().api_keys[0]?.value ?? ''
  const right = await openWith(0, 'en-US')
  await signInByKey(right, key)
  const reset = await resetOf(right)
  expect(await right.getByText('device’s clock').count()).toBe(0)
  const cookies = await right.context().cookies()
  for (const [aheadMs, locale, words] of [
    [DAY_MS, 'en-US', 'This device’s clock is 24 hours ahead'],
    [-3 * DAY_MS, 'en-US', 'This device’s clock is 3 days behind'],
    [DAY_MS, 'ja-JP', 'この端末の時計は24時間進んでいます'],
    [-3 * DAY_MS, 'ja-JP', 'この端末の時計は3日遅れています'],
  ] as const) {
    const page = await openWith(aheadMs, locale)
    await page.context().addCookies(cookies)
    await page.goto(running.url)
    await page.getByText(words).waitFor()
    expect(await page.getByText(words).count()).toBe(1)
    expect(Math.abs((await resetOf(page)) - reset)).toBeLessThan(120_000)
    await page.context().close()
  }
})
