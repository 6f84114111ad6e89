import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { MOST_ORGANIZATIONS, type SignedIn } from '../../../src/contract/session.ts'
import { BUSINESS } from '../../kit/app.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openHome, openPage, openSecond, quotaOfPage, showAgain, signOut } from '../_page.tsx'
import { lastOrganizations, rememberOrganization } from '../../../src/web/session/last-organizations.ts'

/** From the menu of the organization. */
async function openAll(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: /, Your organizations$/ }))
  await user.click(screen.getByRole('link', { name: 'All your organizations' }))
}

async function openBoth() {
  const opened = await openSecond()
  await openAll(opened.user)
  await screen.findByRole('heading', { level: 1, name: 'Your organizations' })
  return opened
}

test('the header leads to the browser’s organizations, and a press changes between them for free (5.3)', async () => {
  const { network, user, spent } = await openBoth()
  expect(location.pathname).toBe('/organizations')
  const rows = within(screen.getAllByRole('list')[0] ?? document.body).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Meridian Shipping (2002) Open now',
    'Open organization 1001 · free',
  ])
  expect(screen.getByText(new RegExp(`Up to ${MOST_ORGANIZATIONS}`))).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect([location.pathname, spent()]).toEqual(['/', 0])
  expect(screen.queryByRole('heading', { name: 'Meridian Shipping' })).toBeNull()
  await openAll(user)
  await user.dblClick(await screen.findByRole('button', { name: 'Open Meridian Shipping (2002) · free' }))
  expect(await screen.findByRole('heading', { name: 'Meridian Shipping' })).toBeVisible()
  expect([network.calls.filter(({ method }) => method === 'POST').length, spent()]).toEqual([2, 0])
})

test('"Try again" opens the organization that could not be opened (5.3)', async () => {
  const { network, user } = await openBoth()
  const [other] = (await network.browser.session()).body.others ?? []
  network.cut.add(`POST /bff/sessions/${other?.id}`)
  await user.click(screen.getByRole('button', { name: 'Open organization 1001 · free' }))
  await screen.findByRole('alert')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('an organization whose session has ended elsewhere does not open, and the page says why (5.3)', async () => {
  const { network, user } = await openBoth()
  const [other] = (await network.browser.session()).body.others ?? []
  await network.browser.request('DELETE', `/bff/sessions/${other?.id}`)
  const open = screen.getByRole('button', { name: 'Open organization 1001 · free' })
  await user.click(open)
  expect(await screen.findByRole('alert')).toHaveTextContent(/^The session of organization 1001 has ended/)
  await waitFor(() => expect(open).not.toBeInTheDocument())
  // The session of the page goes on.
  expect(screen.queryByRole('button', { name: 'Go to the start page' })).toBeNull()
})

test('where that session has ended, the address of the organization offers its sign-in (5.3)', async () => {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  const [other] = (await network.browser.session()).body.others ?? []
  const { user } = await openPage('/organizations/1001', network)
  const open = await screen.findByRole('button', { name: 'Open organization 1001 · free' })
  await network.browser.request('DELETE', `/bff/sessions/${other?.id}`)
  await user.click(open)
  expect(await screen.findByRole('alert')).toHaveTextContent(/^The session of organization 1001 has ended/)
  expect(await screen.findByRole('button', { name: 'Organization 1001 · 1–2 requests' })).toBeVisible()
  expect(open).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Go to the start page' })).toBeNull()
})

test('the page offers a further sign-in, but not of an open organization (5.3)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const { user } = await openBoth()
  expect(screen.queryByRole('button', { name: /Meridian Shipping \(2002\) · 1/ })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Sandbox' })).toBeNull()
  await user.type(screen.getByRole('textbox', { name: /^Organization id/ }), '3003{Enter}')
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('organization_id')).toBe('3003')
})

test('"Remove all" forgets what it shows, and no organization that is open (5.3)', async () => {
  rememberOrganization({ id: '77' })
  rememberOrganization({ id: '88' })
  const { user } = await openPage('/organizations')
  const last = await screen.findByRole('region', { name: 'Last used in this browser' })
  await expect.poll(() => lastOrganizations().map(({ id }) => id)).toEqual(['1001', '88', '77'])
  expect(within(last).getAllByRole('button')).toHaveLength(3)
  await user.click(within(last).getByRole('button', { name: 'Remove all' }))
  expect(lastOrganizations().map(({ id }) => id)).toEqual(['1001'])
  expect(last).not.toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: /^Organization id/ })).toHaveFocus()
})

