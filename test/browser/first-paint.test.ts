// The page before any script runs: what it shows and loads, and that nothing moves when the script takes
// over.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { openAccountMenu, signOut } from '../kit/page.ts'

const PHONE = { width: 412, height: 823 }
const MODULES = /\/assets\/(?!start-)[^/]*\.js$/
let running: AppProcess
let newContext: (locale?: string) => Promise<BrowserContext>

beforeAll(async () => {
  running = await openApp()
  const browser = await openBrowser()
  newContext = (locale = 'en-GB') => browser.newContext({ locale, viewport: PHONE })
})

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

const signIn = async (page: Page): Promise<void> => {
  await page.goto(running.url)
  await page.locator('summary').last().click()
  await page.locator('#api-key').fill(running.sandboxState().api_keys[0]?.value ?? '')
  await page.locator('#api-key').press('Enter')
  await page.getByRole('meter').first().waitFor()
}

test.each([
  ['en-GB', 'Sign in · Plimsoll', 'Sign in · 1–2 requests'],
  ['ja-JP', 'サインイン · Plimsoll', /サインイン.*1～2リクエスト/],
])('the sign-in page is there before any script, in %s (D9)', async (locale, title, button) => {
  const context = await newContext(locale)
  const page = await context.newPage()
  const seen = await watch(page)
  await page.route(MODULES, (route) => route.abort())
  await page.goto(running.url)
  expect(await page.getByRole('heading', { level: 1, name: 'Plimsoll' }).isVisible()).toBe(true)
  expect(await page.locator('#organization-id').isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: /Harbour Rope Works/ }).isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: button }).first().isVisible()).toBe(true)
  expect(await page.title()).toBe(title)
  expect((await seen()).refused).toEqual([])
  await context.close()
})

test('without scripts a card is in place of the page, which would do nothing, in each language (D9)', async () => {
  for (const [locale, words] of [
    ['en-GB', 'Plimsoll\nPlimsoll needs JavaScript\nAllow it for this address, then reload the page.'],
    [
      'ja-JP',
      'Plimsoll\nPlimsollにはJavaScriptが必要です\nこのアドレスで許可してから、ページを読み込み直してください。',
    ],
  ] as const) {
    const context = await launchOff(locale)
    const page = await context.newPage()
    for (const place of ['/', '/guide', '/organizations/1001', '/callback?code=c&state=s', '/nothing']) {
      await page.goto(running.url + place)
      expect((await page.locator('body').innerText()).replaceAll(/\n+/g, '\n').trim()).toBe(words)
    }
    // A browser whose session began with scripts gets another document.
    const signedIn = await newContext(locale)
    await signIn(await signedIn.newPage())
    await context.addCookies(await signedIn.cookies())
    await signedIn.close()
    for (const place of ['/', '/ledger']) {
      await page.goto(running.url + place)
      expect((await page.locator('body').innerText()).replaceAll(/\n+/g, '\n').trim()).toBe(words)
    }
    expect(await isCard(page)).toEqual({ border: '1px', isCentred: true })
    await context.close()
  }
})

/** The card has the styles of the page, in the middle of the window. */
const isCard = (page: Page) =>
  page
    .getByRole('heading', { level: 2 })
    .locator('..')
    .evaluate((card) => {
      const { left, right } = card.getBoundingClientRect()
      return {
        border: getComputedStyle(card).borderTopWidth,
        isCentred: Math.abs(left + right - document.documentElement.clientWidth) < 2,
      }
    })

async function launchOff(locale: string): Promise<BrowserContext> {
  const context = await newContext(locale)
  const browser = context.browser()
  await context.close()
  if (!browser) throw new Error('The browser is closed.')
  return browser.newContext({ locale, javaScriptEnabled: false })
}

test('nothing moves when the script takes over, and it loads nothing of signed-in pages (D8)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  const seen = await watch(page)
  const loaded: string[] = []
  const encodings = new Set<string | undefined>()
  page.on('response', (response) => {
    loaded.push(new URL(response.url()).pathname)
    if (response.url().endsWith('.js')) encodings.add(response.headers()['content-encoding'])
  })
  const response = await page.goto(running.url)
  expect(response?.headers()['content-encoding']).toBe('br')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['shown'])).toBe('now')
  // Headless Chromium shows no icon, and loads none.
  const parts = () =>
    loaded
      .filter((path) => path !== '/favicon.svg')
      .map((path) => path.replace(/-[\w-]{8}\.js$/, ''))
      .toSorted()
  const first = [
    '/',
    '/assets/first',
    '/assets/rolldown-runtime',
    '/assets/shared',
    '/assets/start',
    '/bff/session',
  ]
  await expect.poll(parts).toEqual(first)
  expect([...encodings]).toEqual(['br'])
  const { refused, moved } = await seen()
  expect(parts()).toEqual(first)
  expect(refused).toEqual([])
  expect(moved).toBeLessThanOrEqual(0.02)
  await context.close()
})

