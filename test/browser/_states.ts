// The states of the page that people see, and how a browser gets into each. Every test of all states uses it.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { FontSetName } from '../kit/fonts.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { SESSION_STATES } from './_session-states.ts'
import { paintFaults } from './_layout-faults.ts'
import { control, useMinute, useMonth } from '../kit/control.ts'
import { WATCH_STATES } from './_watch-states.ts'
import type { Place, State } from './_state.ts'
import {
  askItself,
  choose,
  haveOthers,
  hearComplaints,
  isLive,
  isShown,
  openAccountMenu,
  openAllFields,
  openBranches,
  press,
  signInByKey,
  signOut,
  speak,
} from '../kit/page.ts'

interface PlaceOptions {
  fonts?: FontSetName
  /** Gets each browser context before its first use. */
  prepare?: (context: BrowserContext) => unknown
  /** Device pixels for each CSS pixel. */
  scale?: number
  /** Of the app. */
  settings?: Record<string, string>
  /** How the member signs in; by key if absent. */
  signIn?: (page: Page) => Promise<void>
}

export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const { fonts, prepare, scale = 1, settings } = options
  const app = await openApp(settings)
  const browser = await openBrowser(fonts)
  const contexts = { guest: await newContext(browser, scale), member: await newContext(browser, scale) }
  const complaints: string[] = []
  for (const context of Object.values(contexts)) {
    hearComplaints(context, complaints)
    await prepare?.(context)
  }
  const open = async (context: BrowserContext, path: string, before?: (page: Page) => Promise<unknown>) => {
    const page = await context.newPage()
    // An earlier page may have set another language, and the first one has set none.
    await choose(context, app.url, {})
    await before?.(page)
    // Side pages load what they show late, `before` changes answers, and a clock of `prepare` hides the paint.
    if (path === '/' && !before && !prepare) complaints.push(...(await paintFaults(page, app.url)))
    else await page.goto(app.url + path)
    // The page from the server looks the same until the script replaces it.
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    return page
  }
  const guest: Place['guest'] = (path = '/') => open(contexts.guest, path)
  const page = await open(contexts.member, '/')
  if (options.signIn) await options.signIn(page)
  else await signInByKey(page, (await app.sandboxState()).api_keys[0]?.value ?? '')
  await page.close()
  return {
    app,
    control: (...asked) => control(app, ...asked),
    guest,
    member: (path = '/', before) => open(contexts.member, path, before),
    takeComplaints: () => complaints.splice(0),
  }
}

const newContext = (browser: Browser, deviceScaleFactor: number): Promise<BrowserContext> =>
  browser.newContext({
    deviceScaleFactor,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  })

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor()
const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })

async function home({ member }: Place, before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await member('/', before)
  await isShown(page)
  return page
}

/** An answer of the service in place of the stored record. */
const answered = (body: string) => (page: Page) =>
  page.route('**/api/organizations', (route) => route.fulfill({ contentType: 'application/json', body }))

async function sidePage(place: Place, path: string, name: string): Promise<Page> {
  const page = await place.member(path)
  await heading(page, name)
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
  if (path === '/ledger') await page.locator('figure').waitFor()
  await unfold(page)
  return page
}

async function enterReading(page: Page, count: string): Promise<void> {
  await page.getByLabel('Requests used so far').fill(count)
  await press(page, 'Save')
}

async function readings(place: Place): Promise<Page> {
  const page = await home(place)
  await enterReading(page, '30')
  await page.getByText('Saved: 30 used so far.').waitFor()
  return page
}

const LONG_NAME =
  'Vereinigte Hanfseilfabriken und Taklereibetriebe an der unteren Weser von 1862, vormals Gebrüder Ahlers und Söhne in Bremerhaven, mit Niederlassungen in Emden, Wismar und Stralsund'

