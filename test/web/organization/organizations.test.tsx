import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { MOST_ORGANIZATIONS } from '../../../src/contract/session.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { BUSINESS } from '../../kit/app.ts'
import { latinSentences } from '../_latin.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const SANDBOX = {
  control_url: 'http://127.0.0.1:4001',
  organizations: [
    { id: '1001', name: 'Harbour Rope Works' },
    { id: '2002', name: 'Meridian Shipping' },
  ],
}

/** From the menu of the organization. */
async function openAll(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: /, Your organizations$/ }))
  await user.click(screen.getByRole('link', { name: 'All your organizations' }))
}

/** Signed in to two organizations, with the second one in use. */
async function openBoth() {
  const network = await signedInNetwork('oauth', { sandbox: SANDBOX })
  await network.browser.signIn(BUSINESS, 'Cleo')
  const before = network.spent()
  const opened = await openPage('/', network)
  await screen.findByRole('heading', { name: 'Meridian Shipping' })
  await openAll(opened.user)
  await screen.findByRole('heading', { level: 1, name: 'Your organizations' })
  return { ...opened, spent: () => network.spent() - before }
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

test('an organization whose session has ended goes from the list, with the reason (attack 36)', async () => {
  const { network, user } = await openBoth()
  const { body } = await network.browser.session()
  await network.browser.request('DELETE', `/bff/sessions/${body.others?.[0]?.id}`)
  await user.click(screen.getByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByRole('alert')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: /Open organization 1001/ })).toBeNull())
  expect(screen.getByText('Open now')).toBeVisible()
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

test('a key signs in too, and the page shows why it was refused (5.1)', async () => {
  const { network, user, spent } = await openBoth()
  await user.click(screen.getByText('Use an API key instead'))
  const field = screen.getByLabelText('API key')
  await user.type(field, 'unknown-key-0123456789{Enter}')
  expect(await screen.findByRole('heading', { name: 'The service did not accept the API key' })).toBeVisible()
  await user.clear(field)
  await user.type(field, `${network.fixture.seed.api_keys[0]?.value}{Enter}`)
  expect(await screen.findByText('Open Meridian Shipping (2002) · free')).toBeVisible()
  expect(spent()).toBe(2)
})

test('a page without a session offers the organizations that are still open (5)', async () => {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  for (const name of ['plimsoll-http-3000']) network.browser.cookies.delete(name)
  const { user } = await openPage('/', network)
  const open = await screen.findByRole('region', { name: 'Still signed in' })
  expect(within(open).getAllByRole('button')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('in Japanese no English sentence is left', async () => {
  await loadLanguage('ja')
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  await openPage('/organizations', network)
  await screen.findByRole('heading', { level: 1, name: '自分の組織' })
  expect(latinSentences()).toEqual([])
})
