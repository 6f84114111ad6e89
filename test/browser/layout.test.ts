// Nothing moves: not the buttons while a press runs, is refused or uncertain, and not the loading page.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { IS_WHOLE } from '../_extent.ts'
import { FONT_SETS, USUAL_FONTS } from '../kit/fonts.ts'
import { openApp } from '../kit/cleanup.ts'
import { control, useMinute, useMonth } from '../kit/control.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { isLive } from '../kit/page.ts'

const WIDTHS = IS_WHOLE ? [1280, 375] : [375]
const MOST_SHIFT = 0.02
/** The app sends no press within 5 s of a refusal. */
const SETTLED_MS = 5500

let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await openApp()
})

beforeEach(() => useMonth(running, 0))

/** A browser of its own, signed in, which adds up the movements on its pages. */
async function signIn(width: number, height: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height } })
  await context.addInitScript(() => {
    const moved = { sum: 0 }
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        moved.sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const page = await context.newPage()
  await page.goto(running.url)
  await page.getByLabel(/organization id/i).fill('1001')
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Permit' }).click()
  await isShown(page)
  return page
}

async function isShown(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await page.getByText(/^of 100 requests left/).waitFor()
  await isLive(page)
}

const movedOn = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { moved: { sum: number } }).moved.sum)

const buttons = (page: Page) => ({
  check: page.getByRole('region', { name: 'Speed limit' }).getByRole('button').first(),
  refresh: page.getByRole('region', { name: 'Organization', exact: true }).getByRole('button').first(),
})

interface Place {
  left: number
  right: number
  top: number
}
type Layout = Record<string, Place | undefined>

/** The positions of the buttons on the page, in pixels. */
async function layoutOf(page: Page): Promise<Layout> {
  const scrolled = await page.evaluate(() => scrollY)
  const boxes: Layout = {}
  for (const [name, button] of Object.entries(buttons(page))) {
    const box = await button.boundingBox()
    if (box) boxes[name] = { left: box.x, right: box.x + box.width, top: box.y + scrolled }
  }
  return boxes
}

/** The largest distance of a move, in pixels. A button grows with its words, and one of its sides stays. */
const difference = (a: Layout, b: Layout): number =>
  Math.max(
    ...['check', 'refresh'].map((name) => {
      const [one, other] = [a[name], b[name]]
      if (!one || !other) return Infinity
      const sideways = Math.min(Math.abs(one.left - other.left), Math.abs(one.right - other.right))
      return Math.max(sideways, Math.abs(one.top - other.top))
    }),
  )

describe.each(IS_WHOLE ? FONT_SETS : [USUAL_FONTS])('%s fonts', (fonts) => {
  beforeAll(async () => {
    browser = await launch({ fonts })
  })
  afterAll(() => browser.close())

  test.each(WIDTHS)('%i px: no button moves during a press or after it', async (width) => {
    const page = await signIn(width, 800)
    const before = await layoutOf(page)
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/organizations/*', async (route) => {
      await held
      await route.continue()
    })
    const { refresh } = buttons(page)
    await refresh.click()
    await expect.poll(() => refresh.textContent()).toMatch(/^Reading… · uses/)
    expect(await refresh.getAttribute('aria-busy')).toBe('true')
    expect(difference(before, await layoutOf(page))).toBeLessThanOrEqual(1)
    answer()
    await expect.poll(() => refresh.textContent()).toMatch(/^Refresh · uses/)
    // The line that says what the press cost has room for what has changed.
    await page.getByText(/^nothing changed since/).waitFor()
    expect(difference(before, await layoutOf(page))).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  test.each(WIDTHS)(
    '%i px: no button moves when the minute is used up, and none when it has been reset (7)',
    async (width) => {
      const page = await signIn(width, 800)
      const before = await layoutOf(page)
      await useMinute(running, 60)
      const { check } = buttons(page)
      await check.click()
      await page
        .getByText(/Possible again in/)
        .first()
        .waitFor()
      expect(await page.getByText(/Possible again in/).count()).toBe(2)
      expect(difference(before, await layoutOf(page))).toBeLessThanOrEqual(1)
      await control(running, '/clock', { do: 'advance', ms: 65_000 })
      await page.context().close()
    },
  )

  test.each(WIDTHS)('%i px: no button moves when the month seems to be used up (8.3)', async (width) => {
    const page = await signIn(width, 800)
    await page.waitForTimeout(SETTLED_MS)
    const before = await layoutOf(page)
    await useMonth(running, 100)
    const { refresh } = buttons(page)
    await refresh.click()
    await page.getByText(/^Probably used up:/).waitFor()
    await expect.poll(() => refresh.textContent()).toBe('Uses up to 1 request · Refresh anyway')
    expect(await page.getByText(/Your last request was refused/).count()).toBe(1)
    expect(difference(before, await layoutOf(page))).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  test('on a phone nothing moves while the page loads, after a sign-in and after a reload (D10)', async () => {
    const page = await signIn(375, 667)
    expect(await movedOn(page)).toBeLessThanOrEqual(MOST_SHIFT)
    await page.reload()
    await isShown(page)
    expect(await movedOn(page)).toBeLessThanOrEqual(MOST_SHIFT)
    await page.context().close()
  })
})
