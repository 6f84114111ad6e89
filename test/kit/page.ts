// An app, and a page in English of a person who has signed in to it by key.
import { openApp, openBrowser } from './cleanup.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { choicesCookieName } from '../../src/contract/cookie-name.ts'
import type { AppProcess } from './app-process.ts'

/** A text of the organization's data; its name is on the sign-in page too. */
export const DATA = '3 East Quay'
/** The user agent of a browser in which no test runs. */
export const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/19.0 Safari/605.1.15'

/** `url` is that of the app. */
export async function openSignedIn() {
  const app = await openApp()
  return { page: await signInNew(app, await openBrowser()), url: app.url, app }
}

/** Signs in with the sandbox's key, in a new context of the browser. */
export async function signInNew(app: AppProcess, browser: Browser, userAgent?: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...(userAgent && { userAgent }) })
  const page = await context.newPage()
  await page.goto(app.url)
  await signInByKey(page, (await app.sandboxState()).api_keys[0]?.value ?? '')
  return page
}

/** @throws Error with the address and the text of the page, if the button cannot be pressed there */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  try {
    await page.getByRole('button', { name }).first().click()
  } catch (cause) {
    const text = await page.locator('body').innerText({ timeout: 5000 }).catch(String)
    throw new Error(`${name} cannot be pressed at ${page.url()}: ${text.slice(0, 500)}`, { cause })
  }
}

/** With the links of the side pages, the preferences and the sign-out. */
export const openAccountMenu = (page: Page): Promise<void> => page.locator('#account-button').click()

/** In the account menu. */
export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}

/** @returns when the page gets the changes of others */
export const isLive = (page: Page): Promise<void> => page.locator('[data-live=live]').waitFor()

/** Chooses a language, also in a closed menu or under a dialog. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.locator('select:has([lang])').selectOption(language, { force: true })
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
}

/** @returns when the page of the organization is complete */
export async function signInByKey(page: Page, key: string): Promise<void> {
  await page.getByText('Use an API key instead').click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: /^Sign in with the key/ }).click()
  await isShown(page)
}

/** Signs in to organization 1001 at the sandbox, by OAuth. @returns when the page of it is complete */
export async function signInAtService(page: Page, person: string): Promise<void> {
  await page.getByLabel(/organization id/i).fill('1001')
  await press(page, 'Sign in · 1–2 requests')
  await press(page, new RegExp(person))
  await press(page, 'Permit')
  await isShown(page)
}

const allFields = (page: Page) => page.getByText('All fields, as the service sent them')

/** Opens the fields of the record, or what stands for them if the record is no JSON. */
export async function openAllFields(page: Page): Promise<void> {
  await allFields(page).click()
  await page.getByRole('button', { name: 'Copy' }).waitFor()
}

/** Opens closed branches among all fields: some of each level. */
export async function openBranches(page: Page): Promise<void> {
  const closed = page.locator('section[aria-labelledby=organization] details details:not([open]) > summary')
  for (let level = 0; level < 8 && (await closed.count()) > 0; level++)
    await closed.evaluateAll((all) => {
      for (const summary of all.slice(0, 50)) (summary as HTMLElement).click()
    })
}

export async function isShown(page: Page): Promise<void> {
  await isLive(page)
  await allFields(page).waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
}

/**
 * Documents come as from a store that does not answer, so that the page asks who is signed in and for the
 * quota: a test can then change the answers.
 */
export const askItself = (at: Page | BrowserContext) =>
  at.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const html = (await response.text()).replace(/(?<=id="boot">).*?(?=<\/script>)/, (block) => {
      const { session: _, quota: __, ...boot } = JSON.parse(block) as Record<string, unknown>
      return JSON.stringify({ ...boot, isDrawn: false })
    })
    return route.fulfill({ response, body: html })
  })

/** All but the cookie of choices, which stays after a sign-out. */
export const serverCookies = async (context: BrowserContext, url: string) =>
  (await context.cookies(url)).filter(({ name }) => name !== choicesCookieName(url))

/** Writes the choices of a browser as its page does. */
export const choose = (context: BrowserContext, url: string, { language = '-', theme = '-' }) =>
  context.addCookies([
    { name: choicesCookieName(url), value: `v1.${language}.${theme}.Asia%2FTokyo.-`, url, sameSite: 'Lax' },
  ])

/** Loaded after this, the page is as if its browser were signed in to another organization too. */
export async function haveOthers(page: Page): Promise<void> {
  await askItself(page)
  await page.addInitScript(addOthers)
}

/** Runs in the page. */
function addOthers(): void {
  const ask = globalThis.fetch
  globalThis.fetch = async (address, options) => {
    const response = await ask(address, options)
    if (address !== '/bff/session' || response.status !== 200) return response
    const session = await response.json()
    const others = [{ id: 'other', method: 'oauth', organization_id: '2002' }]
    return new Response(JSON.stringify(session.signed_in ? { ...session, others } : session), response)
  }
}

/** Adds uncaught errors and violated policies of all its pages to the list. */
export function hearComplaints(context: BrowserContext, complaints: string[]): void {
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    // A refused or failed request, which a test asked for, is on the console too.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
}

/**
 * Holds requests of a page. @returns a function that lets them pass. The route stays: Chromium loses a request
 * that it stops while the last route of a page is removed.
 */
export async function hold(page: Page, requests: RegExp): Promise<() => void> {
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
