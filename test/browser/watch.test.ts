// Watch links in real browsers: a person makes one, and others look without a session, also from a wall.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { aPartOf } from '../_extent.ts'
import { IS_FIREFOX } from '../kit/browser.ts'
import { openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import { isLive, openSignedIn, press } from '../kit/page.ts'

const { page, url, app } = await openSignedIn()

/** @returns the addresses of the page and of the display on a wall */
async function makeLink(name: string): Promise<[page: string, wall: string]> {
  await page.goto(`${url}/links`)
  await page.getByLabel('Name of the link').fill(name)
  await press(page, 'Make a link')
  const address = await page.getByLabel('Link to the page').inputValue()
  return [address, await page.getByLabel('For a display on a wall').inputValue()]
}

/** Of the list of links. */
async function withdraw(name: string): Promise<void> {
  await page.goto(`${url}/links`)
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await row.getByRole('button', { name: 'Yes, withdraw it' }).click()
  await page.getByText(`The link “${name}” opens nothing any more.`).waitFor()
}

/** A browser that has never been here. */
async function openViewer(address: string, locale = 'en-GB'): Promise<Page> {
  const context = await (await openBrowser()).newContext({ locale })
  onTestFinished(() => context.close())
  const viewer = await context.newPage()
  await viewer.goto(address)
  return viewer
}

test('a stranger sees the month and the minute live, and nothing that spends, until withdrawn (8)', async () => {
  const [address] = await makeLink('Kitchen')
  const before = await countRequests(app)
  const viewer = await openViewer(address)
  await isLive(viewer)
  await viewer.getByRole('heading', { name: 'Kitchen' }).waitFor()
  expect(viewer.url()).toBe(address.replace(/#.*/, ''))
  await viewer.getByRole('slider').waitFor()
  const controls = viewer.locator('main button, main a, header a')
  await viewer.getByText('Copy this link').click()
  expect(await controls.allInnerTexts()).toEqual(['Copy'])
  // Reloaded without the secret, with the cookie.
  await viewer.reload()
  await isLive(viewer)
  expect(await controls.count()).toBe(0)
  expect(await countRequests(app)).toBe(before)
  const other = await openViewer(address)
  await isLive(other)
  await page.goto(url)
  await press(page, /^Refresh/)
  await viewer.getByText('this app 2').waitFor()
  await page.goto(`${url}/links`)
  await page.getByText(IS_FIREFOX ? /Last used .*Firefox/ : /Last used .*Chrome/).waitFor()
  await withdraw('Kitchen')
  for (const one of [viewer, other]) await one.getByText('This link shows nothing').waitFor({ timeout: 5000 })
  await viewer.goto(address)
  await viewer.getByText('It was withdrawn or has ended.', { exact: false }).waitFor()
})

/** What a display shows is within it and in its place. @returns shares of its height: the figure, its chart */
async function sharesOf(wall: Page, width: number, height: number) {
  await wall.setViewportSize({ width, height })
  return wall.evaluate(() => {
    const root = document.documentElement
    const [figure, text, chart] = ['main svg', 'main svg text', 'figure svg'].map(
      (of) => document.querySelector<SVGGraphicsElement>(of)?.getBoundingClientRect() ?? new DOMRect(),
    ) as [DOMRect, DOMRect, DOMRect]
    const edges = [text.left >= 0, text.right <= innerWidth]
    return {
      page: [root.scrollWidth, root.scrollHeight],
      isWhole: edges.every(Boolean),
      figure: figure.height / innerHeight,
      digits:
        ((document.querySelector<SVGSVGElement>('main svg')?.getScreenCTM()?.a ?? 0) * 74) / innerHeight,
      chart: chart.height / innerHeight,
    }
  })
}

const DISPLAYS: [width: number, height: number][] = [
  [1280, 800],
  [1920, 1080],
  [2560, 1080],
  [1080, 1920],
]
test.each(aPartOf(DISPLAYS, ([width]) => width === 1280))(
  'a display on a wall of %i x %i px is read at five metres, and all of it fits (7, WCAG 1.4.10)',
  async (...size) => {
    const [width, height] = size
    const [, wall] = await makeLink(`Wall ${width} ${height}`)
    const viewer = await openViewer(wall)
    await isLive(viewer)
    await viewer.locator('figure').waitFor()
    const shares = await sharesOf(viewer, width, height)
    expect(shares).toMatchObject({ page: [width, height], isWhole: true })
    // In portrait the width of the display is the limit.
    expect(shares.digits).toBeGreaterThan(width > height ? 0.33 : 0.27)
    expect(shares.chart).toBeGreaterThan(0.15)
    const controls = viewer.locator(':is(a, button, input, select, [tabindex]):visible')
    expect(await controls.count()).toBe(0)
    expect(await viewer.getByRole('heading', { name: /^Wall/ }).isVisible()).toBe(true)
    await viewer.getByText('At most', { exact: false }).first().waitFor()
  },
)

wholeTest('a watch page on paper has its name and its date', async () => {
  const [address] = await makeLink('Paper')
  const viewer = await openViewer(address)
  await isLive(viewer)
  await viewer.emulateMedia({ media: 'print' })
  const shown = viewer.locator('h1, h1 + p')
  const date = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  const texts = await shown.evaluateAll((parts) =>
    parts.filter((part) => part.getBoundingClientRect().height > 10).map(({ textContent }) => textContent),
  )
  expect(texts).toEqual(['Paper', expect.stringContaining(date)])
})
