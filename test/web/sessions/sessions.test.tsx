import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pair } from '../../bff/pairing/_pairing.ts'
import { hold, signedInNetwork } from '../_network.ts'
import { follow, NAME, openHome, openPage } from '../_page.tsx'
import type { App } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'

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
  const { network, user } = await openHome()
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

test('of two equal browsers the one that a code has opened is marked (8)', async () => {
  const network = await signedInNetwork('oauth')
  network.fixture.advance(HOUR_MS)
  await pair(network.browser, network.fixture.browser())
  await openPage('/sessions', network)
  await screen.findByRole('list')
  expect(rows().map((row) => within(row).queryByText('opened by a code') !== null)).toEqual([true, false])
})

test('a session ended by keyboard leaves the list, and the list gets the focus', async () => {
  const { user, phone, laptop, spent } = await openList()
  within(rows()[1] as HTMLElement)
    .getByRole('button', { name: 'End' })
    .focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('The session in Safari on iPhone has ended.')).toBeVisible()
  expect(rows()).toHaveLength(2)
  await waitFor(() => expect(screen.getAllByRole('list').at(-1)).toHaveFocus())
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true])
  expect(spent()).toBe(0)
})

test('all others are ended with one press, and this one stays', async () => {
  const { user, phone, laptop, network } = await openList()
  const asked = network.count('GET', '/bff/session')
  await user.click(screen.getByRole('button', { name: 'End all others' }))
  expect(await screen.findByText('2 other sessions ended.')).toBeVisible()
  // The menu of organizations is in its answer.
  expect(network.count('GET', '/bff/session')).toBe(asked + 1)
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

test('a failure is shown, the list stays, fast presses count once, and "Try again" ends them (RFC 9457)', async () => {
  const { user, network } = await openList()
  network.cut.add('DELETE /bff/sessions')
  const open = hold(network)
  const button = screen.getByRole('button', { name: 'End all others' })
  await user.dblClick(button)
  expect(button).toHaveAttribute('aria-disabled', 'true')
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(network.count('DELETE', '/bff/sessions')).toBe(1)
  expect(rows()).toHaveLength(3)
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await screen.findByText('2 other sessions ended.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the page says for each method what the list covers (2.1, 5.1)', async () => {
  const { unmount } = await openPage('/sessions')
  expect(await screen.findByText(/in this browser, and on devices that you connected/)).toBeVisible()
  unmount()
  await openList()
  expect(screen.getByText(/opened with your API key, in any browser/)).toBeVisible()
})

async function openSessions() {
  const network = await signedInNetwork('api_key')
  const opened = await openPage('/sessions', network)
  await screen.findByRole('list')
  return opened
}

const opener = () => screen.getByRole('button', { name: 'Name this browser' })
/** Its code is loaded at the press. */
const field = () => screen.findByRole('textbox', { name: 'Name of this browser' })
const row = () => screen.getByRole('listitem')

test('a person names the browser by keyboard: the row has the name, and the button the focus (ASVS 7.5.2)', async () => {
  const { user, network } = await openSessions()
  expect(opener()).toHaveAttribute('aria-expanded', 'false')
  opener().focus()
  await user.keyboard('{Enter}')
  expect(await field()).toHaveFocus()
  expect(await field()).toHaveValue('')
  expect(opener()).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('  Aya, office {Enter}')
  expect(await screen.findByText('This browser is now called “Aya, office”.')).toBeVisible()
  expect(row()).toHaveTextContent(/^Aya, office This browser/)
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(opener()).toHaveFocus()
  expect(network.spent()).toBe(0)
  await user.click(opener())
  expect(await field()).toHaveValue('Aya, office')
  await user.clear(await field())
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This browser has no name of its own now.')).toBeVisible()
  expect(row()).toHaveTextContent(/^Another browser This browser/)
})

test('Escape, Cancel and a second press close the field, change nothing and return the focus', async () => {
  const { user, network } = await openSessions()
  for (const close of [
    () => user.keyboard('{Escape}'),
    () => user.click(screen.getByRole('button', { name: 'Cancel' })),
    () => user.click(opener()),
  ]) {
    await user.click(opener())
    await user.type(await field(), 'Aya')
    await close()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(opener()).toHaveFocus()
  }
  expect(network.count('PUT', '/bff/browser')).toBe(0)
  expect(row()).toHaveTextContent(/^Another browser/)
})

test('Escape that ends the composition of an input method leaves the field open', async () => {
  const { user } = await openSessions()
  await user.click(opener())
  const input = await field()
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true }))
  expect(await field()).toBeVisible()
})

test.each([
  ['x'.repeat(41), 'Use at most 40 characters.'],
  ['Aya\u202Eoffice', 'Use one line, without invisible characters.'],
])('the name %j is refused beside the field, and not sent', async (name, words) => {
  const { user, network } = await openSessions()
  await user.click(opener())
  await user.click(await field())
  await user.paste(name)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await field()).toHaveAccessibleDescription(words)
  expect(await field()).toBeInvalid()
  expect(await field()).toHaveFocus()
  expect(network.count('PUT', '/bff/browser')).toBe(0)
})

test('a failure is shown, the field keeps what was typed, and fast presses count once', async () => {
  const { user, network } = await openSessions()
  network.cut.add('PUT /bff/browser')
  await user.click(opener())
  await user.type(await field(), 'Aya')
  const open = hold(network)
  await user.dblClick(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(await field()).toHaveValue('Aya')
  expect(network.count('PUT', '/bff/browser')).toBe(1)
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This browser is now called “Aya”.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
