import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { alertOf, alertRecordOf, storeAlertRecord } from '../../../src/web/alerts/levels.ts'
import { Alerts } from '../../../src/web/alerts/alerts.tsx'
import { useTitle } from '../../../src/web/lib/router.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { draw as drawAny, received, SESSION } from '../_month.tsx'
import { stubIllegalNotification, stubNotification } from '../_notification.ts'
import { AlertSetting } from '../../../src/web/alerts/setting.tsx'

const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href')
/** On the page that was drawn last. */
let give: ReturnType<typeof drawAny>['show']
function draw(...drawing: Parameters<typeof drawAny>) {
  const drawn = drawAny(...drawing)
  give = drawn.show
  return drawn
}
const receive = (changes: Parameters<typeof received>[0]) =>
  act(async () => {
    give(received(changes))
    // The page hears of it in a later task.
    await new Promise((resolve) => setTimeout(resolve))
  })
const turnOn = () =>
  storeAlertRecord('1001', alertOf(received({}).snapshot.month, received({}).wallMs, undefined).record)

function Titled() {
  useTitle('Harbour Rope Works')
  return <Alerts session={SESSION} />
}

beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">'
})

test('the title and the icon carry the state while the month is low or used up, and only then', async () => {
  const { unmount } = draw(<Titled />, received({}))
  expect([document.title, icon()]).toEqual(['Harbour Rope Works · Plimsoll', '/favicon.svg'])
  await receive({ low: 97, high: 97, organization: { low: 97, high: 97, reading_age_ms: 0 } })
  expect([document.title, icon()]).toEqual(['▲ 3 left · Harbour Rope Works', '/favicon-low.svg'])
  await receive(SUSPECTED)
  expect([document.title, icon()]).toEqual(['■ probably used up · Harbour Rope Works', '/favicon-none.svg'])
  unmount()
  expect([useUi.getState().titleMark, icon()]).toEqual(['', '/favicon.svg'])
})

test('a person who has not asked for notifications gets none, and nothing is stored', async () => {
  const { shown } = stubNotification('granted')
  draw(<Alerts session={SESSION} />, received({ low: 96, high: 96 }))
  await receive({ low: 100, high: 100 })
  expect(shown).toEqual([])
  expect(localStorage).toHaveLength(0)
})

test('a level is notified once, with the name of the organization', async () => {
  const { shown } = stubNotification('granted')
  turnOn()
  draw(<Alerts session={SESSION} />, received({ low: 80, high: 80 }))
  await expect.poll(() => shown).toHaveLength(1)
  expect(shown[0]?.title).toBe('80 % of the month may be used · Organization 1001')
  await receive({ low: 81, high: 81 })
  expect(shown).toHaveLength(1)
  expect(alertRecordOf('1001')?.done).toEqual([50, 80])
})

test('only one of several tabs notifies, by a lock if the browser has locks', async () => {
  const { shown } = stubNotification('granted')
  let held = Promise.resolve()
  let requests = 0
  const request = (_: string, work: () => void) => {
    requests += 1
    held = held.then(work)
    return held
  }
  vi.stubGlobal('navigator', { locks: { request } })
  turnOn()
  draw(
    <>
      <Alerts session={SESSION} />
      <Alerts session={SESSION} />
    </>,
    received({ low: 50, high: 50 }),
  )
  await expect.poll(() => requests).toBe(2)
  await held
  expect(shown).toHaveLength(1)
})

test('a browser that blocks notifications shows none, and marks none as shown', async () => {
  const { shown } = stubNotification('denied')
  turnOn()
  draw(<Alerts session={SESSION} />, received({ low: 80, high: 80 }))
  await receive({ low: 96, high: 96 })
  expect(shown).toEqual([])
  expect(alertRecordOf('1001')?.done).toEqual([])
})

test('a level counts as notified only if the browser has shown it', async () => {
  stubIllegalNotification()
  turnOn()
  const { unmount } = draw(<Alerts session={SESSION} />, received({ low: 80, high: 80 }))
  await receive({ low: 81, high: 81 })
  expect(alertRecordOf('1001')?.done).toEqual([])
  stubNotification('granted', 'granted', false)
  await receive({ low: 82, high: 82 })
  expect(alertRecordOf('1001')?.done).toEqual([])
  const { shown } = stubNotification('granted')
  await receive({ low: 83, high: 83 })
  await expect.poll(() => alertRecordOf('1001')?.done).toEqual([50, 80])
  expect(shown).toHaveLength(1)
  unmount()
})

const QUOTA = received({ low: 60, high: 60 })
const show = (quota = QUOTA) => draw(<AlertSetting session={SESSION} quota={quota} />, quota)

test('a press asks the browser and turns notifications on, and another one turns them off', async () => {
  const { asked, shown } = stubNotification('default', 'granted')
  const { user } = show()
  expect(asked()).toBe(0)
  expect(screen.getByText(/Notify me at 50, 80, 95, and 100 %: off/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(asked()).toBe(1)
  expect(await screen.findByText(/: on/)).toBeVisible()
  expect(alertRecordOf('1001')?.done).toEqual([50])
  expect(shown.map(({ title }) => title)).toEqual(['Notifications are on'])
  expect(screen.getByText(/Notifications come only while a page is open/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Turn off' }))
  expect(alertRecordOf('1001')).toBeUndefined()
})

test('if the browser blocks notifications, the page says so and has no button', async () => {
  stubNotification('default', 'denied')
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText(/The browser blocks notifications of this page/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
  expect(alertRecordOf('1001')).toBeUndefined()
})

test('without notifications or without a limit there is no setting (8.3)', () => {
  vi.stubGlobal('Notification', undefined)
  show()
  expect(document.body).toHaveTextContent('')
  stubNotification('granted')
  const { limit: _, ...month } = QUOTA.snapshot.month
  show({ ...QUOTA, snapshot: { ...QUOTA.snapshot, month } })
  expect(screen.queryByRole('button')).toBeNull()
})

test.each([
  ['throws', stubIllegalNotification],
  ['shows nothing', () => stubNotification('granted', 'granted', false)],
])('if the browser permits notifications and %s, the page says so, and notes nothing', async (_, stub) => {
  stub()
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText('This browser cannot notify; title and icon will show it.')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
  expect(alertRecordOf('1001')).toBeUndefined()
})
