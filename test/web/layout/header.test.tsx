import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { BUSINESS } from '../../kit/app.ts'
import { signedInNetwork } from '../_network.ts'
import { follow, NAME, openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const account = () => screen.findByRole('button', { name: 'Account' })
const names = (role: string) => screen.getAllByRole(role).map((one) => one.textContent)

test('the header names the organization, and always offers the sign-out (ASVS 7.4.4)', async () => {
  const { user } = await openPage('/')
  const header = await screen.findByRole('banner')
  await screen.findByText(NAME)
  expect(header).toHaveTextContent('PlimsollHarbour Rope Works')
  expect(header).not.toHaveTextContent('OAuth')
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
  await user.click(await account())
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(header).toHaveTextContent('Organization 1001Your sessions')
  expect(screen.getByRole('link', { name: 'Plimsoll' })).toHaveAttribute('href', '/')
})

test('with an API key and no record the header names no organization (5.1)', async () => {
  const network = await signedInNetwork('api_key')
  network.cut.add('GET /api/organizations')
  const { user } = await openPage('/', network)
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('PlimsollOrganization of your key')
  await user.click(await account())
  expect(header).toHaveTextContent('Signed in with an API key')
  expect(header).not.toHaveTextContent('Organization 1001')
})

test('the account menu leads to the side pages, and closes behind a link', async () => {
  const { user, network } = await openPage('/sessions')
  await screen.findByRole('heading', { level: 1, name: 'Your sessions' })
  await user.click(await account())
  const menu = within(screen.getByRole('navigation', { name: 'Account' }))
  expect(menu.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Your sessions',
    'How limits are counted',
    'Your organizations',
  ])
  expect(menu.getByRole('link', { current: 'page' })).toHaveTextContent('Your sessions')
  await user.click(menu.getByRole('link', { name: 'Your sessions' }))
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
  await follow(user, 'How limits are counted')
  await waitFor(() => expect(location.pathname).toBe('/learnt'))
  expect(network.spent()).toBe(0)
})

test('the account menu has the choices of the footer, and a signed-in page has no footer', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  expect(screen.queryByRole('contentinfo')).toBeNull()
  await user.click(await account())
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  await user.selectOptions(await screen.findByLabelText('言語'), '自動')
  expect(await screen.findByLabelText('Theme')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
})

/** Signed in to two organizations, with the second one in use. */
async function openBoth() {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  const before = network.spent()
  const opened = await openPage('/', network)
  await screen.findByRole('heading', { name: 'Meridian Shipping' })
  const open = () => opened.user.click(screen.getByRole('button', { name: /, Your organizations$/ }))
  return { ...opened, network, open, spent: () => network.spent() - before }
}

test('a menu of the organizations changes to another one for free, and leads to all (5.3)', async () => {
  const { open, user, spent } = await openBoth()
  await open()
  expect(names('listitem').slice(0, 2)).toEqual(['Organization 1001', 'All your organizations'])
  await user.click(screen.getByRole('button', { name: 'Organization 1001' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Meridian Shipping' })).toBeNull()
  await open()
  expect(screen.getByRole('button', { name: 'Meridian Shipping' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'All your organizations' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Your organizations' })).toHaveFocus()
  expect(spent()).toBe(0)
})

test('an organization whose session has ended leaves the menu, with the reason (attack 36)', async () => {
  const { open, network, user } = await openBoth()
  const { body } = await network.browser.session()
  await network.browser.request('DELETE', `/bff/sessions/${body.others?.[0]?.id}`)
  await open()
  network.cut.add('GET /bff/session')
  await user.click(screen.getByRole('button', { name: 'Organization 1001' }))
  expect(await screen.findByRole('alert')).toBeVisible()
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Organization 1001' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Organization 1001' })).toBeNull())
})

test('in Japanese the menus have no English sentence', async () => {
  const { open, user } = await openBoth()
  await open()
  await user.click(await account())
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  expect(await screen.findByRole('button', { name: 'サインアウト' })).toBeVisible()
  expect(screen.getByRole('banner').textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/)
})

test('fast presses of the sign-out button end the session once', async () => {
  const { network, user } = await openPage('/')
  await user.click(await account())
  await user.dblClick(screen.getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})
