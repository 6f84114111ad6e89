import { setTimeout } from 'node:timers/promises'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { stubNotification } from '../_notification.ts'
import { follow, NAME, openHome, openPage, openSecond } from '../_page.tsx'

const account = () => screen.findByRole('button', { name: 'Account' })

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
  for (const choice of ['Language', 'Theme']) expect(screen.getByLabelText(choice)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Plimsoll' })).toHaveAttribute('href', '/')
})

test('the account menu leads to the side pages, and closes behind a link', async () => {
  const { user, network } = await openPage('/sessions')
  await screen.findByRole('heading', { level: 1, name: 'Your sessions' })
  await user.click(await account())
  const menu = within(screen.getByRole('navigation', { name: 'Account' }))
  expect(menu.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Your sessions',
    'Share what is left',
    'Open on another device',
    'Your organizations',
  ])
  expect(menu.getByRole('link', { current: 'page' })).toHaveTextContent('Your sessions')
  await user.click(menu.getByRole('link', { name: 'Your sessions' }))
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
  await follow(user, 'Share what is left')
  await waitFor(() => expect(location.pathname).toBe('/links'))
  expect(network.spent()).toBe(0)
})

test('the ledger leads to the months (8.3)', async () => {
  const { user } = await openPage('/ledger')
  await user.click(await screen.findByRole('link', { name: 'Last 12 months' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Last 12 months' })).toBeVisible()
})

test('the account menu closes when Tab leaves it, backwards to its own button too (WCAG 2.4.11)', async () => {
  const { user } = await openHome()
  await user.click(await account())
  screen.getByRole('link', { name: 'Your sessions' }).focus()
  await user.tab()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  screen.getByRole('link', { name: 'Your sessions' }).focus()
  await user.tab({ shift: true })
  expect(await account()).toHaveFocus()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull())
})

test('the sign-out is the last item of the account menu, below the notifications', async () => {
  stubNotification('default')
  const { user } = await openHome()
  await user.click(await account())
  const menu = screen.getByRole('navigation', { name: 'Account' }).parentElement ?? document.body
  const buttons = within(menu).getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Turn on', 'Sign out'])
})

test('a person who blocks the notifications keeps the focus in the menu (WCAG 2.4.3)', async () => {
  stubNotification('default', 'denied')
  const { user } = await openHome()
  await user.click(await account())
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  const words = await screen.findByText(/^The browser blocks notifications of/)
  await waitFor(() => expect(words.parentElement).toHaveFocus())
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('an organization whose session has ended leaves the menu, with the reason (attack 36)', async () => {
  const { network, user } = await openSecond()
  const { body } = await network.browser.session()
  await network.browser.request('DELETE', `/bff/sessions/${body.others?.[0]?.id}`)
  await user.click(screen.getByRole('button', { name: /, Your organizations$/ }))
  await user.click(screen.getByRole('button', { name: 'Organization 1001' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Organization 1001' })).toBeNull())
  // The menu stays, though it has no other organization any more.
  const reason = screen.getByRole('alert')
  expect(reason).toHaveTextContent('The session of organization 1001 has ended')
  await waitFor(() =>
    expect(reason.closest('[popover]')).toContainElement(document.activeElement as HTMLElement),
  )
})

test('after a failure the menu asks once which sessions are left, also where answers take long (8.3)', async () => {
  const { network, user } = await openSecond()
  const { body } = await network.browser.session()
  await network.browser.request('DELETE', `/bff/sessions/${body.others?.[0]?.id}`)
  const fetch = network.browser.fetch.bind(network.browser)
  vi.spyOn(network.browser, 'fetch').mockImplementation((path, init) => {
    network.fixture.advance(1100)
    return fetch(path, init)
  })
  await user.click(screen.getByRole('button', { name: /, Your organizations$/ }))
  const before = network.count('GET', '/bff/session')
  await user.click(screen.getByRole('button', { name: 'Organization 1001' }))
  await screen.findByRole('alert')
  await act(() => setTimeout(300))
  expect(network.count('GET', '/bff/session') - before).toBe(1)
  expect(screen.queryByRole('button', { name: 'Organization 1001' })).toBeNull()
})

test.each([
  ['/ledger', 'GET /bff/ledger'],
  ['/learnt', 'GET /bff/evidence'],
  ['/months', 'GET /bff/months'],
  ['/sessions', 'GET /bff/sessions'],
  ['/links', 'GET /bff/watch-links'],
])(
  'at %s an answer that fails is reported, a press asks again for free, and a link leads back',
  async (path, asked) => {
    const network = await signedInNetwork()
    network.cut.add(asked)
    const { user } = await openPage(path, network)
    expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
    expect(document.title).toBe(`${screen.getByRole('heading', { level: 1 }).textContent} · Plimsoll`)
    network.cut.clear()
    await user.click(screen.getByRole('button', { name: 'Try again · free' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(network.count('GET', asked.slice(4))).toBe(2)
    await user.click(screen.getByRole('link', { name: 'Back to quota and organization' }))
    expect(await screen.findByText(NAME)).toBeVisible()
    expect(network.spent()).toBe(0)
  },
)
