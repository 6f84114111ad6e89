// Takes screenshots of every state of the page into the folder `screens`, and the pictures of docs/screens.
// Two people and another client share the months in them.
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Place } from '../../test/browser/_state.ts'
import { openPlace, state, STATES } from '../../test/browser/_states.ts'
import { control } from '../../test/kit/control.ts'
import { isShown, press, signInAtService, speak } from '../../test/kit/page.ts'

interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

/** Takes a screenshot of the page from its top, or of a part. @param height in pixels, at most */
async function shoot(
  page: Page,
  path: string,
  { width, colorScheme }: Look,
  { of, height }: { of?: Locator; height?: number } = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 600 })
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
  const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } }
  await (of?.screenshot({ path }) ?? page.screenshot({ path, fullPage: true, ...clip }))
}

const READS = ['/api/organizations/1001', '/api/organizations', '/api/rate_limit']

type Timed = Place & { at: (time: string) => Promise<void> }

/** Opens a place in which Ada is signed in, with one clock for its app and its pages. */
async function openAt(time: string): Promise<Timed> {
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-screens-')), 'clock')
  const contexts: BrowserContext[] = []
  const at = async (to: string): Promise<void> => {
    const offsetMs = Date.parse(to) - Date.now()
    // The rename makes the change atomic: the app may read the file at any moment.
    writeFileSync(`${file}.new`, String(offsetMs))
    renameSync(`${file}.new`, file)
    for (const { clock } of contexts) await clock.setSystemTime(Date.parse(to))
  }
  await at(time)
  const place = await openPlace({
    settings: { CLOCK_FILE: file },
    prepare: async (context) => {
      contexts.push(context)
      await context.clock.install({ time: Date.parse(time) })
    },
    signIn: (page) => signInAtService(page, 'Ada'),
  })
  return { ...place, at }
}

/** A picture of docs/screens, by the name that its page knows. */
const show = (page: Page, name: string, part: Parameters<typeof shoot>[3] = { height: 1000 }) => {
  const [, width] = /-(\d+)$/.exec(name) ?? []
  const colorScheme = name.includes('-dark-') ? 'dark' : 'light'
  return shoot(page, `docs/screens/${name}.png`, { colorScheme, width: Number(width) }, part)
}

/** A side page, as soon as it shows these words. */
async function opened(place: Place, path: string, words: string | RegExp): Promise<Page> {
  const page = await place.member(path)
  await page.getByText(words).first().waitFor()
  return page
}

/** Sends reads through the app as the person of the page. */
async function read(page: Page, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const headers = { 'X-CSRF': '1', 'X-Plimsoll-Spend': '1' }
    const asked = [READS[sent % READS.length] ?? '', headers] as const
    expect(
      await page.evaluate(([url, head]) => fetch(url, { headers: head }).then((got) => got.status), asked),
    ).not.toBe(401)
  }
}

/** The service's own count of the month. */
async function trueCount({ app }: Place): Promise<number> {
  const { months } = (await control(app, '/snapshot')) as { months: Record<string, { count: number }> }
  return months['1001']?.count ?? 0
}

/** Day of November, reads of Ada and of another client, and whether Ada enters the service's count. */
const HISTORY: readonly (readonly [day: string, own: number, others: number, isEntered: boolean])[] = [
  ['04', 2, 1, false],
  ['06', 4, 4, true],
  ['09', 2, 0, true],
  ['11', 4, 5, false],
  ['13', 2, 7, false],
  ['16', 2, 3, true],
]

