// A browser that permits notifications. The headless one has none, so the test brings the constructor.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { openAccountMenu, signInByKey } from '../kit/page.ts'

let running: AppProcess
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
})

/** @param isLegal false: the constructor throws, as in Chrome on Android */
async function openWith(isLegal: boolean, locale: string): Promise<Page> {
  const page = await (await browser.newContext({ locale })).newPage()
  await page.addInitScript((mayConstruct) => {
    class Fake extends EventTarget {
      static permission = 'granted'
      static requestPermission = () => Promise.resolve('granted')
      constructor() {
        super()
        if (!mayConstruct) throw new TypeError('Illegal constructor')
        queueMicrotask(() => this.dispatchEvent(new Event('show')))
      }
    }
    Object.assign(globalThis, { Notification: Fake })
  }, isLegal)
  await page.goto(running.url)
  return page
}

const stored = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('plimsoll.alerts.')).length)

test('notifications are on only if the browser has shown one, and come while a page is open', async () => {
  const page = await openWith(true, 'en-US')
  await signInByKey(page, running.sandboxState().api_keys[0]?.value ?? '')
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText(/: on\. Notifications come only while a page is open\./).waitFor()
  expect(await stored(page)).toBe(1)
  const cookies = await page.context().cookies()
  for (const [locale, button, words] of [
    ['en-US', 'Turn on', 'This browser cannot notify; title and icon will show it.'],
    ['ja-JP', 'オンにする', 'このブラウザーでは通知できません。タイトルとアイコンに表示します。'],
  ] as const) {
    const unable = await openWith(false, locale)
    await unable.context().addCookies(cookies)
    await unable.goto(running.url)
    await openAccountMenu(unable)
    await unable.getByRole('button', { name: button }).click()
    await unable.getByText(words).waitFor()
    expect(await stored(unable)).toBe(0)
    await unable.context().close()
  }
})
