// Changes from elsewhere in a browser's tabs, over one stream and without a request to the service.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { isLive, signInByKey } from '../kit/page.ts'

let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
})

async function openSignedIn() {
  const context = await browser.newContext()
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/bff/events')) streams.push(request.url())
  })
  const page = await context.newPage()
  await page.goto(running.url)
  await signInByKey(page, (await running.sandboxState()).api_keys[0]?.value ?? '')
  return { context, page, streams }
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(running.url)
  await isLive(page)
  return page
}

const press = (page: Page) => page.getByRole('button', { name: /^Refresh/ }).click()
const used = async (page: Page) => page.locator('section[aria-labelledby=month]').innerText()

test('tabs share a stream; another browser sees a press; another tab takes over when the first closes', async () => {
  const { context, page, streams } = await openSignedIn()
  const tabs = [page]
  while (tabs.length < 3) tabs.push(await openTab(context))
  expect(streams).toHaveLength(1)
  const other = await openSignedIn()
  const before = await countRequests(running)
  const [last] = tabs.slice(-1)
  const shown = [await used(other.page), await used(last as Page)]
  await press(page)
  await expect.poll(async () => used(other.page)).not.toBe(shown[0])
  await expect.poll(async () => used(last as Page)).not.toBe(shown[1])
  // The page shows a recorded request before it has arrived (8.3).
  await expect.poll(() => countRequests(running)).toBe(before + 1)
  await page.close()
  await expect.poll(() => streams.length).toBe(2)
  for (const tab of tabs.slice(1)) await isLive(tab)
  const between = await used(last as Page)
  await press(other.page)
  await expect.poll(async () => used(last as Page)).not.toBe(between)
  await expect.poll(() => countRequests(running)).toBe(before + 2)
  await other.context.close()
  await context.close()
})
