// One start of the app with its sandbox, with a clock that can be set, and people in browsers.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type AppProcess, startAppProcess } from '../../test/kit/app-process.ts'
import { isLive } from '../../test/kit/page.ts'

const PATHS = ['/organizations/1001', '/organizations', '/rate_limit']
const HEADERS = { 'X-CSRF': '1', 'X-Plimsoll-Spend': '1' }
const STANDARD_ID = 1001
const MINUTE_MS = 61_000

export class ScreenApp {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plimsoll-screens-'))
  readonly #browser: Browser
  readonly #contexts: BrowserContext[] = []
  #running: AppProcess | undefined
  #offsetMs = 0
  readonly errors: string[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** @param time of the app, the sandbox and the pages, RFC 3339 */
  async start(time: string, settings: Record<string, string> = {}): Promise<void> {
    this.at(time)
    this.#running = await startAppProcess({
      NODE_OPTIONS: `--import=${resolve('test/kit/clock-preload.mjs')}`,
      SCREENS_CLOCK: this.#clockFile,
      ...settings,
    })
  }

  async stop(): Promise<void> {
    for (const context of this.#contexts) await context.close()
    await this.#app.stop()
    rmSync(this.#folder, { recursive: true })
  }

  /** Sets the clock of app, sandbox and pages; a page takes it at its next load. */
  at(time: string): void {
    this.#setOffset(Date.parse(time) - Date.now())
  }

  /** Sets the clock of a page that stays open. */
  async setTime(page: Page): Promise<void> {
    await page.evaluate(setClock, this.#offsetMs)
  }

  nextMinute(): void {
    this.#setOffset(this.#offsetMs + MINUTE_MS)
  }

  #setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs
    // The rename makes the change atomic: the app may read the file at any moment.
    writeFileSync(`${this.#clockFile}.new`, String(offsetMs))
    renameSync(`${this.#clockFile}.new`, this.#clockFile)
  }

  /** The output of the app, for the report of a state that was not reached. */
  output(): string {
    return this.#running?.output() ?? ''
  }

  /** Signs in as this person, in a browser of its own. */
  async signIn(person: string, organization = STANDARD_ID): Promise<Page> {
    const page = await this.newBrowser()
    await this.open(page, '/')
    await page.getByLabel(/organization id/i).fill(String(organization))
    await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
    await page.getByRole('button', { name: new RegExp(person) }).click()
    await page.getByRole('button', { name: 'Permit' }).click()
    await isShown(page)
    return page
  }

  /** Signs in with the API key of an organization, in a browser of its own. */
  async signInWithKey(organization: number): Promise<Page> {
    const page = await this.newBrowser()
    await this.open(page, '/')
    await page.getByText('Use an API key instead').click()
    await page.getByLabel('API key', { exact: true }).fill(this.#keyOf(organization))
    await page.getByRole('button', { name: 'Sign in with the key' }).click()
    await isShown(page)
    return page
  }

  async newBrowser({ javaScriptEnabled = true } = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      javaScriptEnabled,
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      reducedMotion: 'reduce',
    })
    this.#contexts.push(context)
    // A headless browser blocks notifications; a person's browser would ask.
    await context.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }))
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => this.errors.push(message))
    page.on('console', (message) => {
      // A 4xx or a lost connection belongs to the state that is shown.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.errors.push(message.text())
    })
    return page
  }

  async load(page: Page, path: string): Promise<void> {
    await page.addInitScript(setClock, this.#offsetMs)
    await page.goto(this.#app.url + path, { waitUntil: 'commit' })
  }

  async open(page: Page, path: string): Promise<void> {
    await this.load(page, path)
    await page.locator('h1, h2').first().waitFor()
    if (await page.locator('#account-button').isVisible()) await isShown(page)
  }

  /** Sends reads through the app as the person who is signed in on the page. */
  async read(page: Page, count = 1): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      const path = `/api${PATHS[sent % PATHS.length]}`
      await page.evaluate(
        async ([url, headers]) => {
          const { status } = await fetch(url, { headers })
          if (status === 401) throw new Error('signed out')
        },
        [path, HEADERS] as const,
      )
    }
  }

  /** Sends requests as another client of the organization; the clock moves a minute for every 50. */
  async spendElsewhere(count: number): Promise<void> {
    const headers = { 'X-Service-Api-Key': this.#keyOf(STANDARD_ID) }
    for (let sent = 0; sent < count; sent += 1) {
      if (sent > 0 && sent % 50 === 0) this.nextMinute()
      await fetch(`${this.#app.sandboxUrl}/organizations`, { headers })
    }
  }

  async useUpMinute(): Promise<void> {
    const state = (await (await this.control('/snapshot')).json()) as {
      windows: Record<string, { read?: { used: number } }>
    }
    for (const { read } of Object.values(state.windows)) if (read) read.used = 60
    await this.control('/restore', 'POST', state)
  }

  /** The service's own count of this month. */
  async trueCount(): Promise<number> {
    const { months } = (await (await this.control('/snapshot')).json()) as {
      months: Record<string, { count: number }>
    }
    return months[STANDARD_ID]?.count ?? 0
  }

  async enterReading(page: Page): Promise<void> {
    await this.open(page, '/')
    await page.getByLabel('Requests used so far').fill(String(await this.trueCount()))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved: /).waitFor()
  }

  control(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return fetch(
      this.#controlUrl(path),
      body === undefined ? { method } : { method, headers, body: JSON.stringify(body) },
    )
  }

  /** The page of the control plane, in a browser of its own. */
  async openControlPlane(): Promise<Page> {
    const page = await this.newBrowser()
    await page.goto(this.#controlUrl('/').href)
    return page
  }

  #controlUrl(path: string): URL {
    const url = new URL(path, this.#app.sandboxUrl)
    url.port = String(Number(url.port) + 1)
    return url
  }

  get #app(): AppProcess {
    if (this.#running === undefined) throw new Error('The app is not started')
    return this.#running
  }

  get #clockFile(): string {
    return join(this.#folder, 'clock')
  }

  #keyOf(organization: number): string {
    const keys = this.#app.sandboxState().api_keys as { value: string; organization_id: number }[]
    return keys.find((key) => key.organization_id === organization)?.value ?? ''
  }
}

/** Waits until the page has loaded its data and is live. */
async function isShown(page: Page): Promise<void> {
  await isLive(page)
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  await page.evaluate(async () => {
    await document.fonts.ready
  })
}

/** Runs in the page before its scripts; the last script that was added wins. */
function setClock(offsetMs: number): void {
  const machine = Object.assign(globalThis, { machineDate: Reflect.get(globalThis, 'machineDate') ?? Date })
  const MachineDate: DateConstructor = machine.machineDate
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given) =>
      Reflect.construct(target, given.length > 0 ? given : [target.now() + offsetMs]),
    get: (target, name) =>
      name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name, target),
  })
}
