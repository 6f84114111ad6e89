// The card of the organization: with any record nothing overflows, no code runs, no text turns around (4.4).
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allowClipboard } from '../kit/browser.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { aPartOf } from '../_extent.ts'
import { CANARY, HOSTILE, OVERRIDES } from './_hostile.ts'
import { tabTo } from './_keyboard.ts'
import { sidewaysFaults, textFaults, WIDTHS, zoomFaults } from './_layout-faults.ts'
import { SHAPES } from './_shapes.ts'
import { openAccountMenu, openAllFields, openBranches, signInByKey } from '../kit/page.ts'

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
  await signInByKey(page, (await running.sandboxState()).api_keys[0]?.value ?? '')
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

test.each(aPartOf(Object.keys(SHAPES), (name) => name === 'a long word'))(
  'a record with %s fits, folded and open, with larger text and zoomed (4.4)',
  async (name) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open(SHAPES[name])
    expect(await textFaults(page, SOME_WIDTHS)).toEqual([])
    await openBranches(page)
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
  await openBranches(page)
}

test.each(aPartOf(Object.keys(HOSTILE), (name) => name === 'markup and scripts'))(
  'a record with %s runs no code, wherever it is shown (attack 76)',
  async (name) => {
    await openAll(HOSTILE[name])
    expect(await hasRun()).toEqual(NOTHING)
    await openAccountMenu(page)
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
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

test.each(aPartOf([...OVERRIDES.keys()], (at) => at === 1))(
  'direction marks in names and texts (%i) reverse no text around them, also on a narrow screen (UAX 9)',
  async (at) => {
    const record = HOSTILE[`marks of direction ${at}`] ?? ''
    await openAll(record)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, ...(await page.evaluate(turnedAround))]).toEqual([width])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Ledger', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    expect(await page.evaluate(turnedAround)).toEqual([])
  },
)

test('the keyboard opens and closes a field, and the focus can be seen (WCAG 2.1.1)', async () => {
  await open('{"name":"x","members":[{"name":"Ada","teams":["Sea"]}]}')
  await tabTo(page, /^1 .*2 items$/)
  await page.keyboard.press('Enter')
  await page.getByText('teams').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('teams').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('a person copies the whole answer, as it came, at no request', async () => {
  await allowClipboard(page.context())
  await open('{"name": "x", "a/b": {"big": 9007199254740993123}}')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(body)
  expect(asked).toEqual([])
})