const MONTHS = ['12', '11', '10', '09', '08', '07', '06', '05', '04', '03', '02', '01']
/** Months of each kind: without a plan, without the requests of others, too small a plan. */
const TWELVE = MONTHS.map((name, nth) => ({
  month: `2026-${name}`,
  low: 7 * nth,
  high: 7 * nth + 30,
  ...(nth % 3 === 1 && { others: { low: 20, high: 22, read_on: `2026-${name}-21` } }),
  ...(nth < 8 && { plan: 'standard', limit: 100 }),
  ...(nth === 4 && { ran_out_on: '2026-08-28' }),
}))

/** _shapes.ts has deeper ones: axe takes a minute for 60 levels. */
const DEEP = `${'{"level":'.repeat(16)}"the deepest"${'}'.repeat(16)}`

const atService = (page: Page) => page.getByRole('button', { name: /Ada|Deny/ }).first()

async function login({ guest }: Place): Promise<Page> {
  const page = await guest()
  await page.getByLabel(/organization id/i).fill('1001')
  await press(page, 'Sign in · 1–2 requests')
  await atService(page).waitFor()
  return page
}

/** The service remembers who has signed in there. */
async function askConsent(page: Page): Promise<void> {
  await page.getByLabel(/organization id/i).fill('1001')
  await press(page, 'Sign in · 1–2 requests')
  await atService(page).waitFor()
  const ada = page.getByRole('button', { name: /Ada/ })
  if (await ada.isVisible()) await ada.click()
  await page.getByRole('button', { name: 'Deny' }).waitFor()
}

/** Never answers until the page is closed. */
const hang = (): void => {}

/** States before the sign-in, and after the sign-out. */
const SIGNED_OUT_STATES: readonly State[] = [
  { name: 'sign-in', open: ({ guest }) => guest() },
  {
    name: 'sign-in, all unfolded',
    open: async ({ guest }) => {
      const page = await guest('/organizations/1001')
      await unfold(page)
      return page
    },
  },
  {
    name: 'sign-in with a wrong field',
    open: async ({ guest }) => {
      const page = await guest()
      await page.getByLabel(/organization id/i).fill('not an id')
      await press(page, 'Sign in · 1–2 requests')
      await page.getByText('An organization id is a positive whole number').waitFor()
      return page
    },
  },
  {
    name: 'sign-in with a wrong key',
    isVariant: true,
    open: async ({ guest }) => {
      const page = await guest()
      await page.getByText('Use an API key instead').click()
      await page.getByLabel('API key', { exact: true }).fill('no-key-of-anybody')
      await press(page, /^Sign in with the key/)
      await page.getByRole('alert').first().waitFor()
      return page
    },
  },
  {
    name: 'failed callback',
    open: async ({ guest }) => {
      const page = await guest()
      await askConsent(page)
      await press(page, 'Deny')
      await page.getByText('you pressed Deny').waitFor()
      return page
    },
  },
  {
    name: 'opening',
    // The page from the server: the script draws nothing before it has the answer.
    isEnglish: true,
    open: async ({ guest }) => {
      const page = await guest('/guide')
      await page.route('**/bff/session', hang)
      await page.reload()
      await page.getByText('Opening Plimsoll…').waitFor()
      return page
    },
  },
  {
    name: 'server not reached',
    open: async ({ guest }) => {
      const page = await guest()
      await askItself(page)
      await page.route('**/bff/session', (route) => route.abort())
      await page.reload()
      await page.getByText('Plimsoll itself cannot be reached').waitFor()
      return page
    },
  },
  {
    name: 'guide',
    open: async ({ guest }) => {
      const page = await guest('/guide')
      await heading(page, 'Set-up guide for administrators')
      return page
    },
  },
  { name: 'not found', open: ({ guest }) => guest('/nowhere') },
]

