// The card of the organization: with any record nothing overflows, no code runs, and input is answered (4.4).
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allowClipboard } from '../kit/browser.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { aPartOf } from './_extent.ts'
import { LARGE } from './_hostile.ts'
import { focusedName, tabTo } from './_keyboard.ts'
import { sidewaysFaults, WIDTHS, zoomFaults } from './_layout-faults.ts'
import { PAGE } from '../kit/service.ts'
import { SHAPES } from './_shapes.ts'
import { openAllFields } from '../kit/page.ts'

/** The widths at which the layout changes, and some between them. */
const SOME_WIDTHS = [256, 320, 650, 768, 810, 1280, 1920]

let page: Page
let url: string
/** An answer of the service in place of the seeded record. */
let body: string | undefined
const errors: string[] = []

beforeAll(async () => {
  const running = await openApp()
  url = running.url
  const browser = await openBrowser()
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' })
  page = await context.newPage()
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.route('**/api/organizations', (route) =>
    body === undefined ? route.continue() : route.fulfill({ contentType: 'application/json', body }),
  )
  await page.goto(url)
  const signedIn = await page.evaluate(
    async ({ headers, api_key }) => {
      const request = { method: 'POST', headers, body: JSON.stringify({ api_key }) }
      return (await fetch('/bff/session', request)).status
    },
    {
      headers: { 'X-CSRF': PAGE['X-CSRF'], 'Content-Type': 'application/json' },
      api_key: running.sandboxState().api_keys[0]?.value,
    },
  )
  if (signedIn !== 201) throw new Error(`The sign-in was answered ${signedIn}`)
})

async function open(text?: string): Promise<void> {
  body = text
  await page.goto(url)
  await openAllFields(page)
}

const card = () => page.locator('section[aria-labelledby=organization]')
async function complaints(widths: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    found.push(...(await page.evaluate(layoutFaults)).map((fault) => `${width}: ${fault}`))
  }
  return found
}

/** Runs in the page: elements that are wider than it, and longer texts of the card in less than 3 em. */
function layoutFaults(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const faults = scrollWidth > clientWidth ? [`${scrollWidth} of ${clientWidth} pixels`] : []
  const root = document.querySelector('section[aria-labelledby=organization]') ?? document.body
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement as HTMLElement
    const em = Number.parseFloat(getComputedStyle(element).fontSize)
    const range = document.createRange()
    range.selectNodeContents(node)
    const { width, height } = range.getBoundingClientRect()
    const isBroken = height > 2.5 * em && width < 3 * em
    if ((node.textContent ?? '').trim().length > 6 && isBroken)
      faults.push(`"${node.textContent?.slice(0, 20)}" in ${Math.round(width)} pixels`)
  }
  return faults
}

test.each(aPartOf(Object.keys(SHAPES), 0))(
  'a record with %s fits, folded and open, with larger text and zoomed, and runs no code (4.4)',
  async (name) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open(SHAPES[name])
    expect(await complaints(SOME_WIDTHS)).toEqual([])
    const expand = page.getByRole('button', { name: 'Expand all' })
    if (await expand.isVisible()) await expand.click()
    expect(await complaints([256, 650, 1280])).toEqual([])
    expect(await sidewaysFaults(page, WIDTHS)).toEqual([])
    expect(await sidewaysFaults(page, SOME_WIDTHS, '200%')).toEqual([])
    expect(await zoomFaults(page)).toEqual([])
    expect(await card().locator('a, img, script, iframe').count()).toBe(0)
    expect(errors).toEqual([])
  },
)

test('a record of 2 MB with 20,000 rows is searched, and shows 100 rows at a time', async () => {
  expect(LARGE.length).toBeGreaterThan(1_900_000)
  await page.setViewportSize({ width: 1280, height: 900 })
  await open(LARGE)
  const search = page.getByRole('searchbox')
  await search.fill('number 19')
  await card().getByText('1111 matches').waitFor()
  await search.fill('')
  await card().getByText('Show 100 more (100 of 20000 shown)').click()
  await card().getByText('Show 100 more (200 of 20000 shown)').waitFor()
  expect(await card().locator('[role=treeitem][aria-level="2"]').count()).toBe(201)
  expect(errors).toEqual([])
})

