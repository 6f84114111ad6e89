import { expect, test } from 'vitest'
import { startApp, type App } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { listen, makeLink, open, quotaOf, signedInMaker } from './_links.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const sentBy = (instances: readonly App[]) => instances.reduce((sum, { sent }) => sum + sent.length, 0)

/** The same browser, which reaches another instance now. */
function at(instance: App, viewer: Person): Person {
  const moved = instance.browser()
  for (const [name, value] of viewer.cookies) moved.cookies.set(name, value)
  return moved
}

test('50 watchers for 24 hours, two instances and six restarts: the service sees nothing (8.3)', async () => {
  const first = startApp()
  const link = await makeLink(await signedInMaker(first), { name: 'Everywhere', days: 2 })
  const instances = [first, first.another()]
  const running = [...instances]
  const before = sentBy(instances)
  const watchers = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => {
      const viewer = (running[nth % 2] as App).browser()
      expect((await open(viewer, link)).status).toBe(200)
      return viewer
    }),
  )
  for (const viewer of watchers.slice(0, 10)) await listen(viewer, link)
  for (let hour = 1; hour <= 24; hour++) {
    first.advance(HOUR_MS)
    if (hour % 4 === 0) {
      running[(hour / 4) % 2] = first.another()
      instances.push(running[(hour / 4) % 2] as App)
    }
    const answers = watchers.map(async (viewer, nth) => {
      const here = at(running[(nth + hour) % 2] as App, viewer)
      const [quota, days] = [
        await quotaOf(here, link.id),
        await here.request('GET', `/watch/days/${link.id}`),
      ]
      return [quota.status, quota.body.month.limit, days.status]
    })
    expect(new Set((await Promise.all(answers)).map(String))).toEqual(new Set(['200,100,200']))
  }
  expect(sentBy(instances) - before).toBe(0)
})

test('a month of ten people with two browsers each: at most 3 requests for looking (8.3)', async () => {
  const alone = startApp()
  const signIns = Array.from({ length: 20 }, async (_, nth) =>
    signedInMaker(alone, undefined, nth % 2 ? 'Ben' : undefined),
  )
  for (const browser of await Promise.all(signIns)) expect((await browser.quota()).month.limit).toBe(100)
  const fixture = startApp()
  const link = await makeLink(await signedInMaker(fixture), { name: 'Team', days: 31 })
  const browsers = Array.from({ length: 20 }, () => fixture.browser())
  for (const browser of browsers) await open(browser, link)
  for (let day = 0; day < 30; day++) {
    fixture.advance(DAY_MS)
    for (const browser of browsers) expect((await quotaOf(browser, link.id)).status).toBe(200)
  }
  const [before, now] = [alone, fixture].map(({ paid, sent }) => ({
    least: paid().length,
    most: sent.length,
  }))
  console.info(
    `looking, of 100: ${before?.least} to ${before?.most} by sign-ins, ${now?.least} to ${now?.most} by a link`,
  )
  expect(before).toEqual({ least: 20, most: 40 })
  expect(now?.most).toBeLessThanOrEqual(3)
})
