// No button moves while a press runs, is refused, uncertain or has failed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { aPartOf, IS_WHOLE } from '../_extent.ts'
import { FONT_SETS, USUAL_FONTS } from '../kit/fonts.ts'
import { openApp } from '../kit/cleanup.ts'
import { control, useMinute, useMonth } from '../kit/control.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { hold, signInAtService } from '../kit/page.ts'

const WIDTHS = aPartOf([1280, 375], (width) => width === 375)
/** A read within a second of the last one shares its answer. */
const APART_MS = 1100
/** The app sends no press within 5 s of a refusal. */
const SETTLED_MS = 5500

let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await openApp()
})

async function signIn(width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  await page.goto(running.url)
  await signInAtService(page, 'Ada')
  return page
}

const cards = (page: Page) => ({
  check: page.getByRole('region', { name: 'Speed limit' }),
  refresh: page.getByRole('region', { name: 'Organization', exact: true }),
})
const buttons = (page: Page) => {
  const { check, refresh } = cards(page)
  return { check: check.getByRole('button').first(), refresh: refresh.getByRole('button').first() }
}

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
    browser = await launch(fonts)
  })
  afterAll(() => browser.close())

  test.each(WIDTHS)(
    '%i px: no button moves during a press, when the month seems used up, and when the minute is (7, 8.3)',
    async (width) => {
      const page = await signIn(width)
      const before = await layoutOf(page)
      const hasMoved = async () => difference(before, await layoutOf(page)) > 1
      const { check, refresh } = buttons(page)
      const answer = await hold(page, /\/api\/organizations\//)
      await refresh.click()
      await expect.poll(() => refresh.textContent()).toMatch(/^Reading… · uses/)
      expect(await hasMoved()).toBe(false)
      answer()
      await expect.poll(() => refresh.textContent()).toMatch(/^Refresh · uses/)
      // The line that says what the press cost has room for what has changed.
      await page.getByText('nothing has changed').waitFor()
      expect(await hasMoved()).toBe(false)

      await page.waitForTimeout(APART_MS)
      await useMonth(running, 100)
      await refresh.click()
      await page
        .getByText(/^Used up, it seems/)
        .last()
        .waitFor()
      await expect.poll(() => refresh.textContent()).toBe('Refresh · up to 1 request, may be refused')
      expect(await page.getByText(/Your last request was refused/).count()).toBe(1)
      expect(await hasMoved()).toBe(false)

      await page.waitForTimeout(SETTLED_MS)
      await useMonth(running, 0)
      await useMinute(running, 60)
      await check.click()
      await page
        .getByText(/Possible again in/)
        .first()
        .waitFor()
      expect(await page.getByText(/Possible again in/).count()).toBe(2)
      expect(await hasMoved()).toBe(false)
      await control(running, '/clock', { do: 'advance', ms: 65_000 })
      await page.context().close()
    },
  )

  test.each(WIDTHS)('%i px: no button moves with the shortest verdict (7)', async (width) => {
    const page = await signIn(width)
    const before = await layoutOf(page)
    const sentence = page.locator('[data-tone] p:has(svg)').first()
    await sentence.evaluate((shown) => shown.lastElementChild?.replaceChildren('Enough.'))
    expect(difference(before, await layoutOf(page))).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  test.each(WIDTHS)('%i px: a button whose press fails stays where it is (7)', async (width) => {
    const page = await signIn(width)
    await page.route('**/api/**', (route) => route.abort())
    for (const [name, card] of Object.entries(cards(page))) {
      const before = (await layoutOf(page))[name]?.top
      await card.getByRole('button').first().click()
      await card.getByRole('alert').waitFor()
      expect((await layoutOf(page))[name]?.top).toBeCloseTo(before ?? NaN, 0)
    }
    await page.context().close()
  })

  // In one of these places the words about the record take a second line after the press.
  test.each(aPartOf([480, 900], (width) => width === 480))(
    '%i px: a press that says what it cost and what has changed moves nothing below it (8.3)',
    async (width) => {
      const page = await signIn(width)
      const fields = page.getByText('All fields, as the service sent them')
      const topOf = async () =>
        ((await fields.boundingBox())?.y ?? NaN) + (await page.evaluate(() => scrollY))
      const before = await topOf()
      await page.waitForTimeout(APART_MS)
      await buttons(page).refresh.click()
      await page.getByText('nothing has changed').waitFor()
      expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1)
      await page.context().close()
    },
  )
})