/** Holds requests. @returns a function that lets them pass */
async function hold(page: Page, requests: RegExp): Promise<() => void> {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(requests, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** @returns a function that lets the script load */
async function openHeld(page: Page): Promise<() => void> {
  const release = await hold(page, MODULES)
  await page.goto(running.url, { waitUntil: 'commit' })
  return release
}

test('text that is typed before the script is there stays, with the focus (D3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  const release = await openHeld(page)
  const field = page.locator('#organization-id')
  await field.fill('2002')
  release()
  await page.getByText('organization 2002', { exact: true }).waitFor()
  expect(await field.inputValue()).toBe('2002')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await context.close()
})

test('a press before the script is there signs in with the typed id, once (D3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
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
  await context.close()
})

test('a theme and a language that are chosen before the script is there stay chosen (D3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  const release = await openHeld(page)
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('Language').selectOption('ja')
  release()
  await page.getByText('組織IDはどこにありますか').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await context.close()
})

test('a part that is unfolded before the script is there stays unfolded, with the focus (WCAG 2.4.3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  const release = await openHeld(page)
  const more = page.getByText('Use an API key instead')
  await more.focus()
  await page.keyboard.press('Enter')
  release()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['shown'])).toBe('now')
  expect(await page.getByLabel('API key', { exact: true }).isVisible()).toBe(true)
  expect(await more.evaluate((element) => element === document.activeElement)).toBe(true)
  await context.close()
})

test('the menus work before the script, and an open one stays open with what was chosen (WCAG 2.4.3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await signIn(page)
  const release = await openHeld(page)
  await openAccountMenu(page)
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByRole('link', { name: 'How limits are counted' }).focus()
  release()
  await page.locator('html[data-shown=now]').waitFor({ state: 'attached' })
  expect(await page.locator('#account-menu').isVisible()).toBe(true)
  expect(await page.locator(':focus').textContent()).toBe('How limits are counted')
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  // The page is held again, and its links lead on without it.
  const releaseAgain = await openHeld(page)
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Your sessions' }).click()
  await page.waitForURL(`${running.url}/sessions`, { waitUntil: 'commit' })
  releaseAgain()
  await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor()
  await context.close()
})

test('a sign-out that is pressed before the script is there happens, once (ASVS 7.4.4)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await signIn(page)
  const ends: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && ends.push(request.url()))
  const release = await openHeld(page)
  await signOut(page)
  release()
  await page.getByText('You are signed out').waitFor()
  expect(ends).toHaveLength(1)
  await context.close()
})

test('a signed-in person sees the month before any script, and nothing moves when it comes (8.3, D8)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await signIn(page)
  const seen = await watch(page)
  await page.route(MODULES, (route) => route.abort())
  await page.reload({ waitUntil: 'commit' })
  await page.getByText(/^of 100 requests left/).waitFor()
  await page.getByText(/this app \d/).waitFor()
  expect(await page.getByText(/· resets .*, in/).isVisible()).toBe(false)
  const own = page.locator('[role=meter] > span').first()
  expect((await own.boundingBox())?.width).toBeGreaterThan(0)
  expect((await seen()).refused).toEqual([])
  await page.unrouteAll()
  // The part below the record is seen only at the end of the page, and the browser returns there.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.reload()
  await page.getByText(/· resets .*, in/).waitFor()
  await page.getByText('Ada Lindqvist').first().waitFor()
  const { refused, moved } = await seen()
  expect(refused).toEqual([])
  expect(moved).toBeLessThanOrEqual(0.02)
  await context.close()
})

test.each([
  ['the record', /\/api\/organizations/],
  ['the quota', /\/bff\/quota$/],
])('nothing moves at the end of the page when %s arrives last (D8)', async (_, late) => {
  const context = await newContext()
  const page = await context.newPage()
  await signIn(page)
  await page.getByText('Ada Lindqvist').first().waitFor()
  const seen = await watch(page)
  const release = await hold(page, late)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.reload({ waitUntil: 'commit' })
  await page.locator('html[data-shown=now]').waitFor({ state: 'attached' })
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
  expect((await seen()).moved).toBeLessThanOrEqual(0.02)
  await context.close()
})

test('when the session has ended elsewhere, the page from the server has no number of it (ASVS 3.4.3)', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await signIn(page)
  const cookies = await context.cookies()
  await signOut(page)
  await page.getByRole('heading', { level: 1, name: 'Plimsoll' }).waitFor()
  await context.addCookies(cookies)
  await page.route(MODULES, (route) => route.abort())
  await page.goto(running.url, { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'This month' }).waitFor()
  expect(await page.getByText(/^of 100 requests left/).isVisible()).toBe(false)
  await context.close()
})

test('a callback by POST shows how to begin again, and uses up neither code nor state (RFC 9700 4.12)', async () => {
  const context = await newContext('ja-JP')
  const page = await context.newPage()
  await page.setContent(
    `<form method="post" action="${running.url}/callback?code=c&state=s"><button>go</button></form>`,
  )
  await page.getByRole('button').click()
  await page.getByText('POSTが使われました').waitFor()
  expect(await page.locator('script').count()).toBe(0)
  await page.getByRole('link', { name: '最初のページへ' }).click()
  await page.locator('#organization-id').waitFor()
  await context.close()
})
