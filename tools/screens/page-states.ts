// States of the page itself: before, during, after and without a session.
import type { Page } from 'playwright-core'
import type { ScreenApp } from './app.ts'
import { signOut } from '../../test/kit/page.ts'
import type { Shoot } from './shot.ts'

const PAGE_STATES = [
  'first-run',
  'opening', // before the script has loaded
  'no-javascript',
  'wrong-id', // no organization id was typed, and the field has the focus
  'going-to-the-service',
  'own-service', // without the embedded sandbox
  'denied',
  'posted', // the service sent the browser back by POST
  'finishing', // the service has answered; the sign-in is not complete yet
  'not-found',
  'before-script', // signed in: the numbers of the month are there before the script
  'loading', // signed in: the page has its height before its first number
  'stale', // no event stream, so the cards show the age of their values
  'refresh-under-way',
  'other-organization', // the address names another organization than the session
  'service-down',
  'offline-press', // a press while the browser is offline: nothing was sent
  'minute-paused',
  'session-ending', // the last hours of a session that has not been used for days
  'session-ending-for-good', // the last hours of a session that cannot be extended
  'ended-elsewhere',
  'signed-out',
  'sign-out-unreported', // the server did not confirm the sign-out
  'server-down',
] as const
export type PageStateName = (typeof PAGE_STATES)[number]
export const isPageState = (name: string): boolean => PAGE_STATES.some((state) => state === name)

/** All scripts except the one that runs before the first paint. */
const SCRIPT = /assets\/(?!start)[^/]*\.js$/

const OPENING = { address: SCRIPT, path: '/guide', seen: 'text=Opening Plimsoll…' }
const BEFORE_SCRIPT = { address: SCRIPT, path: '/', seen: 'text=/^of 100 requests left/' }
const LOADING = {
  address: /\/(bff\/(quota|readings|events)|api\/.*)$/,
  path: '/',
  seen: 'html[data-shown=now] >> text=Looking for a stored copy, free…',
}

type Play = (app: ScreenApp, shoot: Shoot) => Promise<void>

/** @returns a function that lets the requests go */
async function hold(page: Page, address: string | RegExp, method?: string): Promise<() => Promise<void>> {
  let open = (): void => {}
  const closed = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await closed
    // The page may be closed by then.
    await route.continue().catch(() => {})
  })
  return async () => {
    open()
    await page.unroute(address)
  }
}

/** Takes a screenshot while the requests are held, once `seen` is there; then opens the start page. */
async function shootHeld(
  { app, page, shoot }: { app: ScreenApp; page: Page; shoot: Shoot },
  { address, path, seen, name }: { address: RegExp; path: string; seen: string; name: PageStateName },
): Promise<void> {
  const come = await hold(page, address)
  await app.load(page, path)
  await page.locator(seen).waitFor()
  await shoot(name, page)
  await come()
  await app.open(page, '/')
}

/** The card of the organization, from its name to the first of its data. */
const card = (page: Page) => ({
  of: page.locator('section', { has: page.getByRole('heading', { name: 'Harbour Rope Works' }) }),
  height: 400,
})

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).last().click()

const signingIn: Play = async (app, shoot) => {
  await app.start('2026-11-16T09:12:00Z')
  const page = await app.newBrowser()
  await shootHeld({ app, page, shoot }, { ...OPENING, name: 'opening' })
  await shoot('first-run', page)
  await page.getByLabel(/organization id/i).fill('harbour')
  await press(page, 'Sign in · 1–2 requests')
  await shoot('wrong-id', page)
  await page.getByLabel(/organization id/i).fill('1001')
  const begin = await hold(page, '**/bff/login')
  await press(page, 'Sign in · 1–2 requests')
  await page.getByText('Going to the service…').waitFor()
  await shoot('going-to-the-service', page)
  await begin()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('button', { name: 'Start again' }).waitFor()
  await shoot('denied', page)
  await press(page, 'Start again')
  const finish = await hold(page, '**/bff/session', 'POST')
  await press(page, 'Sign in · 1–2 requests')
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.getByText('Signing you in…').waitFor()
  await shoot('finishing', page)
  await finish()

  await app.open(page, '/nothing')
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '/callback' })
    document.body.append(form)
    form.submit()
  })
  await page.getByText('It used POST').waitFor()
  await shoot('posted', page)

  const without = await app.newBrowser({ javaScriptEnabled: false })
  await app.load(without, '/')
  await without.waitForLoadState('load')
  await shoot('no-javascript', without)
}

