import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { alertRecordOf } from '../../../src/web/alerts/levels.ts'
import { AlertSetting } from '../../../src/web/alerts/setting.tsx'
import { draw, received, SESSION } from '../_month.tsx'
import { stubIllegalNotification, stubNotification } from '../_notification.ts'

const QUOTA = received({ low: 60, high: 60 })
const show = (quota = QUOTA) => draw(<AlertSetting session={SESSION} quota={quota} />, quota)

test('a press asks the browser and turns notifications on, and another one turns them off', async () => {
  const { asked, shown } = stubNotification('default', 'granted')
  const { user } = show()
  expect(asked()).toBe(0)
  expect(screen.getByText(/Notify me at 50, 80, 95 and 100 %: off/)).toBeVisible()
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
