// The card of the organization: with any record nothing overflows, no code runs, no text turns around (4.4).
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allowClipboard } from '../kit/browser.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { aPartOf } from './_extent.ts'
import { CANARY, HOSTILE, OVERRIDES } from './_hostile.ts'
import { focusedName, tabTo } from './_keyboard.ts'
import { sidewaysFaults, textFaults, WIDTHS, zoomFaults } from './_layout-faults.ts'
import { SHAPES } from './_shapes.ts'
import { openAccountMenu, openAllFields, signInByKey } from '../kit/page.ts'

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
  const context = await (await openBrowser()).newContext({ reducedMotion: 'reduce', locale: 'en-GB' })
  page = await context.newPage()
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  // Code that the policy stopped counts too: without the policy it would have run.
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(url)
  await signInByKey(page, running.sandboxState().api_keys[0]?.value ?? '')
  await page.route('**/api/organizations', (route) =>
    body === undefined ? route.continue() : route.fulfill({ contentType: 'application/json', body }),
  )
})

async function open(text?: string): Promise<void> {
  body = text
  await page.goto(url)
  await openAllFields(page)
}

/** Elements that run code or lead to another site. */
const ACTIVE =
  'a, img, script, iframe, object, embed, form, style, base, meta, [onload], [onerror], [onfocus]'

async function hasRun(): Promise<unknown> {
  const ran = await page.evaluate((name) => Reflect.get(globalThis, name) as unknown, CANARY)
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  const active = await page.locator('section[aria-labelledby=organization]').locator(ACTIVE).count()
  return { ran, active, links: links.filter((protocol) => !/^https?:$/.test(protocol)), errors }
}
const NOTHING = { ran: undefined, active: 0, links: [], errors: [] }

test.each(aPartOf(Object.keys(SHAPES), 0))(
  'a record with %s fits, folded and open, with larger text and zoomed (4.4)',
  async (name) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open(SHAPES[name])
    expect(await textFaults(page, SOME_WIDTHS)).toEqual([])
    const expand = page.getByRole('button', { name: 'Expand all' })
    if (await expand.isVisible()) await expand.click()
    expect(await textFaults(page, [256, 650, 1280])).toEqual([])
    expect(await sidewaysFaults(page, WIDTHS)).toEqual([])
    expect(await sidewaysFaults(page, SOME_WIDTHS, '200%')).toEqual([])
    expect(await zoomFaults(page)).toEqual([])
    expect(await hasRun()).toEqual(NOTHING)
  },
)

async function openAll(text: string | undefined): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 })
  await open(text)
  await page.getByRole('button', { name: 'Expand all' }).click()
  await page.getByText('Raw JSON').click()
  await page.locator('pre').waitFor()
}

test.each(aPartOf(Object.keys(HOSTILE), 0))(
  'a record with %s runs no code, wherever it is shown (attack 76)',
  async (name) => {
    await openAll(HOSTILE[name])
    expect(await hasRun()).toEqual(NOTHING)
    await openAccountMenu(page)
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
    expect(await hasRun()).toEqual(NOTHING)
    await page.goBack()
    await openAllFields(page)
    await page.getByRole('searchbox').fill('script')
    await page.getByText(/\d match/).waitFor()
    expect(await hasRun()).toEqual(NOTHING)
  },
)

/** Runs in the page: Latin texts without a mark of their own whose letters run from right to left. */
function turnedAround(): string[] {
  const turned: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent ?? ''
    if (!/^[\x20-\x7E]{3,}$/.test(words)) continue
    const boxes = Array.from({ length: Math.min(words.length, 60) }, (_, at) => {
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect()
    }).filter(({ width }) => width > 0)
    const back = boxes.filter((box, at) => {
      const next = boxes[at + 1]
      return next !== undefined && Math.abs(next.top - box.top) < 2 && next.left < box.left - 0.5
    })
    if (back.length > 0) turned.push(words.slice(0, 40))
  }
  return turned
}

test.each(OVERRIDES.map((_, at) => at))(
  'direction marks in names and texts (%i) reverse no text around them, also on a narrow screen (UAX 9)',
  async (at) => {
    const record = HOSTILE[`marks of direction ${at}`] ?? ''
    await openAll(record)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, ...(await page.evaluate(turnedAround))]).toEqual([width])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    body = record.replaceAll('deep blue', 'light blue').replaceAll('123456', '9')
    await page.getByRole('button', { name: /^Refresh/ }).click()
    const words = page.locator('output', { hasText: 'changed since' })
    await words.waitFor()
    expect(await words.evaluate(turnedAroundIn)).toEqual([])
    await page.getByRole('link', { name: 'Ledger', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    expect(await page.evaluate(turnedAround)).toEqual([])
  },
)

/** Runs in the page: the names in a sentence stand in their order, each from left to right. */
function turnedAroundIn(element: Element): string[] {
  const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
  const words = node?.textContent ?? ''
  const range = document.createRange()
  const leftOf = (part: string): number => {
    const at = words.indexOf(part)
    range.setStart(node as Node, at)
    range.setEnd(node as Node, at + 1)
    return range.getBoundingClientRect().left
  }
  const order = ['changed', 'since', 'olour', 'ize'].map(leftOf)
  return order.toSorted((a, b) => a - b).join() === order.join() ? [] : [words]
}

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
