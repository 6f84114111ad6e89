import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { arrival } from '../../../src/web/session/session.ts'
import { announceSession, gate, signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openHome, showAgain } from '../_page.tsx'
import {
  forgetOrganizations,
  lastOrganizations,
  rememberOrganization,
} from '../../../src/web/session/last-organizations.ts'

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))
const BUSINESS = 'Meridian Shipping'

test('the reason of a session’s end stays when the page is shown again (attack 31)', async () => {
  const network = await signedInNetwork('api_key')
  await openHome(network)
  const other = network.fixture.browser()
  await signInByKey(network.fixture, other)
  await other.request('DELETE', '/bff/sessions')
  const reason = /You ended it in another browser/
  act(showAgain)
  expect(await screen.findByText(reason)).toBeVisible()
  act(showAgain)
  await settle()
  expect(screen.getByText(reason)).toBeVisible()
})

test('a page that is shown again reads session and quota, and spends nothing (B19)', async () => {
  const { network } = await openHome()
  // The chart comes after the first drawing.
  await waitFor(() => expect(network.count('GET', '/bff/ledger/days')).toBe(1))
  await settle()
  const before = network.calls.length
  for (let times = 0; times < 3; times++) dispatchEvent(new Event('online'))
  await settle()
  expect(network.calls.slice(before).map(({ method, path }) => method + path)).toEqual([])
  act(showAgain)
  await waitFor(() => expect(network.calls).toHaveLength(before + 3))
  await settle()
  const asked = network.calls.slice(before).map(({ path }) => path)
  expect(asked.toSorted()).toEqual(['/api/organizations/1001', '/bff/quota', '/bff/session'])
  expect(network.spent()).toBe(0)
})

const pageShow = () => Object.assign(new Event('pageshow'), { persisted: true })

test('a page out of the browser’s memory is hidden, and loads anew (attack 31)', async () => {
  const { network } = await openHome()
  const isHidden = () => document.documentElement.hidden
  dispatchEvent(new Event('pagehide'))
  expect(isHidden()).toBe(true)
  dispatchEvent(new Event('pageshow'))
  expect(isHidden()).toBe(false)
  dispatchEvent(new Event('pagehide'))
  await network.browser.signOut()
  dispatchEvent(pageShow())
  expect(isHidden()).toBe(true)
  document.documentElement.hidden = false
  expect(await screen.findByRole('textbox', { name: /^Organization id/ })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test('a session that ends during a press leads to the sign-in, with the reason (5.5)', async () => {
  const { network, user } = await openHome()
  // The grant has ended: the service refuses the access token and the refresh token.
  network.fixture.intercept(async (request) =>
    request.url.endsWith('/oauth2/token')
      ? Response.json({ error: 'invalid_grant' }, { status: 400 })
      : new Response('{}', { status: 401 }),
  )
  await user.click(screen.getByRole('button', { name: /^Refresh/ }))
  expect(await screen.findByLabelText(/organization id/i)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Access was withdrawn or has expired')
})

test('a read of the quota notices the end of the session too', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/quota')
  const { user } = await openHome(network)
  const again = await screen.findByRole('button', { name: 'Try again · free' })
  await network.browser.signOut()
  network.cut.clear()
  await user.click(again)
  expect(await screen.findByRole('textbox', { name: /^Organization id/ })).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Your session has ended')
})

test.each([
  ['a page that is shown again', async () => act(showAgain)],
  ['a press', async () => act(() => screen.getByRole('button', { name: /^Refresh/ }).click())],
])(
  '%s shows the organization of another tab’s sign-in, and costs nothing (5.3, attack 30, attack 32)',
  async (...row) => {
    const { network } = await openHome()
    await network.browser.signIn('2002', 'Cleo')
    const spent = network.spent()
    await row[1]()
    expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
    expect(screen.queryByText(NAME)).toBeNull()
    expect(network.spent()).toBe(spent)
  },
)

test('an answer that is overtaken by the sign-in of another tab shows nothing of the former session (attack 30)', async () => {
  const network = await signedInNetwork()
  await openHome(network)
  const slow = gate()
  const { fetch } = network.browser
  // The answer is made before the sign-in of the other tab, and comes after it.
  network.browser.fetch = async (path, init) => {
    const answer = await fetch.call(network.browser, path, init)
    if (path === '/bff/session') await slow.closed
    return answer
  }
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(2))
  network.browser.fetch = fetch
  await network.browser.signIn('2002', 'Cleo')
  act(announceSession)
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  slow.open()
  await settle()
  expect(screen.getByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test.each(['no object', { ended: 'nonsense' }, { ended: 7 }])(
  'a history entry of another version (%j) says nothing',
  (stored) => {
    history.replaceState({ 'plimsoll.arrival': stored }, '')
    expect(arrival()).toEqual({})
  },
)

test('at most five organizations are stored, the newest first, each once', () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '3']) rememberOrganization({ id, name: `Name ${id}` })
  expect(lastOrganizations().map(({ id }) => id)).toEqual(['3', '6', '5', '4', '2'])
})

test('a missing name does not replace a known one, and a new name does', () => {
  rememberOrganization({ id: '1' })
  expect(lastOrganizations()).toEqual([{ id: '1' }])
  rememberOrganization({ id: '1', name: 'Old' })
  rememberOrganization({ id: '1' })
  expect(lastOrganizations()).toEqual([{ id: '1', name: 'Old' }])
  rememberOrganization({ id: '1', name: 'New' })
  expect(lastOrganizations()).toEqual([{ id: '1', name: 'New' }])
})

test.each(['no json', '{}', '[{"id":"0"}]', '[{"id":1001},{"name":"x"}]', 'null'])(
  'a stored text that is not a list of organizations, such as %s, is ignored',
  (stored) => {
    localStorage.setItem('plimsoll.organizations', stored)
    expect(lastOrganizations()).toEqual([])
  },
)

test('without a storage there is no list, and no error', () => {
  vi.stubGlobal('localStorage', undefined)
  rememberOrganization({ id: '1' })
  forgetOrganizations()
  expect(lastOrganizations()).toEqual([])
})
