import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { SignedOut } from '../../../src/contract/session.ts'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { deleteOtherSessions, deleteOwnSession, ownSessionsQuery } from '../../../src/web/sessions/queries.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { SESSION } from '../_month.tsx'
import { gate, signedInNetwork, signInByKey } from '../_network.ts'
import { follow, NAME, openPage } from '../_page.tsx'
import type { App } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'

afterEach(() => loadLanguage('en'))

const HOUR_MS = 3_600_000

/** In another browser with this name. */
async function elsewhere(fixture: App, userAgent: string): Promise<Person> {
  const browser = fixture.browser()
  const key = fixture.seed.api_keys.find(({ organization_id: id }) => id === 1001)?.value
  const headers = { 'User-Agent': userAgent }
  await browser.request('POST', '/bff/session', { json: { api_key: key }, headers })
  return browser
}

/** With two other sessions of the same key. */
async function openList() {
  const network = await signedInNetwork('api_key')
  const { fixture } = network
  fixture.advance(HOUR_MS)
  const phone = await elsewhere(fixture, 'Mozilla/5.0 (iPhone) Version/26.0 Mobile/1 Safari/604.1')
  fixture.advance(HOUR_MS)
  const laptop = await elsewhere(fixture, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/153.0')
  const spentBefore = network.spent()
  const opened = await openPage('/sessions', network)
  await screen.findByRole('list')
  return { ...opened, phone, laptop, spent: () => network.spent() - spentBefore }
}

const rows = () => screen.getAllByRole('listitem')
const isSignedIn = async (browser: Person) => (await browser.session()).body.signed_in

test('the header leads to the page, which asks the service nothing and names no price (8.3)', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  await follow(user, 'Your sessions')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Your sessions' })
  expect(location.pathname).toBe('/sessions')
  expect(heading).toHaveFocus()
  const link = screen.getByRole('link', { name: 'Your sessions', hidden: true })
  expect(link).toHaveAttribute('aria-current', 'page')
  expect(await screen.findByText('You have no other session.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
  expect(document.body).not.toHaveTextContent(/\d requests?\b/)
  await waitFor(() => expect(document.title).toBe('Your sessions · Plimsoll'))
  await user.click(screen.getByRole('link', { name: 'Back to quota and organization' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('each session has its browser and its local times, and this one is marked (ASVS 7.5.2)', async () => {
  const { spent } = await openList()
  const words = (iso: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(iso))
  const [newest, second, own] = rows()
  expect(newest).toHaveTextContent('Firefox on Linux')
  expect(newest).toHaveTextContent(words('2026-11-21T08:00:00Z'))
  expect(second).toHaveTextContent('Safari on iPhone')
  expect(own).toHaveTextContent(words('2026-11-21T06:00:00Z'))
  expect(rows().map((row) => within(row).queryByText('This browser') !== null)).toEqual([false, false, true])
  expect(within(newest as HTMLElement).getByRole('button', { name: 'End' })).toHaveAccessibleDescription(
    'Firefox on Linux',
  )
  expect(spent()).toBe(0)
})

test('a session ended by keyboard leaves the list, and the heading gets the focus', async () => {
  const { user, phone, laptop, spent } = await openList()
  within(rows()[1] as HTMLElement)
    .getByRole('button', { name: 'End' })
    .focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('The session in Safari on iPhone has ended.')).toBeVisible()
  expect(rows()).toHaveLength(2)
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true])
  expect(spent()).toBe(0)
})

test('all others are ended with one press, and this one stays', async () => {
  const { user, phone, laptop, network } = await openList()
  await user.click(screen.getByRole('button', { name: 'End all others' }))
  expect(await screen.findByText('2 other sessions ended.')).toBeVisible()
  expect(rows()).toHaveLength(1)
  expect(screen.getByText('You have no other session.')).toBeVisible()
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, false])
  expect(await isSignedIn(network.browser)).toBe(true)
})

test('the session of this browser is ended by a sign-out', async () => {
  const { user, phone } = await openList()
  await user.click(screen.getByRole('button', { name: 'Sign out here' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(await isSignedIn(phone)).toBe(true)
})

test('ending a session that has ended meanwhile is no error', async () => {
  const { user, laptop } = await openList()
  await laptop.signOut()
  await user.click(within(rows()[0] as HTMLElement).getByRole('button', { name: 'End' }))
  expect(await screen.findByText('The session in Firefox on Linux has ended.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(rows()).toHaveLength(2)
})

test('a failure is shown, the list stays, and fast presses count once', async () => {
  const { user, network } = await openList()
  network.cut.add('DELETE /bff/sessions')
  const { closed, open } = gate()
  network.gate = closed
  const button = screen.getByRole('button', { name: 'End all others' })
  await user.dblClick(button)
  expect(button).toHaveAttribute('aria-disabled', 'true')
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(network.count('DELETE', '/bff/sessions')).toBe(1)
  expect(rows()).toHaveLength(3)
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'End all others' }))
  expect(await screen.findByText('2 other sessions ended.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a press asks again for a list that could not be read', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/sessions')
  const { user } = await openPage('/sessions', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('This browser')).toBeVisible()
})

test('the page asks for the list each time it opens', async () => {
  const { user, network } = await openList()
  await user.click(screen.getByRole('link', { name: 'Plimsoll' }))
  await screen.findByText(NAME)
  await elsewhere(network.fixture, '')
  await follow(user, 'Your sessions')
  await waitFor(() => expect(rows()).toHaveLength(4))
})

test('the page says for each method what the list covers (2.1, 5.1)', async () => {
  const { unmount } = await openPage('/sessions')
  expect(await screen.findByText(/in this browser, and on devices that you connected/)).toBeVisible()
  unmount()
  await openList()
  expect(screen.getByText(/opened with your API key, in any browser/)).toBeVisible()
})

test('a browser whose session was ended elsewhere says so, even on the next day', async () => {
  const { user, phone, network, unmount } = await openList()
  await user.click(screen.getByRole('button', { name: 'End all others' }))
  await screen.findByText('2 other sessions ended.')
  unmount()
  expect(((await phone.session()).body as SignedOut).ended).toBe('elsewhere')
  const ended = await signedInNetwork('api_key')
  await signInByKey(ended.fixture, ended.browser)
  const other = await elsewhere(ended.fixture, '')
  await other.request('DELETE', '/bff/sessions')
  await openPage('/', ended)
  expect(await screen.findByRole('alert')).toHaveTextContent('You ended it in another browser')
  expect(network.spent()).toBe(2)
})

test('the list, the browsers and the result of a press are in Japanese too', async () => {
  await loadLanguage('ja')
  const { user, network } = await openList()
  await elsewhere(network.fixture, '')
  expect(rows()[0]).toHaveTextContent(/LinuxのFirefox.*開始：2026年11月21日 17:00最終利用/)
  await user.click(within(rows()[0] as HTMLElement).getByRole('button', { name: '終了' }))
  expect(await screen.findByText('LinuxのFirefoxのセッションを終了しました。')).toBeVisible()
  expect(rows()[0]).toHaveTextContent('その他のブラウザー')
  expect(latinSentences()).toEqual([])
  await user.selectOptions(screen.getByLabelText('言語'), 'en')
  expect(await screen.findByText('The session in Firefox on Linux has ended.')).toBeVisible()
})

const sessions = () => createQueryClient(() => {}).fetchQuery(ownSessionsQuery(SESSION))

test('one’s own sessions are listed and ended for free, and ending one twice is no error (ASVS 7.5.2)', async () => {
  const network = await signedInNetwork('api_key')
  const { fixture } = network
  for (const other of [fixture.browser(), fixture.browser()]) await signInByKey(fixture, other)
  const before = network.spent()
  const [own, another] = (await sessions()).toSorted((a, b) => Number(b.current) - Number(a.current))
  expect([own?.current, another?.current]).toEqual([true, false])
  await deleteOwnSession(another!.id)
  await deleteOwnSession(another!.id)
  expect(await sessions()).toHaveLength(2)
  await deleteOtherSessions()
  expect((await sessions()).map(({ current }) => current)).toEqual([true])
  expect(network.spent()).toBe(before)
})
