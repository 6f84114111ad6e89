import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openPage, showAgain } from '../_page.tsx'

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))
const BUSINESS = 'Meridian Shipping'

test('a session that another tab has ended is noticed when this one is shown again', async () => {
  const { network } = await openPage('/organizations/1001')
  await screen.findByText(NAME)
  await network.browser.signOut()
  act(showAgain)
  expect(await screen.findByRole('alert')).toHaveTextContent('Your session has ended')
  expect(screen.getByRole('textbox')).toHaveValue('1001')
  expect(screen.queryByText(NAME)).toBeNull()
})

test('why a session has ended stays on the page when it is shown again, and asks who is signed in (attack 31)', async () => {
  const network = await signedInNetwork('api_key')
  await openPage('/', network)
  await screen.findByText(NAME)
  const other = network.fixture.browser()
  await signInByKey(network.fixture, other)
  await other.request('DELETE', '/bff/sessions')
  const reason = /It was ended in the list of your sessions/
  act(showAgain)
  expect(await screen.findByText(reason)).toBeVisible()
  const asked = network.count('GET', '/bff/session')
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(asked + 1))
  await settle()
  expect(screen.getByText(reason)).toBeVisible()
})

test('another organization that another tab has signed in for replaces this one (5.3, attack 32)', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  await network.browser.signIn('2002', 'Cleo')
  const spent = network.spent()
  act(showAgain)
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.spent()).toBe(spent)
})

test('another API key that another tab has signed in with replaces the organization of this one (5.1)', async () => {
  const network = await signedInNetwork('api_key')
  await openPage('/', network)
  expect(await screen.findByText(NAME)).toBeVisible()
  await signInByKey(network.fixture, network.browser, 2002)
  const spent = network.spent()
  network.cut.add('GET /bff/quota')
  act(showAgain)
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(useUi.getState().quota).toBeUndefined()
  network.cut.clear()
  act(showAgain)
  await expect.poll(() => useUi.getState().quota?.snapshot.read.limit).toBe(600)
  expect(network.spent()).toBe(spent)
})

test('a page that is shown again reads session and quota, and spends nothing (B19)', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  await settle()
  const before = network.calls.length
  for (let times = 0; times < 3; times++) dispatchEvent(new Event('online'))
  await settle()
  expect(network.calls).toHaveLength(before)
  act(showAgain)
  await waitFor(() => expect(network.calls).toHaveLength(before + 2))
  await settle()
  expect(network.calls.slice(before).map(({ path }) => path)).toEqual(['/bff/session', '/bff/quota'])
  expect(network.spent()).toBe(0)
})

const pageShow = () => Object.assign(new Event('pageshow'), { persisted: true })

test('a page out of the browser’s memory shows nothing before it knows who is signed in', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  act(() => void dispatchEvent(new Event('pagehide')))
  expect(screen.queryByText(NAME)).toBeNull()
  await network.browser.signOut()
  act(() => void dispatchEvent(pageShow()))
  expect(await screen.findByRole('textbox')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test('where the session is the same it then shows what it showed before', async () => {
  const { network } = await openPage('/', await signedInNetwork('api_key'))
  await screen.findByText(NAME)
  act(() => {
    dispatchEvent(new Event('pagehide'))
    dispatchEvent(pageShow())
  })
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('a session that ends during a press leads to the sign-in, with the reason (5.5)', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  // The grant is over: the access token is refused, and so is the refresh token.
  network.fixture.intercept(async (request) =>
    request.url.endsWith('/oauth2/token')
      ? Response.json({ error: 'invalid_grant' }, { status: 400 })
      : new Response('{}', { status: 401 }),
  )
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  expect(await screen.findByRole('textbox')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Access was withdrawn or has expired')
})

test('a session that has ended is noticed by a reading of the quota too', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/quota')
  const { user } = await openPage('/', network)
  await screen.findByText(NAME)
  const again = await screen.findByRole('button', { name: 'Read · free' })
  await network.browser.signOut()
  network.cut.clear()
  await user.click(again)
  expect(await screen.findByRole('textbox')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Your session has ended')
})

test('a press on a page whose session is not in use any more costs nothing, and the page follows (5.3, attack 30)', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  await network.browser.signIn('2002', 'Cleo')
  const spent = network.spent()
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.spent()).toBe(spent)
})
