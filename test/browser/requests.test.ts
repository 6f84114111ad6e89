// The cost of a real browser, by the service's own log (8.3).
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { IS_WHOLE } from '../_extent.ts'
import { wholeTest } from '../_whole.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { control, requestLog } from '../kit/control.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { isLive, signInAtService } from '../kit/page.ts'

const [TABS, CHANGES] = IS_WHOLE ? [10, 50] : [4, 10]
const HOURS = IS_WHOLE ? 24 : 3
const HOUR_MS = 3_600_000
/** Sets the clock of app and sandbox: SIGWINCH moves it an hour, SIGURG stops it and starts it again. */
const WITH_A_CLOCK = [
  'const real = Date.now',
  'let aheadMs = 0, stoppedMs',
  'Date.now = () => stoppedMs ?? real() + aheadMs',
  `process.on('SIGWINCH', () => { aheadMs += ${HOUR_MS} })`,
  `process.on('SIGURG', () => { stoppedMs = stoppedMs === undefined ? Date.now() : undefined })`,
].join(';')

let running: AppProcess
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const preloaded = `--import=data:text/javascript,${encodeURIComponent(WITH_A_CLOCK)}`
  running = await openApp({ NODE_OPTIONS: preloaded })
  browser = await openBrowser()
  context = await browser.newContext()
  page = await context.newPage()
})

/** Requests of the app at the service: those that count in the month, and all. */
async function requests(): Promise<{ counted: number; all: number }> {
  const log = await requestLog(running)
  const own = log.filter(({ path }) => /^\/(organizations|rate_limit|oauth2\/token)/.test(path))
  return { counted: own.filter(({ cost }) => cost.month > 0).length, all: own.length }
}

const serviceMs = async (): Promise<number> =>
  ((await control(running, '/clock')) as { now_ms: number }).now_ms

/** @param least waits until the service has that many requests of the work */
async function costOf(work: () => Promise<unknown>, least = 0): Promise<number> {
  const before = await requests()
  const cost = async () => (await requests()).all - before.all
  await work()
  await expect.poll(cost).toBeGreaterThanOrEqual(least)
  // Late requests have been sent by then.
  await wait(300)
  return cost()
}

const isShown = (tab: Page) => tab.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
async function openTab(): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(running.url)
  await isShown(tab)
  return tab
}
const refresh = (tab: Page) => tab.getByRole('button', { name: /^Refresh/ })

test('sign-in and first screen cost one request (8.3)', async () => {
  await page.goto(running.url)
  await signInAtService(page, 'Ada')
  // The other of the two is the exchange of the code, which by default counts in no month.
  expect(await requests()).toEqual({ counted: 1, all: 2 })
})

test('a reload, many tabs, changes of focus and 5 times offline cost none (8.3)', async () => {
  const tabs = [page]
  expect(await costOf(() => page.reload().then(() => isShown(page)))).toBe(0)
  const open = async () => {
    while (tabs.length < TABS) tabs.push(await openTab())
  }
  expect(await costOf(open)).toBe(0)
  const changeFocus = async () => {
    for (let nth = 0; nth < CHANGES; nth += 1) {
      const tab = tabs[nth % 2] as Page
      await tab.bringToFront()
      await tab.evaluate(() => {
        dispatchEvent(new Event('focus'))
        document.dispatchEvent(new Event('visibilitychange'))
      })
    }
  }
  expect(await costOf(changeFocus)).toBe(0)
  const goOffline = async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      await context.setOffline(true)
      await context.setOffline(false)
    }
    await isShown(page)
  }
  expect(await costOf(goOffline)).toBe(0)
  // All at the same moment: none leaves before the last is pressed, and the app's clock stands still.
  const pressAll = async () => {
    running.child().kill('SIGURG')
    const held: Route[] = []
    await context.route('**/api/organizations/*', (route) => void held.push(route))
    for (const tab of tabs) await refresh(tab).dispatchEvent('click')
    await expect.poll(() => held.length).toBe(tabs.length)
    const answered = tabs.map((tab) => tab.waitForResponse('**/api/organizations/*'))
    await Promise.all(held.map((route) => route.continue()))
    await Promise.all(answered)
    await context.unroute('**/api/organizations/*')
    running.child().kill('SIGURG')
  }
  expect(await costOf(pressAll, 1)).toBe(1)
  for (const tab of tabs.slice(1)) await tab.close()
})

