// The states of the quota of which there are screenshots, in the order in which a month goes through them.
import type { Page } from 'playwright-core'
import type { ScreenApp } from './app.ts'
import { PAGE_PLAYS, PAGE_STATES } from './page-states.ts'
import type { Shoot } from './shot.ts'

/** Each state of the quota that is shown, and what it is. */
const QUOTA_STATES = {
  'month-fine': 'A month without a reading: only what this app has used is known',
  'with-reading': 'A month with a reading: the count of the whole organization, its pace and the minute',
  readings: 'Where the real count is entered, with the earlier readings',
  low: 'The last 10 requests',
  reserve: 'The last 2 requests, which are for signing in',
  suspected: 'The service refused while requests of the minute were left',
  'used-up-by-us': 'A month that this app alone has used up',
  business: 'Business, which has no limit in a month',
  'plan-unknown': 'Limits that belong to no plan that is known',
  'boundary-zone': 'Between the earliest and the latest instant at which the month may be reset',
  'not-live': 'The browser is offline: the cards show of when their values are',
  ledger: 'What used the quota',
  forecast: 'What is left, and where the pace leads',
  learnt: 'What the service turned out to do',
} as const
export const STATES = { ...PAGE_STATES, ...QUOTA_STATES }
export type StateName = keyof typeof STATES
export const isPageState = (name: StateName): name is keyof typeof PAGE_STATES => name in PAGE_STATES

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
    // A session ends a week after its page was last loaded.
    for (const page of [ada, ben]) await app.open(page, '/')
    await app.read(ada, own)
    app.at(`2026-11-${day}T14:05:00Z`)
    await app.read(ben)
    await app.spendElsewhere(others)
    // The plan page may show a count of an hour ago, so what was sent since is no evidence.
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
  await ada.getByText('Probably used up', { exact: true }).waitFor()
  await app.open(ada, '/')
  await shoot('suspected', ada)
}

/** Day, requests of the first person, and of the other client; the second person has one a day. */
const HISTORY: readonly (readonly [day: string, own: number, others: number])[] = [
  ['04', 2, 1],
  ['06', 4, 4],
  ['09', 2, 0],
  ['11', 4, 5],
  ['13', 2, 7],
  ['16', 2, 3],
]
/** Before and after a day on which the other client sends nothing, so that the service shows what it counts. */
const READ_ON = ['06', '09', '16']

/** The pages beside the month's card, and the card with a reading. */
async function pages(app: ScreenApp, shoot: Shoot, ada: Page): Promise<void> {
  app.at('2026-11-16T16:40:00Z')
  await app.open(ada, '/')
  await pressRefresh(ada)
  await ada.getByText('1 request spent').waitFor()
  await shoot('with-reading', ada)
  await ada.getByRole('button', { name: 'Read the real count · free' }).click()
  await ada.getByLabel('Monthly access count').waitFor()
  await shoot('readings', ada)
  await app.open(ada, '/ledger')
  await ada.getByText('The same as a table').waitFor()
  await shoot('ledger', ada, { isLong: true })
  await shoot('forecast', ada, { of: ada.locator('section', { has: ada.locator('figure') }) })
  await app.open(ada, '/learnt')
  await ada.getByText('Without it, assumed').first().waitFor()
  await shoot('learnt', ada, { isLong: true })
  await app.open(ada, '/')
  await ada.getByText('live', { exact: true }).waitFor()
  await ada.context().setOffline(true)
  await ada.getByText('offline', { exact: true }).waitFor()
  await shoot('not-live', ada)
  await ada.context().setOffline(false)
}

const pressRefresh = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^(Refresh|Try anyway)/ })
    .last()
    .click()

/** A plan that no limit gives away, and then Business. */
const business: Play = async (app, shoot) => {
  await app.start('2026-11-12T10:00:00Z')
  await app.control('/limits', 'PUT', { 2002: { read_per_minute: 300, update_per_minute: 75 } })
  const page = await app.signInWithKey(2002)
  await shoot('plan-unknown', page)
  await app.control('/limits', 'PUT', {})
  app.nextMinute()
  await app.open(page, '/')
  await pressRefresh(page)
  await page.getByText('Plan Business').waitFor()
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

/** Each has an app of its own. */
export const PLAYS: readonly Play[] = [...PAGE_PLAYS, standard, business, usedUp]
