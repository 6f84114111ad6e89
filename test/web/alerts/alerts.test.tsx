import { act, cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { Alerts, AlertSetting, settingOf, turn } from '../../../src/web/alerts/alerts.tsx'
import { useTitle } from '../../../src/web/lib/router.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { draw as drawAny, received, SESSION } from '../_month.tsx'
import { stubIllegalNotification, stubNotification } from '../_notification.ts'

const DAY_MS = 86_400_000
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const used = (count: number) => ({ low: count, high: count })
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const { limit: _, ...unlimited } = received({}).snapshot.month

/** @param laterMs than the day of all other snapshots */
const quotaOf = (changes: Partial<MonthSnapshot>, laterMs = 0) => {
  const quota = received(changes)
  return { ...quota, wallMs: quota.wallMs + laterMs }
}
const record = () => localStorage.getItem('plimsoll.alerts.1001')
const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href')

/** On the page that was drawn last. */
let give: ReturnType<typeof drawAny>['show']
function draw(...drawing: Parameters<typeof drawAny>) {
  const drawn = drawAny(...drawing)
  give = drawn.show
  return drawn
}
const receive = (changes: Partial<MonthSnapshot>, laterMs = 0) =>
  act(async () => {
    give(quotaOf(changes, laterMs))
    // The page hears of it in a later task.
    await new Promise((resolve) => setTimeout(resolve))
  })

/** Turned on in an unused month; the trial notification is forgotten. */
async function turnedOn(changes: Partial<MonthSnapshot> = used(0)) {
  const { shown, asked } = stubNotification('granted')
  await turn(true, '1001', quotaOf(changes))
  shown.length = 0
  return { shown, asked, titles: () => shown.map(({ title }) => title.replace(/ · Organization 1001$/, '')) }
}

function Titled() {
  useTitle('Harbour Rope Works')
  return <Alerts session={SESSION} />
}

beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">'
})

test.each<[Partial<MonthSnapshot>, mark: string, icon: string]>([
  [{}, '', ''],
  [{ ...reading(45), allowance_per_day: 8 }, '', ''],
  [{ low: 90, high: 97 }, '▲ at most 10 left', '-low'],
  [reading(95, 97), '▲ 3–5 left', '-low'],
  [used(100), '■ none left', '-none'],
  [SUSPECTED, '■ none left', '-none'],
  [{ ...reading(0, 90), may_have_reset: true }, '', ''],
  [{ ...used(5000), limit: undefined as never }, '', ''],
])('at %o the title begins with %j, and the icon shows the same', async (changes, mark, name) => {
  const { unmount } = draw(<Titled />, received(changes))
  expect(document.title).toBe(mark === '' ? 'Harbour Rope Works · Plimsoll' : `${mark} · Harbour Rope Works`)
  expect(icon()).toBe(`/favicon${name}.svg`)
  unmount()
  expect([useUi.getState().titleMark, icon()]).toEqual(['', '/favicon.svg'])
})

test('a pause leaves the title as it is, because it is over soon (8.2)', () => {
  const pause = { code: 'rate_limited', ends_in_ms: 50_000, reasons: [] } as const
  draw(<Titled />, received({ ...reading(45), allowance_per_day: 8 }, { pauses: [pause] }))
  expect(document.title).toBe('Harbour Rope Works · Plimsoll')
})

test('a person who has not asked for notifications gets none, and nothing is stored', async () => {
  const { shown } = stubNotification('granted')
  draw(<Alerts session={SESSION} />, received(used(96)))
  await receive(used(100))
  expect(shown).toEqual([])
  expect(localStorage).toHaveLength(0)
})

const LEVEL = { 50: '50% of the month may be used', 80: '80% of the month may be used' }
const HIGHEST = '95% of the month may be used'
const NONE = 'No requests of the month are left'

test.each<[Partial<MonthSnapshot>[], string[]]>([
  [[49, 50, 51, 80, 94, 95, 100, 100].map(used), [LEVEL[50], LEVEL[80], HIGHEST, NONE]],
  [[96, 40, 85].map(used), [HIGHEST]],
  // Requests that may count reach a level, but only those that surely count reach the last.
  [
    [
      { low: 10, high: 50 },
      { low: 10, high: 100 },
    ],
    [LEVEL[50], HIGHEST],
  ],
  [
    [{ ...used(3), ...SUSPECTED }, used(3), used(50)],
    [NONE, LEVEL[50]],
  ],
  [[unlimited, { ...unlimited, ...SUSPECTED }], [NONE]],
  [[{ ...reading(0, 90), may_have_reset: true }], []],
])('each level and a refusal are notified once: %o gives %j (8.3)', async (steps, titles) => {
  const notified = await turnedOn()
  draw(<Alerts session={SESSION} />, received(used(0)))
  for (const step of steps) {
    await receive(step)
    await act(() => new Promise((resolve) => setTimeout(resolve)))
  }
  expect(notified.titles()).toEqual(titles)
})