const signedIn: Play = async (app, shoot) => {
  await app.start('2026-11-16T09:12:00Z')
  const page = await app.signIn('Ada')
  await shootHeld({ app, page, shoot }, { ...BEFORE_SCRIPT, name: 'before-script' })
  await shootHeld({ app, page, shoot }, { ...LOADING, name: 'loading' })
  const answer = await hold(page, '**/api/organizations/*')
  await press(page, /Refresh/)
  await page.getByText('Reading…').waitFor()
  await shoot('refresh-under-way', page, card(page))
  await answer()
  await page.getByText('cost 1 request', { exact: true }).waitFor({ state: 'attached' })

  await page.route('**/bff/events', (route) => route.abort())
  await app.load(page, '/')
  await page.getByText(/^Not live/).waitFor()
  await page.getByText('Ada Lindqvist').waitFor()
  await shoot('stale', page)
  await page.unroute('**/bff/events')

  await app.open(page, '/organizations/2002')
  await page.getByRole('heading', { name: 'This is not organization 2002' }).waitFor()
  await shoot('other-organization', page)
  await app.open(page, '/nothing')
  await shoot('not-found', page)

  await app.open(page, '/')
  await page.context().setOffline(true)
  await page.getByText('Offline', { exact: true }).waitFor()
  await press(page, /Refresh/)
  await page.getByText('Not sent: this browser is offline.').waitFor()
  await shoot('offline-press', page, card(page))
  await page.context().setOffline(false)

  await app.open(page, '/')
  await app.control('/faults', 'POST', { operation: 'organization', kind: 'reset', times: 1 })
  await press(page, /Refresh/)
  await page.getByRole('alert').waitFor()
  await shoot('service-down', page, card(page))

  await app.useUpMinute()
  await app.open(page, '/')
  // A press within a second of the last one would share its answer.
  await page.waitForTimeout(1100)
  await press(page, /Refresh/)
  await page.getByText('Possible again in').first().waitFor()
  await shoot('minute-paused', page)
}

const ending: Play = async (app, shoot) => {
  await app.start('2026-11-02T09:00:00Z')
  const page = await app.signIn('Ada')
  // A page whose clock has jumped opens its stream again, and then asks who is signed in.
  const answer = await hold(page, '**/bff/session')
  app.at('2026-12-02T04:00:00Z')
  await app.setTime(page)
  await page.getByText('This session ends in').waitFor()
  await shoot('session-ending', page)
  await answer()
  await app.open(page, '/')
  for (const day of ['2026-12-20', '2027-01-08', '2027-01-26']) {
    app.at(`${day}T22:00:00Z`)
    await app.open(page, '/')
  }
  app.at('2027-01-31T05:00:00Z')
  await app.open(page, '/')
  await page.getByText('This session ends in').waitFor()
  await shoot('session-ending-for-good', page)

  await page.route('**/bff/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await signOut(page)
  await page.getByRole('heading', { name: 'Signed out in this browser only' }).waitFor()
  await shoot('sign-out-unreported', page)
  await page.unroute('**/bff/session')
  await press(page, 'Sign out again')
  await page.getByText('You are signed out').waitFor()
  await shoot('signed-out', page)
  await page.route('**/bff/session', (route) => route.abort())
  await app.open(page, '/')
  await page.getByRole('alert').waitFor()
  await shoot('server-down', page)
}

const elsewhere: Play = async (app, shoot) => {
  await app.start('2026-11-16T09:12:00Z')
  const page = await app.signInWithKey(1001)
  const other = await app.signInWithKey(1001)
  await app.open(other, '/sessions')
  await press(other, 'End all others')
  await page.getByText('ended it in another browser').waitFor()
  await shoot('ended-elsewhere', page)
}

const ownService: Play = async (app, shoot) => {
  await app.start('2026-11-16T09:12:00Z', {
    PLIMSOLL_SERVICE_URL: 'https://tasks.example.com/api',
    PLIMSOLL_CLIENT_ID: 'plimsoll',
    PLIMSOLL_CLIENT_SECRET: 'not-used',
  })
  const page = await app.newBrowser()
  await app.open(page, '/')
  await shoot('own-service', page)
}

export const PAGE_PLAYS: readonly Play[] = [signingIn, ownService, signedIn, ending, elsewhere]
