// The header is one row, and two in a narrow window, whatever the font; folded parts are printed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { FONT_SETS } from '../kit/fonts.ts'
import { openApp } from '../kit/cleanup.ts'
import { sidewaysFaults } from './_layout-faults.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { haveOthers, isLive, openAccountMenu } from '../kit/page.ts'

const LONG_NAME =
  'Vereinigte Hanfseilfabriken und Taklereibetriebe an der unteren Weser von 1862, vormals Gebrüder Ahlers und Söhne in Bremerhaven, mit Niederlassungen in Emden, Wismar und Stralsund'

let running: AppProcess
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
  await isLive(page)
  return page
}

/** Loads the page without a stream of changes. */
async function loseStream(page: Page): Promise<void> {
  await page.route('**/bff/events', (route) => route.abort())
  await page.reload()
  await page
    .locator('[data-live=not_live]')
    .filter({ hasText: /\d.*\d/ })
    .waitFor()
}

interface Measured {
  rows: number
  /** The largest height of a part, in lines of its text. */
  lines: number
  isCut: boolean
  /** Room that the name could take, in pixels. */
  roomLeft: number
}

/** Runs in the page. The wait for the next attempt is the longest one. */
function measure(name: string | undefined): Measured {
  const header = document.querySelector('header') as HTMLElement
  const bdi = header.querySelector('bdi') as HTMLElement
  if (name !== undefined) bdi.textContent = name
  const wait = header.querySelector('[data-live=not_live] span > :last-child')
  if (wait) wait.textContent = (wait.textContent ?? '').replace(/\d+/, '30')
  const [mark, live, ledger, account] = ['a', '[data-live]', 'nav a', '#account-button'].map(
    (selector) => header.querySelector(selector) as HTMLElement,
  ) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement]
  const button = bdi.closest<HTMLElement>('p, button') ?? bdi
  const parts = [mark, button, live, ledger, account]
  const middles = parts.map((part) => {
    const { top, bottom } = part.getBoundingClientRect()
    return (top + bottom) / 2
  })
  const cut = [bdi, button].find((one) => getComputedStyle(one).textOverflow === 'ellipsis') ?? button
  return {
    rows: new Set(middles.map((middle) => Math.round(middle / 16))).size,
    lines: Math.max(
      ...[mark, button, ledger].map((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return range.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(part).lineHeight)
      }),
    ),
    isCut: cut.scrollWidth > cut.clientWidth,
    roomLeft: live.getBoundingClientRect().left - button.getBoundingClientRect().right,
  }
}

const atWidth = async (page: Page, width: number, name?: string): Promise<Measured> => {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(measure, name)
}

describe.each(FONT_SETS)('%s fonts', (fonts) => {
  beforeAll(async () => {
    browser = await launch({ fonts })
  })
  afterAll(() => browser.close())

  test.each(['en', 'ja'])(
    '%s: where there is room the name is whole, also without a stream',
    async (locale) => {
      const page = await signIn(locale)
      const whole = { rows: 1, isCut: false }
      for (const width of [640, 1280, 1920]) expect(await atWidth(page, width)).toMatchObject(whole)
      expect(await atWidth(page, 320)).toMatchObject({ rows: 2, isCut: false })
      await loseStream(page)
      for (const width of [768, 1280, 1920]) expect(await atWidth(page, width)).toMatchObject(whole)
      await page.context().close()
    },
  )

  test.each([
    ['en', 'live'],
    ['ja', 'live'],
    ['en', 'not live'],
    ['ja', 'not live'],
    ['en', 'in a menu'],
    ['ja', 'in a menu'],
  ])(
    '%s, %s: a very long name takes all the room that is left, in a row from 600 px on',
    async (locale, state) => {
      const page = await signIn(locale)
      if (state === 'in a menu') {
        await haveOthers(page)
        await page.reload()
        await page.locator('#organization-button').waitFor()
      }
      if (state === 'not live') await loseStream(page)
      for (const [width, most] of [
        [1920, 1],
        [1280, 1],
        [600, 1],
        [599, 2],
        [320, 2],
      ] as const) {
        const { rows, lines, isCut, roomLeft } = await atWidth(page, width, LONG_NAME)
        expect([width, rows <= most, isCut]).toEqual([width, true, true])
        expect(lines).toBeLessThan(1.9)
        expect(roomLeft).toBeLessThan(20)
      }
      expect(await sidewaysFaults(page, [256, 320, 600, 1280])).toEqual([])
      expect(await sidewaysFaults(page, [256, 320, 600, 1280], '200%')).toEqual([])
      await page.context().close()
    },
  )

  test('the open menu stands below its button, inside the window, at every width and size of the text', async () => {
    const page = await signIn('en')
    for (const size of ['100%', '200%'])
      for (const width of [320, 600, 1280, 1920]) {
        await page.setViewportSize({ width, height: 600 })
        await page.evaluate((fontSize) => {
          document.documentElement.style.fontSize = fontSize
        }, size)
        await openAccountMenu(page)
        const button = await page.locator('#account-button').boundingBox()
        const menu = await page.locator('#account-menu').boundingBox()
        if (!button || !menu) throw new Error('nothing is shown')
        expect(menu.x).toBeGreaterThanOrEqual(0)
        expect(Math.abs(menu.x + menu.width - button.x - button.width)).toBeLessThan(2)
        expect(menu.y - button.y - button.height).toBeGreaterThanOrEqual(0)
        expect(menu.y - button.y - button.height).toBeLessThan(24)
        await page.keyboard.press('Escape')
      }
    await page.context().close()
  })

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
