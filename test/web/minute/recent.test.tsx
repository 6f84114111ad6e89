import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { RecentRequest } from '../../../src/contract/quota.ts'
import { MinuteCard } from '../../../src/web/minute/card.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { draw, received } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const request = (changes: Partial<RecentRequest> = {}): RecentRequest => ({
  id: 'one',
  age_ms: 14_000,
  kind: 'read',
  by: 'you',
  failed: false,
  ...changes,
})
const show = (...recent: RecentRequest[]) => draw(<MinuteCard />, received({}, { recent }))
const rows = () => within(screen.getByRole('list', { name: 'Last requests' })).getAllByRole('listitem')
const words = () => rows().map(({ textContent }) => textContent)

test('each of the last requests has its person, its kind and its age, newest first (8.3)', () => {
  show(
    request({ by: 'another', age_ms: 2000 }),
    request({ id: 'two', kind: 'check' }),
    request({ id: 'three', kind: 'sign_in', age_ms: 60_000 }),
  )
  expect(words()).toEqual([
    'Someone else read the organization 2 s ago',
    'You checked limits 14 s ago',
    'You signed in 1 minute ago',
  ])
})

test('a request that failed says so, and a refresh alone has its own word (8.3)', () => {
  show(request({ failed: true }), request({ id: 'two', kind: 'refresh' }))
  expect(words()).toEqual(['You read the organization · failed 14 s ago', 'You refreshed the token 14 s ago'])
})

test('the ages go on without a request', async () => {
  vi.useFakeTimers()
  show(request())
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(words()).toEqual(['You read the organization 17 s ago'])
})

test('only a new request of somebody else is marked, for a short time (8.3)', async () => {
  vi.useFakeTimers()
  show(
    request({ age_ms: 0 }),
    request({ id: 'two', by: 'another', age_ms: 1000 }),
    request({ id: 'three', by: 'another' }),
  )
  const marked = () => rows().map((row) => 'new' in row.dataset)
  expect(marked()).toEqual([false, true, false])
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(marked()).toEqual([false, false, false])
})

test('a snapshot without the list, or with an empty one, shows none', () => {
  const { unmount } = draw(<MinuteCard />, received({}))
  expect(screen.queryAllByRole('listitem')).toEqual([])
  unmount()
  show()
  expect(screen.queryAllByRole('listitem')).toEqual([])
})

test('a press of another person comes into the list by itself, and is not announced (8.3)', async () => {
  const network = await signedInNetwork()
  const other = network.fixture.browser()
  await other.signIn()
  network.isLive = true
  await openPage('/', network)
  await screen.findByRole('meter', { name: 'Read requests left this minute' })
  network.fixture.advance(1000)
  const before = network.spent()
  await other.spend('/organizations/1001')
  expect(await screen.findByText(/^read the organization/)).toBeVisible()
  expect(words()[0]).toBe('Someone else read the organization just now')
  expect(network.spent()).toBe(before + 1)
  for (const status of screen.getAllByRole('status')) expect(status).not.toHaveTextContent('Someone else')
})

test('in Japanese no English word is left', async () => {
  await loadLanguage('ja')
  useUi.setState({ quota: undefined })
  const recent = [
    request({ by: 'another' }),
    request({ id: 'two', kind: 'check', failed: true }),
    request({ id: 'three', kind: 'sign_in' }),
  ]
  draw(<MinuteCard />, received({}, { recent }))
  const list = screen.getByRole('list', { name: '最近のリクエスト' })
  expect(list).toHaveTextContent('ほかの人が 組織を読み取り 14秒前')
  expect(list).not.toHaveTextContent(/[A-Za-z]/)
})
