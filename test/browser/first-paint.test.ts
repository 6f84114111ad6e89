// The page before any script runs: what it shows and loads, and that nothing moves and nobody complains when
// the script takes over.
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { wholeTest } from '../_whole.ts'
import { IS_FIREFOX } from '../kit/browser.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import type { Manifest } from '../../src/serve/http/documents.ts'
import { MODULES, paintFaults } from './_layout-faults.ts'
import { hearComplaints, hold, openAccountMenu, signInByKey, signOut } from '../kit/page.ts'

const PHONE = { width: 412, height: 823 }
let running: AppProcess
let browser: Browser

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
})

async function openPage(options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: PHONE, ...options })
  onTestFinished(() => context.close())
  return context.newPage()
}

/** The policy violations, and the distance that things moved without a press. */
async function watch(page: Page): Promise<() => Promise<{ refused: string[]; moved: number }>> {
  await page.addInitScript(() => {
    const seen = { refused: [] as string[], moved: 0 }
    Object.assign(globalThis, { seen })
    document.addEventListener('securitypolicyviolation', (event) =>
      seen.refused.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.moved += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => Reflect.get(globalThis, 'seen') as { refused: string[]; moved: number })
}

/** Firefox has no entries of what moved, so that nothing is compared there. */
const MOST_MOVED = IS_FIREFOX ? Infinity : 0.02

/** @returns a function that lets the script load */
async function openHeld(page: Page, path = '/'): Promise<() => void> {
  const release = await hold(page, MODULES)
  await page.goto(running.url + path, { waitUntil: 'commit' })
  return release
}

const signIn = async (page: Page): Promise<void> => {
  await page.goto(running.url)
  await signInByKey(page, (await running.sandboxState()).api_keys[0]?.value ?? '')
}

test.each([
  ['en-GB', 'Sign in · Plimsoll', 'Sign in · 1–2 requests'],
  ['ja-JP', 'サインイン · Plimsoll', /サインイン.*1～2リクエスト/],
])('the sign-in page is there before any script, in %s (D9)', async (locale, title, button) => {
  const page = await openPage({ locale })
  const seen = await watch(page)
  await openHeld(page)
  await page.getByRole('heading', { level: 1, name: 'Plimsoll' }).waitFor()
  expect(await page.locator('#organization-id').isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: /Harbour Rope Works/ }).isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: button }).first().isVisible()).toBe(true)
  expect(await page.title()).toBe(title)
  expect((await seen()).refused).toEqual([])
})

wholeTest(
  'without scripts a notice is in place of the page, which would do nothing, also of a session (D9)',
  async () => {
    const signedIn = await openPage()
    await signIn(signedIn)
    const page = await openPage({ javaScriptEnabled: false })
    for (const place of [
      '/',
      '/guide',
      '/organizations/1001',
      '/callback?code=c&state=s',
      '/nothing',
      '/ledger',
    ]) {
      // A browser whose session began with scripts gets another document.
      if (place === '/ledger') await page.context().addCookies(await signedIn.context().cookies())
      await page.goto(running.url + place)
      expect((await page.locator('body').innerText()).replaceAll(/\n+/g, '\n').trim()).toBe(
        'Plimsoll needs JavaScript\nAllow it for this address, then reload the page.',
      )
    }
    // It is in the middle of the window, as the page styles it.
    const main = page.locator('noscript main')
    expect(
      await main.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect()
        return Math.abs(left + right - document.documentElement.clientWidth) < 2
      }),
    ).toBe(true)
  },
)

