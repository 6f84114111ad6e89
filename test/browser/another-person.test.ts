// A press in another browser moves the ring, its number and the list of an open page, without a press there.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { isLive, press } from '../kit/page.ts'

const PRESSES = 5
/** A read within a second of the last one shares its answer. */
const APART_MS = 1200

let app: AppProcess
let open: () => Promise<Page>

beforeAll(async () => {
  app = await openApp()
  const browser = await openBrowser()
  open = async () => {
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await page.goto(app.url)
    return page
  }
})

async function openByKey(): Promise<Page> {
  const page = await open()
  await page.getByText('Use an API key instead').click()
  await page.getByLabel('API key', { exact: true }).fill(app.sandboxState().api_keys[0]?.value ?? '')
  await press(page, /^Sign in with the key/)
  await isLive(page)
  return page
}

async function openByOAuth(): Promise<Page> {
  const page = await open()
  await page.getByLabel(/organization id/i).fill('1001')
  await press(page, /^Sign in ·/)
  await page.getByRole('button', { name: /Ada/ }).click()
  await press(page, 'Permit')
  await isLive(page)
  return page
}

/** Runs in the page: notes when each of the three changes. All pages have one clock. */
function watch(): void {
  const rows: unknown[] = []
  const look = (): Record<string, string> => {
    const ring = document.querySelector('section[aria-labelledby=minute] [role=meter]')
    const row = document.querySelector('section[aria-labelledby=minute] li')
    if (!rows.includes(row)) rows.push(row)
    return {
      ring: ring?.querySelector('path:nth-of-type(3)')?.getAttribute('stroke-dasharray') ?? '',
      number: ring?.querySelector('text')?.textContent ?? '',
      list: String(rows.indexOf(row)),
    }
  }
  const before = look()
  const movedAtMs: Record<string, number> = {}
  Object.assign(globalThis, { movedAtMs })
  new MutationObserver(() => {
    for (const [name, value] of Object.entries(look()))
      if (value !== before[name]) movedAtMs[name] ??= performance.timeOrigin + performance.now()
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
}

/** Runs in the page: notes when the next press comes. */
function awaitPress(): void {
  const note = (): void =>
    void Object.assign(globalThis, { pressedAtMs: performance.timeOrigin + performance.now() })
  document.addEventListener('click', note, { once: true, capture: true })
}

/** Milliseconds from a press in one page to each change in the other. */
async function delaysOf(mine: Page, theirs: Page): Promise<Record<string, number>> {
  await mine.waitForTimeout(APART_MS)
  await mine.evaluate(watch)
  await theirs.evaluate(awaitPress)
  await press(theirs, /^Check limits/)
  const moved = () => mine.evaluate(() => Reflect.get(globalThis, 'movedAtMs') as Record<string, number>)
  await expect.poll(async () => Object.keys(await moved()).length).toBe(3)
  const pressedAtMs = await theirs.evaluate(() => Reflect.get(globalThis, 'pressedAtMs') as number)
  return Object.fromEntries(Object.entries(await moved()).map(([name, atMs]) => [name, atMs - pressedAtMs]))
}

test('ring, number and list follow a press with the same key (8.2, 8.3)', async () => {
  const [mine, theirs] = [await openByKey(), await openByKey()]
  const delays: Record<string, number>[] = []
  for (let nth = 0; nth < PRESSES; nth += 1) delays.push(await delaysOf(mine, theirs))
  for (const name of ['ring', 'number', 'list']) {
    const sorted = delays.map((one) => one[name] ?? Infinity).toSorted((a, b) => a - b)
    const median = sorted[Math.floor(PRESSES / 2)] ?? Infinity
    console.log(`${name}: ${Math.round(median)} ms after the press of another person, in the median`)
    expect(median).toBeGreaterThan(0)
  }
})

test('a request of another person is marked for a short time, with less motion without moving (8.3)', async () => {
  const [mine, theirs] = [await openByOAuth(), await openByOAuth()]
  await mine.waitForTimeout(APART_MS)
  const row = mine.getByRole('list', { name: 'Last requests' }).locator('li').first()
  const drawn = () =>
    row.evaluate((node) => {
      const { animationName, backgroundColor } = getComputedStyle(node)
      const isClear = backgroundColor === 'rgba(0, 0, 0, 0)'
      const left = document.querySelector('section[aria-labelledby=minute] path:nth-of-type(3)')
      return [animationName !== 'none', !isClear, left && getComputedStyle(left).transitionDuration]
    })
  await press(theirs, /^Check limits/)
  await expect.poll(() => row.textContent()).toMatch(/^Someone else checked limits/)
  expect((await drawn())[0]).toBe(true)
  expect((await drawn())[2]).toBe('0.3s')
  await mine.emulateMedia({ reducedMotion: 'reduce' })
  expect(await drawn()).toEqual([false, true, '0s'])
  await expect.poll(() => row.getAttribute('data-new')).toBeNull()
  expect(await drawn()).toEqual([false, false, '0s'])
})
