// The header stays on one line if there is room, whatever the font; folded parts are printed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from '../_browser.ts'
import { FONT_SETS } from '../_fonts.ts'
import { openApp } from './_cleanup.ts'
import type { RunningApp } from './_running-app.ts'

const LONG_NAME =
  'Vereinigte Hanfseilfabriken und Taklereibetriebe an der unteren Weser von 1862, vormals Gebrüder Ahlers und Söhne in Bremerhaven'

let running: RunningApp
let browser: Browser

beforeAll(async () => {
  running = await openApp()
})

async function signIn(locale: string): Promise<Page> {
  const page = await (await browser.newContext({ locale })).newPage()
  await page.goto(running.url)
  await page.locator('#organization-id').fill('1001')
  await page.locator('button[type=submit][data-kind=primary]').click()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  return page
}

describe.each(FONT_SETS)('%s fonts', (fonts) => {
  beforeAll(async () => {
    browser = await launch({ fonts })
  })
  afterAll(() => browser.close())

  test.each(['en', 'ja'])(
    '%s: at 1280 px the name of the organization is complete, also without a stream',
    async (locale) => {
      const page = await signIn(locale)
      await page.setViewportSize({ width: 1280, height: 800 })
      const isWhole = () =>
        page.evaluate(() => {
          // The longest wait for the next attempt.
          const wait = document.querySelector('[data-live=not_live]')?.lastChild
          if (wait) wait.textContent = wait.textContent?.replace(/\d+/, '30') ?? ''
          const name = document.querySelector('header bdi')?.parentElement
          return [name?.textContent, name && name.scrollWidth <= name.clientWidth]
        })
      await page.locator('[data-live=live]').waitFor()
      expect(await isWhole()).toEqual(['Harbour Rope Works', true])
      await page.route('**/bff/events', (route) => route.abort())
      await page.reload()
      await page.locator('[data-live=not_live]').filter({ hasText: /\d/ }).waitFor()
      expect(await isWhole()).toEqual(['Harbour Rope Works', true])
      await page.context().close()
    },
  )

  test.each([
    ['en', 1280, 1],
    ['en', 900, 2],
    ['ja', 1280, 1],
    ['ja', 900, 2],
  ])(
    '%s, %i px: with large, spaced text and a long name no part of the header wraps, in %i rows',
    async (locale, width, rows) => {
      const page = await signIn(locale)
      await page.setViewportSize({ width, height: 800 })
      const heights = await page.evaluate((name) => {
        document.documentElement.style.fontSize = '110%'
        document.documentElement.style.letterSpacing = '0.04em'
        const header = document.querySelector('header')
        const organization = header?.querySelector('bdi')
        const cut = organization?.parentElement
        if (organization) organization.textContent = name
        const line = Number.parseFloat(getComputedStyle(document.documentElement).lineHeight)
        return {
          header: (header?.offsetHeight ?? 0) / line,
          parts: [...(header?.querySelectorAll<HTMLElement>('p > *, nav > *') ?? [])].map(
            (part) => part.offsetHeight / line,
          ),
          isCut: (cut?.scrollWidth ?? 0) > (cut?.clientWidth ?? 0),
          isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        }
      }, LONG_NAME)
      expect(heights).toMatchObject({ isCut: true, isTooWide: false })
      // In lines: the row of the button with its space, and the row below with its gap.
      expect(heights.header).toBeLessThan(2 + rows * 1.5)
      expect(Math.max(...heights.parts)).toBeLessThan(1.5)
      await page.context().close()
    },
  )

  test('folded parts are printed, without the line that opens them', async () => {
    const page = await signIn('en')
    await page.goto(`${running.url}/ledger`)
    await page.getByText('The same as a table').waitFor()
    const cell = page.locator('details td').first()
    expect(await cell.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await cell.isVisible()).toBe(true)
    expect(await page.getByText('The same as a table').isVisible()).toBe(false)
    await page.context().close()
  })
})
