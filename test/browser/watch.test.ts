// Watch links in real browsers: a person makes one, and others look without a session, also from a wall.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
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

/** A browser that has never been here. */
async function openViewer(address: string, locale = 'en-GB'): Promise<Page> {
  const context = await (await openBrowser()).newContext({ locale })
  onTestFinished(() => context.close())
  const viewer = await context.newPage()
  await viewer.goto(address)
  return viewer
}

/** A zone in which it is between 22:00 and 6:00 for the next hours. The sign of these names is reversed. */
function nightZone(): string {
  const ahead = (23 - new Date().getUTCHours() + 24) % 24
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`
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
  await press(page, 'Withdraw')
  await press(page, 'Yes, withdraw it')
  await page.getByText('The link “Kitchen” opens nothing any more.').waitFor()
  for (const one of [viewer, other]) await one.getByText('This link shows nothing').waitFor({ timeout: 5000 })
  await viewer.goto(address)
  await viewer.getByText('It was withdrawn or has ended.', { exact: false }).waitFor()
})

test('the secret stays in the address until its cookie is there, and a page says why it shows nothing', async () => {
  const [address] = await makeLink('Stairs')
  const viewer = await openViewer('about:blank')
  await viewer.route('**/watch/session/*', (route) => route.abort())
  await viewer.goto(address)
  await viewer.getByText('Plimsoll itself cannot be reached').waitFor()
  expect(viewer.url()).toBe(address)
  await viewer.unroute('**/watch/session/*')
  await viewer.reload()
  await isLive(viewer)
  const refusing = await openViewer('about:blank')
  // Without credentials a browser neither sends nor keeps a cookie.
  await refusing.addInitScript(() => {
    const ask = globalThis.fetch
    globalThis.fetch = (address, options) => ask(address, { ...options, credentials: 'omit' })
  })
  await refusing.goto(address)
  await refusing.getByText('The browser refused its cookie.', { exact: false }).waitFor()
  expect(refusing.url()).toBe(address)
  // Copied from the address bar, at the end of a sentence.
  const other = await openViewer(`${viewer.url()}.`)
  await other.getByText('Its end, from # on, is missing.', { exact: false }).waitFor()
  // Then the whole link over it, which at this address changes the fragment alone.
  await other.goto(viewer.url())
  await other.getByText('Its end, from # on, is missing.', { exact: false }).waitFor()
  await other.evaluate((whole) => location.assign(whole), address)
  await isLive(other)
  // As a mail program sends it on.
  const third = await openViewer(`${address.replace('#', '%23')})`)
  await isLive(third)
  expect([other.url(), third.url()]).toEqual([viewer.url(), viewer.url()])
  expect(app.output()).not.toContain(address.split('#')[1])
})

test('a display on a wall has no controls, fits, and dims at night (WCAG 1.4.10)', async () => {
  const [, wall] = await makeLink('Wall')
  const viewer = await openViewer(wall)
  await isLive(viewer)
  expect(await viewer.getByRole('slider').count()).toBe(0)
  await viewer.locator('footer').waitFor({ state: 'hidden' })
  for (const [width, height] of [
    [1920, 1080],
    [1280, 720],
    [3840, 2160],
  ] as const) {
    await viewer.setViewportSize({ width, height })
    const size = await viewer.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ])
    expect(size).toEqual([width, height])
  }
  await app.killAndRestart()
  await viewer.locator('[data-live=not_live]').waitFor()
  await isLive(viewer)
  // Somewhere it is eleven in the evening.
  const night = await (await openBrowser()).newContext({ timezoneId: nightZone() })
  onTestFinished(() => night.close())
  const dark = await night.newPage()
  await dark.goto(wall)
  await dark.locator('html[data-wall=night]').waitFor()
})
