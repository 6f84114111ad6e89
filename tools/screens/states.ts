// States of the quota, in the order of a month, and of other pages.
import type { Page } from 'playwright-core'
import type { ScreenApp } from './app.ts'
import { PAGE_PLAYS, type PageStateName } from './page-states.ts'
import { isLive, openAccountMenu, speak } from '../../test/kit/page.ts'
import type { Shoot } from './shot.ts'

export type StateName =
  | PageStateName
  | 'month-fine' // without a reading: only the requests of this app are known
  | 'with-reading'
  | 'account-menu'
  | 'readings' // the form for the service's count, with the earlier readings
  | 'low'
  | 'reserve' // the last 2 requests, which are kept for signing in
  | 'suspected' // the service refused although requests of the minute were left
  | 'used-up-by-us'
  | 'business' // a plan without a monthly limit
  | 'plan-unknown' // limits that no known plan has
  | 'boundary-zone'
  | 'not-live' // offline: the cards show the age of their values
  | 'ledger'
  | 'months'
  | 'forecast'
  | 'learnt'
  | 'sessions'
  | 'watch-links'
  | 'watched' // the page of a watch link
  | 'watched-japanese'
  | 'wall' // the same for a display on a wall
  | 'device' // a code for another device
  | 'second-browser' // the number that this device shows
  | 'japanese'
  | 'control-plane'

type Play = (app: ScreenApp, shoot: Shoot) => Promise<void>

/** A month on Standard that two people and another client share, from the first sign-in to the refusal. */
const standard: Play = async (app, shoot) => {
  await app.start('2026-11-03T09:12:00Z')
  const ada = await app.signIn('Ada')
  const ben = await app.signIn('Ben')
  await app.read(ada, 2)
  await app.open(ada, '/')
  await shoot('month-fine', ada)

  for (const [day, own, others] of HISTORY) {
    app.at(`2026-11-${day}T09:30:00Z`)
    for (const page of [ada, ben]) await app.open(page, '/')
    await app.read(ada, own)
    app.at(`2026-11-${day}T14:05:00Z`)
    await app.read(ben)
    await app.spendElsewhere(others)
    // The plan page's count may be an hour old, so the requests of the last hour are no evidence.
    app.at(`2026-11-${day}T15:30:00Z`)
    if (READ_ON.includes(day)) await app.enterReading(ada)
  }
  await pages(app, shoot, ada)

  app.at('2026-11-19T11:00:00Z')
  await app.spendElsewhere(90 - (await app.trueCount()))
  await app.enterReading(ada)
  app.nextMinute()
  await app.open(ada, '/')
  await shoot('low', ada)

  app.at('2026-11-20T15:20:00Z')
  await app.spendElsewhere(98 - (await app.trueCount()))
  await app.enterReading(ada)
  app.nextMinute()
  await app.open(ada, '/')
  await shoot('reserve', ada)

  app.at('2026-11-23T12:01:00Z')
  await app.spendElsewhere(2)
  app.nextMinute()
  await app.open(ada, '/')
  await pressRefresh(ada)
  await ada.getByText(/^Probably used up/).waitFor()
  await app.open(ada, '/')
  await shoot('suspected', ada)
}

/** Day, requests of the first person, requests of the other client. The second person sends one a day. */
const HISTORY: readonly (readonly [day: string, own: number, others: number])[] = [
  ['04', 2, 1],
  ['06', 4, 4],
  ['09', 2, 0],
  ['11', 4, 5],
  ['13', 2, 7],
  ['16', 2, 3],
]
/** Before and after a day without the other client, so that the counts show what the service counts. */
const READ_ON = ['06', '09', '16']