test('nothing moves when the script takes over, and it loads nothing of signed-in pages (D8)', async () => {
  const page = await openPage()
  const seen = await watch(page)
  const loaded: string[] = []
  const encodings = new Set<string | undefined>()
  page.on('response', (response) => {
    loaded.push(new URL(response.url()).pathname)
    if (response.url().includes('/assets/')) encodings.add(response.headers()['content-encoding'])
  })
  const response = await page.goto(running.url)
  expect(response?.headers()['content-encoding']).toBe('br')
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  // Headless Chromium shows no icon, and loads none.
  const parts = () =>
    loaded
      .filter((path) => path !== '/favicon.svg')
      .map((path) => path.replace(/-[\w-]{8}\.js$/, ''))
      .toSorted()
  const first = ['/', '/assets/first', '/assets/first', '/assets/rolldown-runtime', '/early.js']
  await expect.poll(parts).toEqual(first)
  expect([...encodings]).toEqual(['br'])
  const { refused, moved } = await seen()
  expect(parts()).toEqual(first)
  expect(refused).toEqual([])
  expect(moved).toBeLessThanOrEqual(MOST_MOVED)
})

test('a press before the script is there signs in with the typed id, once (D3)', async () => {
  const page = await openPage()
  let starts = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/bff/login')) starts += 1
  })
  const release = await openHeld(page)
  await page.locator('#organization-id').fill('2002')
  const button = page.getByRole('button', { name: 'Sign in · 1–2 requests' }).first()
  await button.click()
  await button.click()
  release()
  await page.getByRole('button', { name: /Cleo/ }).waitFor()
  expect(starts).toBe(1)
  expect(page.url()).toContain('organization_id=2002')
})

wholeTest(
  'the menus work before the script, and an open one stays open with what was chosen (WCAG 2.4.3)',
  async () => {
    const page = await openPage()
    await signIn(page)
    const release = await openHeld(page)
    await openAccountMenu(page)
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByRole('link', { name: 'Share what is left' }).focus()
    release()
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    expect(await page.locator('#account-menu').isVisible()).toBe(true)
    expect(await page.locator(':focus').textContent()).toBe('Share what is left')
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    // The page is held again, and its links lead on without it.
    const releaseAgain = await openHeld(page)
    await openAccountMenu(page)
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.waitForURL(`${running.url}/sessions`, { waitUntil: 'commit' })
    releaseAgain()
    await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
  },
)

test('a sign-out that is pressed before the script is there happens, once (ASVS 7.4.4)', async () => {
  const page = await openPage()
  await signIn(page)
  const ends: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && ends.push(request.url()))
  const release = await openHeld(page)
  await signOut(page)
  release()
  await page.getByText('You are signed out').waitFor()
  expect(ends).toHaveLength(1)
})

test('a signed-in person sees the month before any script, and nothing moves when it comes (8.3, D8)', async () => {
  const page = await openPage()
  await signIn(page)
  const seen = await watch(page)
  await openHeld(page)
  await page.getByText(/^of 100 requests left/).waitFor()
  await page.getByText(/this app \d/).waitFor()
  // The cookie of choices has the zone of this browser.
  expect(await page.getByText(/· resets .*, in/).isVisible()).toBe(true)
  const own = page.locator('[role=meter] rect').last()
  expect((await own.boundingBox())?.width).toBeGreaterThan(0)
  expect((await seen()).refused).toEqual([])
  await page.unrouteAll()
  expect(await paintFaults(page, running.url)).toEqual([])
  // The part below the record is seen only at the end of the page, and the browser returns there.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.reload()
  await page.getByText(/· resets .*, in/).waitFor()
  await page.getByText('Ada Lindqvist').first().waitFor()
  const { refused, moved } = await seen()
  expect(refused).toEqual([])
  expect(moved).toBeLessThanOrEqual(MOST_MOVED)
})

const LATE: [string, RegExp][] = [
  ['the record', /\/api\/organizations/],
  ['the chart', /\/assets\/month-chart-/],
]
test.each(IS_FIREFOX ? [] : aPartOf(LATE, ([what]) => what === 'the chart'))(
  'nothing moves at the end of the page when %s arrives last (D8)',
  async (_, late) => {
    const page = await openPage()
    await signIn(page)
    await page.getByText('Ada Lindqvist').first().waitFor()
    const seen = await watch(page)
    const release = await hold(page, late)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.reload({ waitUntil: 'commit' })
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(async () => {
      scrollTo(0, document.body.scrollHeight)
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    })
    release()
    await page.getByText(/· resets .*, in/).waitFor()
    await page.getByText('Ada Lindqvist').first().waitFor()
    await page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    })
    expect((await seen()).moved).toBeLessThanOrEqual(MOST_MOVED)
  },
)

