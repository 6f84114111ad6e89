import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { wholeTest } from '../_whole.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { MODULES } from './_layout-faults.ts'
import { openAllFields, signInByKey, signOut } from '../kit/page.ts'

let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
})

const PAPER = { light: 'rgb(245, 248, 251)', dark: 'rgb(11, 18, 32)' }
const backgroundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const storedIn = (page: Page) => page.evaluate(() => Object.keys(localStorage))
const chosenIn = (page: Page) => page.evaluate(() => /choices=(\S*)/.exec(document.cookie)?.[1])

async function openPage(options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return openTab(context)
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(running.url)
  // The page from the server shows a choice when the script is there.
  await page.locator('html[data-ready]').waitFor()
  return page
}

const THEMES = [
  ['dark', 'light'],
  ['light', 'dark'],
] as const
test.each(aPartOf(THEMES, ([theme]) => theme === 'dark'))(
  'the %s theme is there before the first script of the page, on a %s system',
  async (theme, system) => {
    const page = await openPage({ colorScheme: system })
    expect(await backgroundOf(page)).toBe(PAPER[system])
    await page.getByLabel('Theme').selectOption(theme)
    expect(await backgroundOf(page)).toBe(PAPER[theme])
    // The module scripts never arrive.
    await page.route(MODULES, () => {})
    // Firefox answers playwright's reload only when the scripts have arrived.
    await page.evaluate(() => {
      Object.assign(globalThis, { isFormer: true })
      location.reload()
    })
    await expect.poll(() => page.evaluate(() => 'isFormer' in globalThis).catch(() => true)).toBe(false)
    // The first colour with the style sheet.
    await expect.poll(() => backgroundOf(page)).not.toBe('rgba(0, 0, 0, 0)')
    expect(await backgroundOf(page)).toBe(PAPER[theme])
  },
)

wholeTest(
  'choices survive a sign-out in every tab, and its answer removes all else (Clear-Site-Data)',
  async () => {
    const page = await openPage()
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Language').selectOption('en')
    await signInByKey(page, (await running.sandboxState()).api_keys[0]?.value ?? '')
    const tab = await openTab(page.context())
    await tab.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
    expect(await backgroundOf(tab)).toBe(PAPER.dark)
    await page.evaluate(() => localStorage.setItem('other', 'x'))
    await signOut(page)
    for (const one of [page, tab]) await one.getByText('You are signed out').waitFor()
    for (const one of [page, tab]) {
      await expect.poll(() => storedIn(one)).toEqual([])
      expect(await chosenIn(one)).toMatch(/^v1\.en\.dark\./)
    }
    for (const one of [page, tab]) expect(await backgroundOf(one)).toBe(PAPER.dark)
  },
)

test('if a language cannot be loaded, the former one stays, with a message', async () => {
  const page = await openPage()
  await page.route(/\/assets\/first-/, (route) => route.abort())
  await page.getByLabel('Language').selectOption('ja')
  await page
    .getByRole('alert')
    .filter({ hasText: 'This language could not be loaded. Try again, or reload the page.' })
    .waitFor()
  expect(await page.getByLabel('Language').inputValue()).toBe('')
  expect(await chosenIn(page)).toMatch(/^v1\.-\.-\./)
})

wholeTest(
  'a print has the data in black on white, its marks and headings, and nothing to press',
  async () => {
    const page = await openPage({ colorScheme: 'dark' })
    await page.getByLabel('Theme').selectOption('dark')
    await signInByKey(page, (await running.sandboxState()).api_keys[0]?.value ?? '')
    await openAllFields(page)
    await page.emulateMedia({ media: 'print' })
    expect(await backgroundOf(page)).toBe('rgb(255, 255, 255)')
    for (const role of ['banner', 'contentinfo', 'combobox', 'textbox'] as const)
      expect(await page.getByRole(role).filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    for (const words of ['3 East Quay, Port Ellery PE4 2RW', 'settings'])
      expect(await page.getByText(words, { exact: true }).isVisible()).toBe(true)
    const meter = page.getByRole('meter').first()
    expect(await meter.evaluate((element) => getComputedStyle(element).printColorAdjust)).toBe('exact')
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${running.url}/ledger`)
    await page.emulateMedia({ media: 'print' })
    await page.locator('details td').first().waitFor()
    expect(await page.locator('details summary').filter({ visible: true }).count()).toBe(0)
  },
)