test('offline, a page that is not loaded yet says so, leads back, and opens later for free (8.3, D3)', async () => {
  const cost = await costOf(async () => {
    const tab = await openTab()
    await context.setOffline(true)
    const open = async () => {
      await tab.getByRole('link', { name: 'Ledger' }).click()
      await tab.getByText('Plimsoll itself cannot be reached').waitFor()
    }
    await open()
    await tab.getByRole('link', { name: 'Go to the start page' }).click()
    await isShown(tab)
    await open()
    await context.setOffline(false)
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('heading', { name: 'Ledger' }).waitFor()
    await tab.close()
  })
  expect(cost).toBe(0)
})

test('the ledger, the sessions, the findings and a reading cost none (8.3)', async () => {
  const openAll = async () => {
    for (const path of ['/ledger', '/months', '/sessions', '/learnt', '/']) {
      await page.goto(running.url + path)
      await page.getByRole('heading').first().waitFor()
    }
    await isShown(page)
    await page.getByLabel('Requests used so far').fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: 2 used so far.').waitFor()
  }
  expect(await costOf(openAll)).toBe(0)
})

test('a key that is held on a button presses it once (8.3)', async () => {
  const hold = async () => {
    await refresh(page).focus()
    for (let times = 0; times < 8; times += 1) {
      await page.keyboard.down('Enter')
      await wait(200)
    }
    await page.keyboard.up('Enter')
  }
  expect(await costOf(hold, 1)).toBe(1)
})

/** Moves the clock of app and service. */
async function pass(hours: number, eachHour: () => Promise<unknown> = async () => {}): Promise<void> {
  const beforeMs = await serviceMs()
  for (let hour = 1; hour <= hours; hour += 1) {
    running.child().kill('SIGWINCH')
    // If two signals arrive together, a process handles only one.
    await expect.poll(serviceMs).toBeGreaterThanOrEqual(beforeMs + hour * HOUR_MS)
    await eachHour()
  }
}

test('three idle tabs cost none in many hours, in which the access token expires (5.4, 8.3)', async () => {
  const tabs = [page, await openTab(), await openTab()]
  for (const tab of tabs) await tab.clock.install()
  for (const tab of tabs) await tab.reload().then(() => isShown(tab))
  const idle = async () => {
    await pass(HOURS, async () => {
      for (const tab of tabs) await tab.clock.fastForward(HOUR_MS)
    })
    for (const tab of tabs) await tab.clock.runFor(60_000)
  }
  expect(await costOf(idle)).toBe(0)
  await isShown(page)
  for (const tab of tabs.slice(1)) await tab.close()
})

wholeTest('a sleep of nine hours, and going back and forward, cost none (8.3)', async () => {
  const tab = await openTab()
  await tab.clock.install()
  await tab.reload().then(() => isShown(tab))
  const sleep = async () => {
    await pass(9)
    // The timers of a computer that sleeps run late, all at once.
    await tab.clock.fastForward(9 * HOUR_MS)
    await tab.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'))
      for (const name of ['focus', 'online']) dispatchEvent(new Event(name))
    })
    await tab.clock.runFor(60_000)
    await isLive(tab)
  }
  expect(await costOf(sleep)).toBe(0)
  const goBack = async () => {
    await tab.getByRole('link', { name: 'Ledger', exact: true }).click()
    await tab.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    await tab.goBack()
    await isShown(tab)
    await tab.goto(`${running.url}/sessions`)
    await tab.goBack()
    await isShown(tab)
    await tab.goForward()
    await tab.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
  }
  expect(await costOf(goBack)).toBe(0)
  await tab.close()
})

test('a press while the service always answers 429 costs one request at most (8.4)', async () => {
  const tab = await openTab()
  // The press after hours also refreshes the access token.
  expect(await costOf(() => refresh(tab).click(), 2)).toBe(2)
  await control(running, '/faults', { operation: 'any', kind: 'status', status: 429, times: 1000 })
  // Within a second a press shares the answer of the earlier one.
  await wait(1100)
  expect(await costOf(() => refresh(tab).click(), 1)).toBe(1)
  // The page does not try again by itself either.
  expect(await costOf(() => wait(2000))).toBe(0)
})