test('when the session has ended elsewhere, the page from the server has no number of it (ASVS 3.4.3)', async () => {
  const page = await openPage()
  await signIn(page)
  const cookies = await page.context().cookies()
  await signOut(page)
  await page.getByRole('heading', { level: 1, name: 'Plimsoll' }).waitFor()
  await page.context().addCookies(cookies)
  await openHeld(page)
  await page.getByText('Opening Plimsoll…').waitFor()
  expect(await page.locator('html').innerHTML()).not.toMatch(/of 100 requests left|"quota"/)
})

test.each(aPartOf(['en-GB', 'ja-JP'], (locale) => locale === 'ja-JP'))(
  'the page takes over each element that the server drew, in %s, and no engine complains (D8, CSP 3 8.2)',
  async (locale) => {
    const page = await openPage({ locale, reducedMotion: 'reduce', timezoneId: 'Pacific/Honolulu' })
    const complaints: string[] = []
    hearComplaints(page.context(), complaints)
    const open = async (path: string) => {
      const release = await openHeld(page, path)
      const before = await page.locator('#root :is(h1, h2, button)').elementHandles()
      release()
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      const left = await Promise.all(before.map((one) => one.evaluate((element) => element.isConnected)))
      return [left.length > 3, left.every(Boolean)]
    }
    expect(await open('/')).toEqual([true, true])
    await page
      .getByText(locale === 'en-GB' ? 'Use an API key instead' : 'APIキー')
      .first()
      .click()
    await page.locator('#api-key').fill((await running.sandboxState()).api_keys[0]?.value ?? '')
    await page.locator('#api-key').press('Enter')
    await page.getByText('Ada Lindqvist').first().waitFor()
    for (const path of ['/', '/organizations/2002']) expect(await open(path)).toEqual([true, true])
    expect(complaints).toEqual([])
  },
)

const manifest = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')) as Manifest

const NOT_LOADED: [what: string, key: RegExp, status?: number][] = [
  ['the words', /ja\/first\.ts/],
  ['the script', /^_first-.*js/],
  ['the script of an older build', /^_first-.*js/, 404],
  ['a part of the script', /^_rolldown-runtime/],
]
test.each(aPartOf(NOT_LOADED, ([what]) => what !== 'the script'))(
  'if %s cannot be loaded, a notice with a reload is in place of a page that does nothing (D3)',
  async (_, key, status) => {
    const page = await openPage({ locale: 'ja-JP' })
    const file = `**/${manifest[Object.keys(manifest).find((one) => key.test(one)) ?? '']?.file}`
    await page.route(file, (route) => (status ? route.fulfill({ status }) : route.abort()))
    await page.goto(running.url)
    const notice = page.getByRole('main')
    await notice.getByRole('heading', { name: 'Plimsollを読み込めませんでした' }).waitFor()
    expect(await notice.getByRole('alert').count()).toBe(1)
    expect(await page.locator('#organization-id').count()).toBe(0)
    await page.unroute(file)
    await notice.getByRole('button', { name: '再読み込み' }).click()
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    expect(await page.locator('#organization-id').isVisible()).toBe(true)
  },
)

test('a press whose file was out of reach offers a reload, if the browser does not ask for it again (D3)', async () => {
  const page = await openPage()
  await page.goto(running.url)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.locator('#organization-id').fill('1001')
  const press = () => page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.context().setOffline(true)
  await press()
  await page.getByRole('heading', { name: 'Plimsoll itself cannot be reached' }).waitFor()
  await page.context().setOffline(false)
  await press()
  const reload = page.getByRole('button', { name: 'Reload' })
  const service = `${running.sandboxUrl}/oauth2/login?*`
  await Promise.any([reload.waitFor(), page.waitForURL(service)])
  if (await reload.isVisible()) {
    await reload.click()
    await page.locator('#organization-id').fill('1001')
    await press()
  }
  await page.waitForURL(service)
  expect(new URL(page.url()).searchParams.get('organization_id')).toBe('1001')
})