test('a notification says what was used, or when the month is reset, and for whom', async () => {
  const { shown } = await turnedOn()
  draw(<Alerts session={SESSION} />, received(reading(80, 82)))
  await expect.poll(() => shown).toHaveLength(1)
  expect(shown[0]?.title).toBe('80% of the month may be used · Organization 1001')
  expect(shown[0]?.options.body).toMatch(/has used 80–82 of 100; 3 of them through this app\./)
  await receive(used(100))
  await expect.poll(() => shown).toHaveLength(2)
  expect(shown[1]?.options.body).toBe('It is reset between Dec 1, 3:13 AM and Dec 1, 12:13 PM.')
})

test('a level that was reached before they were turned on is not notified', async () => {
  const { titles } = await turnedOn(used(85))
  draw(<Alerts session={SESSION} />, received(used(86)))
  await receive(used(95))
  await expect.poll(titles).toEqual([HIGHEST])
})

test('a reset that moves by two days is the same month, and the next month starts from nothing', async () => {
  const { titles } = await turnedOn(used(85))
  draw(<Alerts session={SESSION} />, received(used(85)))
  for (const days of [2, -2]) await receive(used(85), days * DAY_MS)
  expect(titles()).toEqual([])
  await receive(used(85), 28 * DAY_MS)
  await expect.poll(titles).toEqual([LEVEL[80]])
})

test('two tabs that get a change at once show one notification, by its tag', async () => {
  const { shown } = await turnedOn()
  const before = record() ?? ''
  for (const _ of 'ab') {
    // As a tab that has not seen yet what the other one has stored.
    localStorage.setItem('plimsoll.alerts.1001', before)
    draw(<Alerts session={SESSION} />, received(used(50)))
    await expect.poll(() => record()).not.toBe(before)
    cleanup()
  }
  expect(shown).toHaveLength(1)
})

test('a level counts as notified only if the browser has shown it', async () => {
  await turnedOn()
  const before = record()
  stubIllegalNotification()
  draw(<Alerts session={SESSION} />, received(used(80)))
  await receive(used(81))
  expect(record()).toBe(before)
  cleanup()
  const { shown } = stubNotification('granted')
  draw(<Alerts session={SESSION} />, received(used(82)))
  await expect.poll(() => record()).not.toBe(before)
  expect(shown).toHaveLength(1)
})

test.each(['', '{', '{"resetsAtMs":1,"done":[50],"blocked":false}'])(
  'a damaged record, or one of an earlier version, counts as one of another month: %j',
  async (stored) => {
    const { titles } = await turnedOn()
    localStorage.setItem('plimsoll.alerts.1001', stored)
    draw(<Alerts session={SESSION} />, received(used(80)))
    await expect.poll(titles).toEqual([LEVEL[80]])
  },
)

const QUOTA = received(used(60))
const show = (quota = QUOTA) => draw(<AlertSetting session={SESSION} quota={quota} />, quota)

test('a press asks the browser and turns notifications on, and another one turns them off', async () => {
  const { asked, shown } = stubNotification('default', 'granted')
  const { user } = show()
  expect(asked()).toBe(0)
  expect(screen.getByText(/Notify me at 50, 80, 95, and 100%: off/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(asked()).toBe(1)
  expect(await screen.findByText(/: on/)).toBeVisible()
  expect(shown.map(({ title }) => title)).toEqual(['Notifications are on'])
  expect(screen.getByText(/Notifications come only while a page is open/)).toBeVisible()
  expect([settingOf('1001'), settingOf('2002')]).toEqual(['on', 'off'])
  await user.click(screen.getByRole('button', { name: 'Turn off' }))
  expect(record()).toBeNull()
})

test('without notifications or without a limit there is no setting (8.3)', () => {
  vi.stubGlobal('Notification', undefined)
  show()
  expect(document.body).toHaveTextContent('')
  stubNotification('granted')
  show({ ...QUOTA, snapshot: { ...QUOTA.snapshot, month: unlimited } })
  expect(screen.queryByRole('button')).toBeNull()
})

test('a browser that forbids the storage keeps notifications off, and reports no error', async () => {
  stubNotification('granted')
  vi.stubGlobal('localStorage', undefined)
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText(/: off/)).toBeVisible()
})

test.each<[string, stub: () => unknown, words: string]>([
  [
    'blocks notifications',
    () => stubNotification('default', 'denied'),
    'The browser blocks notifications of',
  ],
  ['permits them and throws', stubIllegalNotification, 'This browser cannot show notifications'],
])('if the browser %s, the page says so, notes nothing, and has no button', async (_, stub, words) => {
  stub()
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText(words, { exact: false })).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
  expect(record()).toBeNull()
})