test('after a press of Refresh the page names and marks the changes, and nothing moves (D8)', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await open('{"name":"x","plan":"standard","tags":["a"],"old":1}')
  const height = await card().evaluate((element) => element.scrollHeight)
  body = '{"name":"x","plan":"business","tags":["a"],"old":2}'
  const refresh = card().getByRole('button', { name: /^Refresh/ })
  await refresh.click()
  await card()
    .getByText(/^changed since \d\d?:\d\d( [AP]M)?: Plan, Old$/)
    .waitFor()
  expect(await card().evaluate((element) => element.scrollHeight)).toBe(height)
  expect(await card().getByText('changed', { exact: true }).count()).toBe(3)
  body = '{"name":"x","plan":"business","tags":["a"]}'
  await refresh.click()
  await card()
    .getByText(/^gone since .*: Old$/)
    .waitFor()
  await card().getByText('gone', { exact: true }).waitFor()
})

test('the tree is one stop of the Tab key, and its focus can be seen (WAI-ARIA, tree view)', async () => {
  await open()
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await tabTo(page, /^Organization ID, 1001$/)
  await page.keyboard.press('End')
  expect(await focusedName(page)).toMatch(/^Members, 2 entries$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await focusedName(page)).toBe('1 · Ada Lindqvist, 3 fields')
  await tabTo(page, 'Raw JSON')
  await page.keyboard.press('Shift+Tab')
  expect(await focusedName(page)).toBe('1 · Ada Lindqvist, 3 fields')
})

test('a key opens the menu of a row, and the focus returns to the row (WAI-ARIA, menu button)', async () => {
  await open('{"name":"x","size":1}')
  await page.getByRole('treeitem', { name: 'Size, 1' }).focus()
  const menu = page.getByRole('menu')
  for (const key of ['Enter', 'ArrowRight', 'Shift+F10']) {
    await page.keyboard.press(key)
    await menu.waitFor()
    expect(await focusedName(page)).toBe('Copy value')
    await page.keyboard.press('ArrowDown')
    expect(await focusedName(page)).toMatch(/^Copy path\s*\/size$/)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await focusedName(page)).toBe('Size, 1')
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await menu.waitFor({ state: 'hidden' })
  expect(await focusedName(page)).toBe('Raw JSON')
})

test('the menu is beside its button, also at the end of the window and after scrolling', async () => {
  await page.setViewportSize({ width: 375, height: 600 })
  await open()
  const menu = page.getByRole('menu')
  for (const name of ['Name, Harbour Rope Works', /^Tags/]) {
    const row = page.getByRole('treeitem', { name })
    await row.scrollIntoViewIfNeeded()
    const button = row.getByRole('button', { name: 'Copy' })
    await button.click()
    const [at, by] = [await menu.boundingBox(), await button.boundingBox()]
    if (!at || !by) throw new Error('The menu or its button is not shown.')
    expect(Math.min(Math.abs(at.y - by.y - by.height), Math.abs(at.y + at.height - by.y))).toBeLessThan(2)
    expect(Math.abs(at.x + at.width - by.x - by.width)).toBeLessThan(2)
    expect([at.x >= 0, at.y >= 0, at.y + at.height <= 600]).toEqual([true, true, true])
    await page.keyboard.press('Escape')
  }
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('a person copies a value, its path and the whole answer at no request', async () => {
  await allowClipboard(page.context())
  await open('{"name":"x","a/b":{"big":9007199254740993123}}')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const row = page.getByRole('treeitem', { name: /^Big,/ })
  await row.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'Copy value' }).click()
  await page.getByText('Value copied').waitFor()
  expect(await copied()).toBe('9007199254740993123')
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Copy path /a~1b/big' }).click()
  await page.getByText('Path copied').waitFor()
  expect(await copied()).toBe('/a~1b/big')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSON' }).click()
  expect((await download).suggestedFilename()).toBe('organization-of-key.json')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(body)
  expect(asked.filter((address) => !address.startsWith('blob:'))).toEqual([])
})