export const MEMBER_STATES: readonly State[] = [
  { name: 'organization', open: (place) => home(place) },
  {
    name: 'record, opened',
    open: async (place) => {
      const page = await home(place)
      await openAllFields(page)
      await openBranches(page)
      await unfold(page)
      return page
    },
  },
  {
    name: 'very long name',
    open: (place) => home(place, answered(JSON.stringify({ name: LONG_NAME }))),
    isVariant: true,
  },
  {
    name: 'deep JSON',
    isVariant: true,
    open: async (place) => {
      const page = await home(place, answered(DEEP))
      await openAllFields(page)
      await openBranches(page)
      return page
    },
  },
  {
    name: 'record changed since the last look',
    isVariant: true,
    open: async (place) => {
      const page = await home(place, answered('{"name":"x","plan":"standard","old":1}'))
      await page.unroute('**/api/organizations')
      await answered('{"name":"x","plan":"business","tags":["a"],"new":{"a":1}}')(page)
      await press(page, /Refresh/)
      await page.getByText(/^changed: /).waitFor()
      await openAllFields(page)
      return page
    },
  },
  {
    name: 'reading with a wrong number',
    open: async (place) => {
      const page = await home(place)
      await enterReading(page, 'many')
      await page.getByText('Type the number as your plan page shows it').waitFor()
      await unfold(page)
      return page
    },
  },
  { name: 'readings', open: readings },
  {
    name: 'reading lower than an earlier one',
    isVariant: true,
    open: async (place) => {
      const page = await readings(place)
      await enterReading(page, '5')
      await page.getByText('is lower than an earlier count').waitFor()
      return page
    },
  },
  {
    name: 'account menu',
    open: async (place) => {
      const page = await home(place)
      await openAccountMenu(page)
      return page
    },
  },
  {
    name: 'menu of the organizations',
    open: async (place) => {
      const page = await home(place, haveOthers)
      await page.locator('#organization-button').click()
      return page
    },
  },
  { name: 'ledger', open: (place) => sidePage(place, '/ledger', 'Ledger') },
  {
    name: 'months',
    open: (place) => sidePage(place, '/months', 'Last 12 months'),
    isVariant: true,
  },
  {
    name: 'twelve months',
    open: async (place) => {
      const page = await place.member('/months', (each) =>
        each.route('**/bff/months', (route) => route.fulfill({ json: { months: TWELVE } })),
      )
      await page.locator('tbody tr').nth(11).waitFor()
      return page
    },
  },
  { name: 'learnt', open: (place) => sidePage(place, '/learnt', 'How limits are counted') },
  {
    name: 'sessions',
    open: async (place) => {
      const page = await sidePage(place, '/sessions', 'Your sessions')
      await press(page, 'Name this browser')
      await page.getByLabel('Name of this browser').fill('W'.repeat(40))
      await page.keyboard.press('Enter')
      await page.getByText('This browser is now called').waitFor()
      return page
    },
  },
  {
    name: 'organizations',
    open: async (place) => {
      const page = await sidePage(place, '/organizations', 'Your organizations')
      await unfold(page)
      return page
    },
  },
  {
    name: 'another organization',
    open: async ({ member }) => {
      const page = await member('/organizations/2002')
      await heading(page, 'This is not organization 2002')
      await isLive(page)
      return page
    },
  },
  {
    name: 'offline',
    open: async (place) => {
      const page = await home(place)
      // Each language is loaded when it is chosen.
      for (const language of ['ja', 'en']) await speak(page, language)
      await page.context().setOffline(true)
      await page
        .getByText(/^Not live since/)
        .first()
        .waitFor()
      return page
    },
    end: (page) => page.context().setOffline(false),
  },
  {
    name: 'press under way',
    open: async (place) => {
      const page = await home(place)
      await page.route('**/api/organizations', hang)
      await press(page, /Refresh/)
      await page.getByRole('button', { name: /^Reading…/ }).waitFor()
      return page
    },
    // It would be sent as the page closes, and the next press within a second would share its answer.
    end: (page) => page.evaluate(() => stop()),
  },
  {
    name: 'service down',
    open: async (place) => {
      const page = await home(place)
      await place.control('/faults', { operation: 'any', kind: 'status', status: 503 })
      await press(page, /Refresh/)
      await page.getByRole('alert').first().waitFor()
      return page
    },
    end: (_, { control }) => control('/faults', undefined, 'DELETE'),
  },
  {
    name: 'month low',
    isVariant: true,
    open: async (place) => {
      const page = await home(place)
      await enterReading(page, '93')
      await page.getByText('Saved: 93 used so far.').waitFor()
      return page
    },
  },
]

