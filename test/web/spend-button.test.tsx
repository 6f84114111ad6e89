import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Pause } from '../../src/contract/quota.ts'
import { useUi } from '../../src/web/ui.ts'
import { snapshot } from './_bff.ts'
import { openPage } from './_page.tsx'

afterEach(() => vi.useRealTimers())

const paused = (changes: Partial<Pause>) => ({
  quota: snapshot({
    pauses: [
      {
        code: 'rate_limited',
        class: 'read',
        ends_in_ms: 20_000,
        reasons: ['No reads are left.'],
        ...changes,
      },
    ],
  }),
})
const refresh = () => screen.findByRole('button', { name: 'Refresh · 1 request' })
const organization = () => screen.findByRole('region', { name: 'Organization 1001' })

test('the price stands on the button, and a press costs it (8.3)', async () => {
  const { bff, user } = openPage('/')
  await user.click(await refresh())
  expect(await screen.findByText('Harbour, refreshed')).toBeVisible()
  expect(await organization()).toHaveTextContent('as of just now · 1 request spent')
  expect(bff.spent()).toBe(1)
})

test('presses that follow each other fast cost one request', async () => {
  const { bff } = openPage('/')
  const button = await refresh()
  await screen.findByText('Harbour')
  let open = () => {}
  bff.gate = new Promise((resolve) => {
    open = resolve
  })
  act(() => {
    for (let times = 0; times < 5; times++) button.click()
  })
  expect(await screen.findByText('· 1 in flight')).toBeVisible()
  fireEvent.click(button)
  open()
  expect(await screen.findByText('Harbour, refreshed')).toBeVisible()
  expect(bff.spent()).toBe(1)
  await expect.poll(() => useUi.getState().sending).toBe(0)
})

test.each(['rate_limited', 'limit_unknown'] as const)(
  '%s holds the button back, with the wait and the reason',
  async (code) => {
    const { bff, user } = openPage('/', paused({ code }))
    await screen.findAllByText(/No reads are left/)
    const button = await refresh()
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await user.click(button)
    expect(bff.spent()).toBe(0)
    expect(within(await organization()).getByRole('timer')).toHaveTextContent('20 s')
  },
)

test('a suspicion of the month leaves the choice to the person (B36)', async () => {
  const { bff, user } = openPage('/', paused({ code: 'month_suspected', ends_in_ms: 900_000_000 }))
  const button = await screen.findByRole('button', { name: 'Try anyway · may use 1 request' })
  bff.quota = snapshot()
  await user.click(button)
  expect(await refresh()).toHaveAttribute('aria-disabled', 'false')
  expect(bff.spent()).toBe(1)
})

test('when the pause ends the button is back, the quota is read once more, and nothing is spent (B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { bff } = openPage('/', paused({}))
  await screen.findAllByText(/No reads are left/)
  const reads = bff.count('GET', '/bff/quota')
  bff.quota = snapshot()
  await act(() => vi.advanceTimersByTimeAsync(22_000))
  expect(await refresh()).toHaveAttribute('aria-disabled', 'false')
  expect(bff.count('GET', '/bff/quota')).toBe(reads + 1)
  expect(bff.spent()).toBe(0)
})

test('a press that fails is told once, keeps what is shown, and is not repeated (B34)', async () => {
  const { bff, user } = openPage('/')
  await screen.findByText('Harbour')
  bff.failures = { 'GET /api/organizations/1001': { code: 'upstream_timeout' } }
  await user.click(await refresh())
  expect(await screen.findByRole('alert')).toHaveTextContent('The service takes too long to answer')
  expect(screen.getByText('Harbour')).toBeVisible()
  expect(bff.spent()).toBe(1)
  bff.failures = {}
  await user.click(screen.getByRole('button', { name: 'Try again · 1 request' }))
  expect(await screen.findByText('Harbour, refreshed')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a refusal is told for as long as it holds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { bff } = openPage('/')
  await screen.findByText('Harbour')
  bff.failures = { 'GET /api/organizations/1001': { code: 'rate_limited' } }
  bff.quota = paused({}).quota
  fireEvent.click(await refresh())
  expect(await screen.findByRole('alert')).toHaveTextContent('The requests of this minute are used up')
  bff.quota = snapshot()
  await act(() => vi.advanceTimersByTimeAsync(22_000))
  expect(screen.queryByRole('alert')).toBeNull()
})