test('a page whose session was ended elsewhere offers the organizations that are still open (5)', async () => {
  const network = await signedInNetwork()
  const another = network.fixture.browser()
  for (const browser of [network.browser, another]) await signInByKey(network.fixture, browser, 2002)
  await another.request('DELETE', '/bff/sessions')
  const { user } = await openPage('/', network)
  const open = await screen.findByRole('region', { name: 'Still signed in' })
  expect(within(open).getAllByRole('button')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('an organization whose session has ended too loses its button there when it is pressed (5)', async () => {
  const network = await signedInNetwork()
  const { body } = await network.browser.request<SignedIn>('GET', '/bff/session')
  const another = network.fixture.browser()
  for (const browser of [network.browser, another]) await signInByKey(network.fixture, browser, 2002)
  await another.request('DELETE', '/bff/sessions')
  const { user } = await openPage('/', network)
  const open = await screen.findByRole('button', { name: 'Open organization 1001 · free' })
  await network.browser.request('DELETE', '/bff/session', {
    headers: { 'X-Plimsoll-Session': body.id },
  })
  await user.click(open)
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(open).not.toBeInTheDocument()
})

test('the address of another organization shows no data of one’s own, and offers its sign-in (5.3)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  rememberOrganization({ id: '2002', name: 'Meridian Shipping' })
  const { network, user } = await openPage('/organizations/2002')
  expect(await screen.findByRole('heading', { name: 'This is not organization 2002' })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.count('GET', '/api/organizations/2002')).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('organization_id')).toBe('2002')
  expect((await network.browser.session()).body.signed_in).toBe(true)
})

test('a sign-in that cannot start is reported there, and nothing is lost (RFC 9457)', async () => {
  const network = await signedInNetwork()
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/organizations/2002', network)
  await user.click(await screen.findByRole('button', { name: 'Organization 2002 · 1–2 requests' }))
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Go to organization 1001' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  // What was pressed is gone.
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('an organization that this browser is signed in to opens from there for free (5.3)', async () => {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  const { user } = await openPage('/organizations/1001', network)
  const before = network.spent()
  await user.click(await screen.findByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect([location.pathname, network.spent()]).toEqual(['/', before])
})

test('the page does not know if an API key belongs to that organization (4.4)', async () => {
  await openPage('/organizations/2002', await signedInNetwork('api_key'))
  expect(await screen.findByText(/it is not known whether that is 2002/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the organization of the key' })).toBeVisible()
})

test('the browser remembers the organization and its name for free, until a sign-out (8.3)', async () => {
  const { network, user } = await openHome()
  await expect.poll(lastOrganizations).toEqual([{ id: '1001', name: 'Harbour Rope Works' }])
  expect(Object.keys(localStorage)).toEqual(['plimsoll.organizations'])
  expect(network.spent()).toBe(0)
  await signOut(user)
  await screen.findByText('You are signed out')
  expect(localStorage).toHaveLength(0)
})

test('after a session has ended by itself, one press signs in to its organization again', async () => {
  const network = await signedInNetwork()
  const { unmount } = await openHome(network)
  unmount()
  await network.browser.signOut()
  await openPage('/', network)
  expect(
    await screen.findByRole('button', { name: 'Harbour Rope Works (1001) · 1–2 requests' }),
  ).toBeVisible()
})

test('a refused key takes the focus once, and not again with each new quota (WCAG 3.2.5)', async () => {
  const { user, network } = await openPage('/organizations')
  await user.click(await screen.findByText('Use an API key instead'))
  const key = screen.getByLabelText('API key')
  await user.type(key, 'key-123-unknown{Enter}')
  await waitFor(() => expect(key).toBeInvalid())
  expect(key).toHaveFocus()
  const field = screen.getByRole('textbox', { name: /^Organization id/ })
  act(() => field.focus())
  const { version } = quotaOfPage()!.snapshot
  network.fixture.advance(2000)
  await network.browser.spend('/organizations/1001')
  showAgain()
  await waitFor(() => expect(quotaOfPage()?.snapshot.version).toBeGreaterThan(version))
  expect(field).toHaveFocus()
})

test('an API key names no organization, so the browser remembers none (5.1)', async () => {
  await openHome(await signedInNetwork('api_key'))
  expect(lastOrganizations()).toEqual([])
})