/** Each needs an app of its own, because it uses up the month or ends the session. */
const LAST_STATES: readonly State[] = [
  {
    name: 'month suspected',
    open: async (place) => {
      const page = await home(place)
      await useMonth(place.app, 100)
      await press(page, /Refresh/)
      await page
        .getByText(/^Used up, it seems/)
        .last()
        .waitFor()
      await page.getByRole('button', { name: /Refresh · up to/ }).waitFor()
      return page
    },
    end: (_, place) => useMonth(place.app, 50),
  },
  {
    name: 'minute used up',
    open: async (place) => {
      const page = await home(place)
      const wait = page.getByText(/Possible again in/).first()
      const check = page.locator('section[aria-labelledby=minute] button').first()
      // The first press begins a minute, and the app sends none within 5 s of a refusal.
      for (let presses = 0; presses < 5 && !(await wait.isVisible()); presses += 1) {
        await useMinute(place.app, 60)
        await check.click()
        await wait.waitFor({ timeout: 3000 }).catch(() => {})
      }
      await wait.waitFor()
      return page
    },
  },
  {
    name: 'signed out',
    open: async (place) => {
      const page = await home(place)
      await signOut(page)
      await page.getByText('You are signed out').waitFor()
      return page
    },
  },
]

const atSandbox =
  (path: string, isControl = false) =>
  async ({ app, guest }: Place): Promise<Page> => {
    const page = await guest()
    const url = new URL(path, app.sandboxUrl)
    if (isControl) url.port = String(Number(url.port) + 1)
    await page.goto(url.href)
    await unfold(page)
    return page
  }

const atSettings = (path: string): State => ({
  name: `sandbox: ${path}`,
  open: atSandbox(`/${path}?organization_id=1001`),
})

const SANDBOX_STATES: readonly State[] = [
  { name: 'sandbox: login', open: login },
  {
    name: 'sandbox: consent',
    open: async ({ guest }) => {
      const page = await guest()
      await askConsent(page)
      return page
    },
  },
  // The person has signed in there by now.
  atSettings('plan'),
  atSettings('settings'),
  atSettings('settings/applications'),
  { ...atSettings('settings/applications/add'), isVariant: true },
  { ...atSettings('settings/api-keys'), isVariant: true },
  {
    name: 'sandbox: control plane',
    open: async (place) => {
      await place.control('/limits', { 1001: { read_per_minute: 50 } }, 'PUT')
      await place.control('/faults', { operation: 'any', kind: 'delay', ms: 1 })
      return atSandbox('/', true)(place)
    },
    end: async (_, { control }) => {
      await control('/limits', {}, 'PUT')
      await control('/faults', undefined, 'DELETE')
    },
  },
  { name: 'sandbox: choices', open: atSandbox('/?open=rotation', true), isVariant: true },
]

export const GUEST_STATES: readonly State[] = [
  ...SANDBOX_STATES.map((state) => ({ ...state, isEnglish: true as const })),
  ...SIGNED_OUT_STATES,
]
export const OTHER_STATES: readonly State[] = [...WATCH_STATES, ...SESSION_STATES, ...LAST_STATES]
/** In the order in which one app goes through them. */
export const STATES: readonly State[] = [...GUEST_STATES, ...MEMBER_STATES, ...OTHER_STATES]

export const state = (name: string): State => {
  const found = STATES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`No state is named ${name}`)
  return found
}