async function playHistory(place: Timed, ada: Page, ben: Page): Promise<void> {
  const key = (await place.app.sandboxState()).api_keys[0]?.value ?? ''
  await read(ada, 2)
  for (const [day, own, others, isEntered] of HISTORY) {
    await place.at(`2026-11-${day}T09:30:00Z`)
    for (const page of [ada, ben]) {
      await page.reload()
      await isShown(page)
    }
    await read(ada, own)
    await place.at(`2026-11-${day}T14:05:00Z`)
    await read(ben, 1)
    for (let sent = 0; sent < others; sent += 1)
      await fetch(`${place.app.sandboxUrl}/organizations`, { headers: { 'X-Service-Api-Key': key } })
    // The plan page's count may be an hour old, so the requests of the last hour are no evidence.
    await place.at(`2026-11-${day}T15:30:00Z`)
    if (!isEntered) continue
    await ada.reload()
    await ada.getByLabel('Requests used so far').fill(String(await trueCount(place)))
    await press(ada, 'Save')
    await ada.getByText(/^Saved: /).waitFor()
  }
}

test('a month on Standard', async () => {
  const place = await openAt('2026-11-03T09:12:00Z')
  const ben = await place.guest()
  await show(ben, 'first-run-light-1280')
  await signInAtService(ben, 'Ben')
  const ada = await place.member()
  await isShown(ada)
  await playHistory(place, ada, ben)

  await place.at('2026-11-16T16:40:00Z')
  await ada.reload()
  await isShown(ada)
  await press(ada, /Refresh/)
  await ada.getByText('cost 1 request', { exact: true }).waitFor({ state: 'attached' })
  for (const look of ['light-1280', 'dark-1280']) await show(ada, `with-reading-${look}`)
  await show(ada, 'with-reading-light-375', { height: 1300 })
  await speak(ada, 'ja')
  await show(ada, 'japanese-light-1280')
  await speak(ada, 'en')
  const ledger = await opened(place, '/ledger', 'Requests, newest first')
  const forecast = ledger.locator('section', { has: ledger.locator('figure') }).last()
  await show(ledger, 'forecast-light-1280', { of: forecast })
  await show(await opened(place, '/learnt', /open questions?: we assume/), 'learnt-light-1280')
  await show(await opened(place, '/sessions', 'This browser'), 'sessions-light-1280')
  await show(await state('page of a watch link').open(place), 'watched-light-1280')
  const controlPlane = await place.guest()
  await controlPlane.goto(place.app.sandboxUrl.replace(/\d+$/, (port) => `${Number(port) + 1}`))
  await show(controlPlane, 'control-plane-light-1280')
})

test('a minute and a month that are used up', async () => {
  const place = await openAt('2026-11-16T09:12:00Z')
  await show(await state('minute used up').open(place), 'minute-paused-light-1280')
  await place.at('2026-12-04T09:00:00Z')
  const ada = await place.member()
  await isShown(ada)
  for (let round = 1; round < 60 && (await trueCount(place)) < 100; round += 1) {
    await place.at(new Date(Date.UTC(2026, 11, 4, 9, 2 * round)).toISOString())
    // The third read does not count.
    await read(ada, 2)
  }
  await place.at('2026-12-04T10:45:00Z')
  await ada.reload()
  await isShown(ada)
  await show(ada, 'used-up-by-us-light-1280')
})

/** At each width, light in English and dark in Japanese. */
const LOOKS: readonly (Look & { language: 'en' | 'ja' })[] = [375, 768, 1280, 1920].flatMap((width) => [
  { width, colorScheme: 'light', language: 'en' } as const,
  { width, colorScheme: 'dark', language: 'ja' } as const,
])

describe('every state', () => {
  let place: Place
  beforeAll(async () => {
    place = await openPlace()
  })

  test.each(STATES)('$name', async ({ name, open, end, isEnglish }) => {
    const page = await open(place)
    for (const { language, ...look } of LOOKS) {
      const spoken = isEnglish ? 'en' : language
      if (!isEnglish) await speak(page, spoken)
      const file = `${name.replaceAll(/\W+/g, '-')}-${look.colorScheme}-${look.width}-${spoken}.png`
      await shoot(page, `screens/${file}`, look)
    }
    await end?.(page, place)
    await page.close()
  })
})
