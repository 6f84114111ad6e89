// Records of an attacker are shown as text, run no code and reverse no text around them (4.4, attack 76).
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aPartOf } from './_extent.ts'
import { CANARY, HOSTILE, OVERRIDES } from './_hostile.ts'
import type { Place } from './_state.ts'
import { openPlace } from './_states.ts'
import { openAccountMenu, openAllFields } from '../kit/page.ts'

let place: Place
const complaints: string[] = []
beforeAll(async () => {
  place = await openPlace()
})
beforeEach(() => void complaints.splice(0))

/** Opens the page of an organization with this record, with everything unfolded. */
async function open(body: string): Promise<Page> {
  const page = await place.member('/', async (opened) => {
    opened.on('pageerror', ({ message }) => {
      // In Firefox the scripts of the test driver fail in the empty page before.
      if (opened.url() !== 'about:blank') complaints.push(message)
    })
    opened.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    // Code that the policy stopped counts too: without the policy it would have run.
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await opened.route('**/api/organizations', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    )
  })
  await openAllFields(page)
  await openAll(page)
  return page
}

async function openAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Expand all' }).click()
  await page.getByText('Raw JSON').click()
  await page.locator('pre').waitFor()
}

/** Elements that run code or lead to another site. */
const ACTIVE =
  'a, img, script, iframe, object, embed, form, style, base, meta, [onload], [onerror], [onfocus]'

async function hasRun(page: Page): Promise<unknown> {
  const ran = await page.evaluate((name) => Reflect.get(globalThis, name) as unknown, CANARY)
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  const active = await page.locator('section[aria-labelledby=organization]').locator(ACTIVE).count()
  return { ran, active, links: links.filter((protocol) => !/^https?:$/.test(protocol)), complaints }
}

const NOTHING = { ran: undefined, active: 0, links: [], complaints: [] }

test.each(aPartOf(Object.keys(HOSTILE), 0))(
  'a record with %s runs no code, wherever it is shown',
  async (name) => {
    const page = await open(HOSTILE[name] ?? '')
    expect(await hasRun(page)).toEqual(NOTHING)
    await openAccountMenu(page)
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
    expect(await hasRun(page)).toEqual(NOTHING)
    await page.goBack()
    await openAllFields(page)
    await page.getByRole('searchbox').fill('script')
    await page.getByText(/\d match/).waitFor()
    expect(await hasRun(page)).toEqual(NOTHING)
    await page.close()
  },
)

test('each payload is shown as it was written, as a name and as a value', async () => {
  const written = HOSTILE['markup and scripts'] ?? ''
  const page = await open(written)
  const shown = (await page.locator('section[aria-labelledby=organization]').textContent()) ?? ''
  const { list, website } = JSON.parse(written) as { list: string[]; website: string }
  expect([...list, website].filter((payload) => !shown.includes(payload))).toEqual([])
  expect(await page.title()).toContain('<img src=x')
  await page.close()
})

test('the names that every object has are ordinary members, and change no object of the page', async () => {
  const page = await open(HOSTILE['names of every object'] ?? '')
  for (const label of ['Proto', 'Constructor', 'To string', 'Value of', 'Has own property'])
    expect(await page.locator('[role=tree] bdi').getByText(label, { exact: true }).count()).toBeGreaterThan(0)
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false)
  await page.close()
})

test('all of 200 levels are shown', async () => {
  const page = await open(HOSTILE['200 levels of objects'] ?? '')
  await page.getByText('level 200', { exact: true }).waitFor()
  expect(await page.getByRole('treeitem', { expanded: false }).count()).toBe(0)
  await page.close()
})

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
    const page = await open(HOSTILE[`marks of direction ${at}`] ?? '')
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, ...(await page.evaluate(turnedAround))]).toEqual([width])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.unroute('**/api/organizations')
    const changed = (HOSTILE[`marks of direction ${at}`] ?? '')
      .replaceAll('deep blue', 'light blue')
      .replaceAll('123456', '9')
    await page.route('**/api/organizations', (route) =>
      route.fulfill({ contentType: 'application/json', body: changed }),
    )
    await page.getByRole('button', { name: /^Refresh/ }).click()
    await page.getByText(/changed since/).waitFor()
    const words = page.locator('output', { hasText: 'changed since' })
    expect(await words.evaluate(turnedAroundIn)).toEqual([])
    await page.getByRole('link', { name: 'Ledger', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    expect(await page.evaluate(turnedAround)).toEqual([])
    await page.close()
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