/** The pages beside the month's card, and the card with a reading. */
async function pages(app: ScreenApp, shoot: Shoot, ada: Page): Promise<void> {
  app.at('2026-11-16T16:40:00Z')
  await app.open(ada, '/')
  await pressRefresh(ada)
  await ada.getByText('cost 1 request', { exact: true }).waitFor({ state: 'attached' })
  await shoot('with-reading', ada)
  await openAccountMenu(ada)
  await shoot('account-menu', ada)
  await ada.keyboard.press('Escape')
  await ada.getByLabel('Requests used so far').waitFor()
  await shoot('readings', ada)
  await app.open(ada, '/ledger')
  await ada.getByText('The same as a table').waitFor()
  await shoot('ledger', ada, { isLong: true })
  await shoot('forecast', ada, { of: ada.locator('section', { has: ada.locator('figure') }).last() })
  await app.open(ada, '/months')
  await ada.getByRole('heading', { level: 2 }).first().waitFor()
  await shoot('months', ada, { isLong: true })
  await app.open(ada, '/learnt')
  await ada.getByText(/open questions?: we assume/).waitFor()
  await shoot('learnt', ada, { isLong: true })
  await app.open(ada, '/sessions')
  await ada.getByText('This browser').first().waitFor()
  await shoot('sessions', ada)
  await withoutSignIn(app, shoot, ada)
  await shoot('control-plane', await app.openControlPlane())
  await app.open(ada, '/')
  await speak(ada, 'ja')
  await shoot('japanese', ada)
  await speak(ada, 'en')
  await isLive(ada)
  await ada.context().setOffline(true)
  await ada.getByText('Offline', { exact: true }).waitFor()
  await shoot('not-live', ada)
  await ada.context().setOffline(false)
}

/** The page of a watch link, and a second browser of a person. */
async function withoutSignIn(app: ScreenApp, shoot: Shoot, ada: Page): Promise<void> {
  await app.open(ada, '/links')
  await ada.getByLabel('Name of the link').fill('Kitchen')
  await ada.getByRole('button', { name: 'Make a link' }).click()
  const link = new URL(await ada.getByLabel('Link to the page').inputValue())
  await shoot('watch-links', ada)
  const guest = await app.newBrowser()
  await app.load(guest, link.pathname + link.hash)
  await isLive(guest)
  await guest.getByRole('slider').waitFor()
  await shoot('watched', guest)
  await speak(guest, 'ja')
  await shoot('watched-japanese', guest)
  await speak(guest, 'en')
  await app.load(guest, `${link.pathname}?wall`)
  await guest.locator('html[data-wall] figure').waitFor()
  await shoot('wall', guest)

  await app.open(ada, '/device')
  await ada.getByRole('button', { name: 'Show a code' }).click()
  await ada.getByRole('img', { name: /^QR code/ }).waitFor()
  await shoot('device', ada)
  const code = await ada.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
  const second = await app.newBrowser()
  await app.load(second, `/pair#${code}`)
  await second.getByRole('button', { name: 'Go on' }).click()
  await second.getByText('Type this number').waitFor()
  await shoot('second-browser', second)
}

const pressRefresh = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /Refresh/ })
    .last()
    .click()

const business: Play = async (app, shoot) => {
  await app.start('2026-11-12T10:00:00Z')
  await app.control('/limits', 'PUT', { 2002: { read_per_minute: 300, update_per_minute: 75 } })
  const page = await app.signInWithKey(2002)
  await shoot('plan-unknown', page)
  await app.control('/limits', 'PUT', {})
  app.nextMinute()
  await app.open(page, '/')
  await pressRefresh(page)
  await page.getByText('Business').first().waitFor()
  await shoot('business', page)
}

/** The hours in which the month may have been reset, and a month that this app alone has used up. */
const usedUp: Play = async (app, shoot) => {
  await app.start('2026-11-25T08:30:00Z')
  const people = [await app.signIn('Ada'), await app.signIn('Ben')]
  const [ada] = people as [Page, Page]
  for (const page of people) await app.read(page, 2)
  app.at('2026-11-30T18:00:00Z')
  for (const page of people) await app.open(page, '/')
  await app.read(ada, 2)
  app.nextMinute()
  await app.open(ada, '/')
  await shoot('boundary-zone', ada)

  app.at('2026-12-04T09:00:00Z')
  for (let rounds = 0; rounds < 60 && (await app.trueCount()) < 100; rounds += 1) {
    app.nextMinute()
    for (const page of people) await app.read(page, 2)
  }
  app.nextMinute()
  await app.open(ada, '/')
  await shoot('used-up-by-us', ada)
}

export const PLAYS: readonly Play[] = [...PAGE_PLAYS, standard, business, usedUp]
