import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { markedSignOut, markSignOut, unmarkSignOut } from '../../../src/web/session/sign-out-mark.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { gate, signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openHome, openPage, showAgain, signOut } from '../_page.tsx'

const settle = (ms = 30) => act(() => new Promise((resolve) => setTimeout(resolve, ms)))
const press = async (user: Awaited<ReturnType<typeof openPage>>['user'], name: string | RegExp) =>
  user.click(screen.getByRole('button', { name }))
const UNREPORTED = { name: 'Signed out in this browser only' }

let otherTab: BroadcastChannel | undefined
afterEach(() => {
  otherTab?.close()
  otherTab = undefined
})
function openOtherTab(): { seen: unknown[]; post: (message: string) => void } {
  const channel = new BroadcastChannel('plimsoll.sign-out')
  const seen: unknown[] = []
  channel.addEventListener('message', ({ data }: MessageEvent) => seen.push(data))
  otherTab = channel
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  return { seen, post: (message) => channel.postMessage(message) }
}

test('sign-out ends the session, deletes the data, and is confirmed (8.3)', async () => {
  const { network, user } = await openPage('/organizations/1001?tab=1')
  await screen.findByText(NAME)
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(useUi.getState().quota).toBeUndefined()
  expect(network.spent()).toBe(0)
  expect((await network.browser.session()).body.signed_in).toBe(false)
  expect(localStorage).toHaveLength(0)
})

test('from the press on the page shows no data, even before an answer (ASVS 14.3.1)', async () => {
  const { network, user } = await openHome()
  const { closed, open } = gate()
  network.gate = closed
  await signOut(user)
  expect(screen.getByText('Signing out…')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(useUi.getState().quota).toBeUndefined()
  open()
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})

test('an answer that comes after the sign-out brings nothing back (ASVS 14.3.1)', async () => {
  const { network, user } = await openHome()
  const slow = gate()
  network.gate = slow.closed
  await press(user, /^Refresh/)
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(2))
  network.gate = undefined
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  slow.open()
  await settle()
  expect(screen.getByText('You are signed out')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(useUi.getState().quota).toBeUndefined()
})

test('a sign-out that does not reach the server hides the data and can be repeated (attack 29)', async () => {
  const { network, user } = await openHome()
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  expect(await screen.findByRole('heading', UNREPORTED)).toBeVisible()
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(Date.now() + 30 * 86_400_000)
  expect(screen.getByText(/may still be open there/)).toHaveTextContent(day)
  network.cut.clear()
  await press(user, 'Sign out again')
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect((await network.browser.session()).body.signed_in).toBe(false)
  expect(markedSignOut()).toBeUndefined()
})

test('the page repeats it when the network is back, when the page is shown, and after a while', async () => {
  for (const again of ['online', 'shown', 'later'] as const) {
    const { network, user, unmount } = await openHome()
    network.cut.add('DELETE /bff/session')
    if (again === 'later')
      vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    act(() => screen.getByRole('button', { name: 'Sign out', hidden: true }).click())
    await screen.findByRole('heading', UNREPORTED)
    act(showAgain)
    await waitFor(() => expect(network.count('DELETE', '/bff/session')).toBe(2))
    expect(screen.getByRole('heading', UNREPORTED)).toBeVisible()
    network.cut.clear()
    if (again === 'online') act(() => void dispatchEvent(new Event('online')))
    if (again === 'shown') act(showAgain)
    if (again === 'later') await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await screen.findByText('You are signed out')).toBeVisible()
    expect((await network.browser.session()).body.signed_in).toBe(false)
    vi.useRealTimers()
    void user
    unmount()
  }
})

test('a page that is opened after an unfinished sign-out finishes it before it shows anything', async () => {
  markSignOut()
  const { network } = await openPage('/')
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /bff/session',
    'GET /bff/session',
  ])
})

test('an earlier unconfirmed sign-out does not end a later sign-in', async () => {
  const network = await signedInNetwork()
  const { user } = await openHome(network)
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  await screen.findByRole('heading', UNREPORTED)
  // Another tab has finished the sign-out, and signed in again.
  localStorage.clear()
  await network.browser.signOut()
  await signInByKey(network.fixture, network.browser)
  network.cut.clear()
  act(showAgain)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})

test('a sign-in removes the mark of an earlier sign-out, and one that fails does not', async () => {
  const { network, user } = await openPage('/', await signedInNetwork('none'))
  await user.click(await screen.findByText('Use an API key instead'))
  markSignOut()
  const field = screen.getByLabelText('API key')
  await user.type(field, 'plimsoll-no-such-key')
  await user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  await screen.findByRole('alert')
  expect(markedSignOut()).toBeDefined()
  await user.clear(field)
  await user.type(field, network.fixture.seed.api_keys[0]?.value ?? '')
  await user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(markedSignOut()).toBeUndefined()
})

test('another tab shows the sign-out at once, and drops an answer that it waits for (attack 30)', async () => {
  const { network, user } = await openHome()
  const slow = gate()
  network.gate = slow.closed
  await press(user, /^Refresh/)
  const tab = openOtherTab()
  tab.post('started')
  expect(await screen.findByText('Signing out…')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  network.gate = undefined
  await network.browser.signOut()
  tab.post('done')
  expect(await screen.findByText('You are signed out')).toBeVisible()
  slow.open()
  await settle()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.count('DELETE', '/bff/session')).toBe(0)
})

test('a tab announces its sign-out before and after it', async () => {
  const { network, user } = await openHome()
  const { seen } = openOtherTab()
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  await screen.findByRole('heading', UNREPORTED)
  network.cut.clear()
  await press(user, 'Sign out again')
  await screen.findByText('You are signed out')
  await expect.poll(() => seen).toEqual(['started', 'unreported', 'started', 'done'])
})

test('a sign-out that another tab could not report is shown here too', async () => {
  await openHome()
  openOtherTab().post('unreported')
  expect(await screen.findByRole('heading', UNREPORTED)).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test('a tab that closes during its sign-out leaves it to the others', async () => {
  const { network } = await openHome()
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  markSignOut()
  openOtherTab().post('started')
  await screen.findByText('Signing out…')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect((await network.browser.session()).body.signed_in).toBe(false)
})

const DAY_MS = 86_400_000

test('a mark stays until it is removed, and holds only the session’s end (ASVS 14.3.3)', () => {
  expect(markedSignOut()).toBeUndefined()
  const endsAtMs = Date.now() + DAY_MS
  markSignOut(endsAtMs)
  expect(markedSignOut()).toBe(endsAtMs)
  expect([localStorage.length, localStorage.getItem(localStorage.key(0) ?? '')]).toEqual([
    1,
    String(endsAtMs),
  ])
  unmarkSignOut()
  expect(markedSignOut()).toBeUndefined()
})

test('a session that has ended by itself needs no sign-out (4)', () => {
  markSignOut(Date.now() - 1)
  expect(markedSignOut()).toBeUndefined()
})

test('an unknown end is the latest possible instant (4)', () => {
  markSignOut()
  expect(markedSignOut()).toBeGreaterThan(Date.now() + 29 * DAY_MS)
})

test.each(['', 'true', '-1', '1e99', '9'.repeat(16)])('%j in the storage is not a mark', (value) => {
  markSignOut()
  localStorage.setItem(localStorage.key(0) ?? '', value)
  expect(markedSignOut()).toBeUndefined()
})

test('a browser that forbids the storage has no mark, and no error', () => {
  vi.stubGlobal('localStorage', undefined)
  markSignOut()
  unmarkSignOut()
  expect(markedSignOut()).toBeUndefined()
})
