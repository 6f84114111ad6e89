// The chart of the month in a real browser, on days of a month.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { sidewaysFaults, textFaults } from './_layout-faults.ts'
import { askItself, choose, signInByKey } from '../kit/page.ts'

const DAY_MS = 86_400_000
const RESETS = { earliest: Date.UTC(2026, 10, 30, 10), latest: Date.UTC(2026, 11, 1, 12) }

let url: string
let browser: Awaited<ReturnType<typeof openBrowser>>
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
let known: { month: object }

beforeAll(async () => {
  const app = await openApp()
  url = app.url
  browser = await openBrowser()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await signInByKey(page, (await app.sandboxState()).api_keys[0]?.value ?? '')
  cookies = await context.cookies()
  known = await page.evaluate(async () => (await fetch('/bff/quota', { headers: { 'X-CSRF': '1' } })).json())
  await context.close()
})

/** Runs in the page: it is this time, by its own clock and by the server's. */
function setClock(nowMs: number): void {
  const aheadMs = nowMs - Date.now()
  const { now } = Date
  Date.now = () => now() + aheadMs
  const { get } = Headers.prototype
  Headers.prototype.get = function (name) {
    return name === 'Date' ? new Date(Date.now()).toUTCString() : get.call(this, name)
  }
}

interface Moment {
  nowMs: number
  /** The organization's count; absent without a reading. */
  used?: number
  forecast?: object
}

/** A page whose server has these counts. */
async function openAt({ nowMs, used, forecast }: Moment): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
  await context.addCookies(cookies)
  await context.addInitScript(setClock, nowMs)
  const month = {
    ...known.month,
    resets_in_ms: { earliest: RESETS.earliest - nowMs, latest: RESETS.latest - nowMs },
    ...(used !== undefined && { organization: { low: used, high: used, reading_age_ms: 1000 }, forecast }),
  }
  const read_at = new Date(nowMs - 1000).toISOString()
  const readings = used === undefined ? [] : [{ id: 'a', count: used, read_at, by: 'you' }]
  const answers: Record<string, object> = {
    quota: { ...known, version: 1e9, month },
    'ledger/days': { days: [], readings },
    readings: { readings, plan_page: `${url}/plan` },
  }
  await askItself(context)
  for (const [path, json] of Object.entries(answers))
    await context.route(`**/bff/${path}`, (route) => route.fulfill({ json }))
  await context.route('**/bff/events', (route) => route.abort())
  return context.newPage()
}

const figure = (page: Page) => page.locator('figure')

async function draw(page: Page, path: string, language: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await choose(page.context(), url, { language })
  await page.goto(url + path)
  await figure(page).waitFor()
  await figure(page)
    .getByText(language === 'ja' ? '均等ペース' : 'even pace')
    .first()
    .waitFor()
}

const at = (day: number, hour = 9): number => Date.UTC(2026, 10, day, hour)
const UNDER = { state: 'under', early: false, difference: 30 }

const MOMENTS: [day: number, name: string, moment: Omit<Moment, 'nowMs'>][] = [
  [1, 'without a reading', {}],
  [1, 'with a reading', { used: 2, forecast: { ...UNDER, early: true } }],
  [15, 'without a reading', {}],
  [15, 'on track', { used: 40, forecast: UNDER }],
  [
    15,
    'running out',
    { used: 80, forecast: { state: 'runs_out', early: false, runs_out_in_ms: 2 * DAY_MS } },
  ],
  [30, 'on track', { used: 60, forecast: UNDER }],
  [30, 'used up', { used: 100, forecast: { state: 'used_up', early: false } }],
]
test.each(aPartOf(MOMENTS, ([, name]) => /running out/.test(name)))(
  'on day %i, %s, no label of the chart lies on another (D8, WCAG 1.4.10)',
  async (day, _, moment) => {
    const page = await openAt({ nowMs: at(day), ...moment })
    const faults: string[] = []
    for (const path of ['/', '/ledger'])
      for (const [language, width] of [
        ['en', 320],
        ['ja', 1280],
      ] as const) {
        await draw(page, path, language, width)
        const found = [...(await sidewaysFaults(page, [width])), ...(await textFaults(page, [width]))]
        faults.push(...found.map((fault) => `${path} in ${language}: ${fault}`))
      }
    expect(faults).toEqual([])
    await page.context().close()
  },
)
