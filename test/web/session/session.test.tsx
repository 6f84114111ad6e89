import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import {
  askSession,
  clearSession,
  currentSession,
  idOf,
  isSessionUnknown,
  setSession,
  useSessionState,
} from '../../../src/web/session/session.ts'
import { SESSION } from '../_month.tsx'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openPage, showAgain } from '../_page.tsx'

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))
const BUSINESS = 'Meridian Shipping'

test('a tab that is shown again notices that another one has ended the session', async () => {
  const { network } = await openPage('/organizations/1001')
  await screen.findByText(NAME)
  await network.browser.signOut()
  act(showAgain)
  expect(await screen.findByRole('alert')).toHaveTextContent('Your session has ended')
  expect(screen.getByRole('textbox')).toHaveValue('1001')
  expect(screen.queryByText(NAME)).toBeNull()
})

test('the reason of a session’s end stays when the page is shown again (attack 31)', async () => {
  const network = await signedInNetwork('api_key')
  await openPage('/', network)
  await screen.findByText(NAME)
  const other = network.fixture.browser()
  await signInByKey(network.fixture, other)
  await other.request('DELETE', '/bff/sessions')
  const reason = /You ended it in another browser/
  act(showAgain)
  expect(await screen.findByText(reason)).toBeVisible()
  const asked = network.count('GET', '/bff/session')
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(asked + 1))
  await settle()
  expect(screen.getByText(reason)).toBeVisible()
})

test('an organization that another tab has signed in to replaces this one (5.3, attack 32)', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  await network.browser.signIn('2002', 'Cleo')
  const spent = network.spent()
  act(showAgain)
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.spent()).toBe(spent)
})

test('an API key that another tab has signed in with replaces this organization (5.1)', async () => {
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
  expect(await screen.findByRole('textbox', { name: /^Organization id/ })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test('if the session is the same, the page then shows what it showed before', async () => {
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
  const { user } = await openPage('/', network)
  await screen.findByText(NAME)
  const again = await screen.findByRole('button', { name: 'Load again' })
  await network.browser.signOut()
  network.cut.clear()
  await user.click(again)
  expect(await screen.findByRole('textbox', { name: /^Organization id/ })).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Your session has ended')
})

test('a press on a page of a former session costs nothing, and the page follows (5.3, attack 30)', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  await network.browser.signIn('2002', 'Cleo')
  const spent = network.spent()
  await user.click(screen.getByRole('button', { name: /^Refresh/ }))
  expect(await screen.findByRole('heading', { name: BUSINESS })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.spent()).toBe(spent)
})

beforeEach(clearSession)

test('the session is asked for, and known when the answer comes', async () => {
  const network = await signedInNetwork()
  expect(isSessionUnknown()).toBe(true)
  const asked = askSession()
  expect([isSessionUnknown(), currentSession()]).toEqual([false, undefined])
  await asked
  expect(useSessionState.getState()).toMatchObject({ problem: undefined, isAsked: false })
  expect([isSessionUnknown(), network.calls.length]).toEqual([false, 1])
  expect(currentSession()).toMatchObject({ signed_in: true, organization_id: '1001' })
})

test('the reason of a missing answer is known until the page asks again', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/session')
  await askSession()
  expect(useSessionState.getState()).toMatchObject({ isAsked: false, problem: { code: 'bff_unreachable' } })
  expect(isSessionUnknown()).toBe(false)
  network.cut.clear()
  const asked = askSession()
  expect(useSessionState.getState().problem).toBeUndefined()
  await asked
  expect(idOf(currentSession())).toBeDefined()
})

test.each([
  ['a sign-out', clearSession, undefined],
  ['another answer', () => setSession({ ...SESSION, id: 'another' }), 'another'],
])('%s overtakes an answer or a failure that is under way', async (_, overtake, id) => {
  const network = await signedInNetwork()
  for (const cut of ['nothing', 'GET /bff/session']) {
    network.cut.add(cut)
    const asked = askSession()
    overtake()
    await asked
    expect([idOf(currentSession()), useSessionState.getState().problem]).toEqual([id, undefined])
  }
})

test('the state has the time of the answer, and the session that this page saw open', () => {
  const before = Date.now()
  setSession(SESSION, SESSION.id)
  expect(useSessionState.getState().atMs).toBeGreaterThanOrEqual(before)
  setSession({ ...SESSION, ends_in: 1 })
  expect(useSessionState.getState().openedId).toBe(SESSION.id)
  clearSession()
  expect(useSessionState.getState().openedId).toBeUndefined()
})
