import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../test/kit/browser.ts'

const ORGANIZATION = '1001'

export class Person {
  readonly #url: string
  readonly #fingerprint: string
  #browser: Browser | undefined
  #context: BrowserContext | undefined
  #page: Page | undefined
  /** The times at which each stream of events was opened, in milliseconds of performance.now(). */
  readonly streamsAtMs: number[] = []
  readonly errors: string[] = []

  /** @param fingerprint of the certificate: the browser accepts this key and no other error */
  constructor(url: string, fingerprint: string) {
    this.#url = url
    this.#fingerprint = fingerprint
  }

  async open(): Promise<void> {
    const { path, env } = await findBrowser()
    this.#browser = await chromium.launch({
      executablePath: path,
      args: ['--no-sandbox', '--disable-gpu', `--ignore-certificate-errors-spki-list=${this.#fingerprint}`],
      env: { ...process.env, ...env },
    })
    this.#context = await this.#browser.newContext({ locale: 'en-GB' })
    this.#page = await this.#context.newPage()
    this.#page.on('response', (response) => {
      if (response.url().endsWith('/bff/events') && response.status() === 200)
        this.streamsAtMs.push(performance.now())
    })
    this.#page.on('pageerror', ({ message }) => this.errors.push(message))
  }

  async close(): Promise<void> {
    await this.#browser?.close()
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('the browser is not open')
    return this.#page
  }

  async cookies() {
    return (await this.#context?.cookies(this.#url)) ?? []
  }

  async cookieHeader(): Promise<string> {
    return (await this.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  async signIn(page = this.page): Promise<void> {
    await page.goto(this.#url)
    await page.getByLabel(/organization id/i).fill(ORGANIZATION)
    await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
    await page
      .getByRole('button', { name: /Ada|Ben|Cleo/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Permit' }).click()
    await this.isLive(page)
    if (new URL(page.url()).search !== '') throw new Error(`the address is ${page.url()}`)
  }

  async isLive(page = this.page): Promise<void> {
    await page.locator('[data-live=live]').waitFor({ timeout: 20_000 })
  }

  /** Checks that the person is signed in, and that the page is live again after a load. */
  async isSignedIn(): Promise<void> {
    await this.page.reload()
    try {
      await this.isLive()
    } catch (cause) {
      throw new Error(`the page shows: ${(await this.page.locator('main').innerText()).slice(0, 300)}`, {
        cause,
      })
    }
    await this.page.locator('#account-button').waitFor()
  }

  /** Opens the page of the same person in another browser while `work` runs. */
  async inAnother(work: (page: Page) => Promise<void>): Promise<void> {
    const context = await this.#browser?.newContext({ locale: 'en-GB' })
    const page = await context?.newPage()
    if (page === undefined) throw new Error('the browser is not open')
    try {
      await this.signIn(page)
      await work(page)
    } finally {
      await context?.close()
    }
  }

  /** The status of a request of the page; 0 without an answer. */
  ask(path: string, spend = '0'): Promise<number> {
    return this.page.evaluate(
      ([at, cost]) =>
        fetch(at ?? '', { headers: { 'X-CSRF': '1', 'X-Plimsoll-Spend': cost ?? '' } }).then(
          ({ status }) => status,
          () => 0,
        ),
      [path, spend],
    )
  }
}
