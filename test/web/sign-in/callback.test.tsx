import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { OrganizationId } from '../../../src/contract/organization.ts'
import { startSignIn } from '../../../src/web/sign-in/authorize.ts'
import { type AppOptions, startApp } from '../../kit/app.ts'
import { applicationOf, gate, joinNetwork, type Network, signedInNetwork } from '../_network.ts'
import { NAME, openHome, openPage, showAgain } from '../_page.tsx'
import { Problem } from '../../../src/contract/problem.ts'
import { failedSignIn, historyStateOf } from '../../../src/web/sign-in/failure.tsx'

const RETURN_TO = '/organizations/1001?tab=1#members'

/** From its start in this tab to the redirect of the service. */
async function permitted(decision = 'Permit', options: AppOptions = {}, id: OrganizationId = '1001') {
  const network = joinNetwork(startApp(options))
  const address = new URL(await startSignIn(await applicationOf(network), id, RETURN_TO))
  // The service asks only for a permission that it can give.
  const back = id === '1001' ? await network.browser.permit(address, 'Ada', decision) : address
  network.calls.length = 0
  return { network, back, state: back.searchParams.get('state') ?? '' }
}
const failure = () => screen.findByRole('alert')
/** A POST of the page beside that asks its own server what the sign-in was begun for. */
const exchanges = ({ calls }: Network) =>
  calls.filter(({ method, path }) => method === 'POST' && path !== '/bff/login/started')

test('the sign-in is finished once, though React renders twice, and returns to where it began (4.1)', async () => {
  const { network, back, state } = await permitted()
  await openPage(back.pathname + back.search, network)
  expect(location.search).toBe('')
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(exchanges(network).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/bff/session', body: { code: back.searchParams.get('code'), state } },
  ])
  expect(location.pathname + location.search + location.hash).toBe(RETURN_TO)
  // The sign-in reads once.
  expect(network.spent()).toBe(1)
})

test('an answer in the fragment is read too, and removed from the address (4.1)', async () => {
  const { network, back } = await permitted()
  await openPage(`/callback#${back.searchParams}`, network)
  expect(location.hash).toBe('')
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(exchanges(network)).toHaveLength(1)
})

test('a denial is shown, and leads back to the return address (RFC 6749 4.1.2.1, attack 14)', async () => {
  const { network, back } = await permitted('Deny')
  const { user } = await openPage(back.pathname + back.search, network)
  expect(await failure()).toHaveTextContent(
    'The service gave no access: you pressed Deny, or you are not a member of organization 1001.',
  )
  expect(document.title).toBe('Access was not granted · Plimsoll')
  expect(screen.getByRole('heading', { name: 'Access was not granted' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByRole('textbox')).toHaveValue('1001')
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(location.hash).toBe('#members')
  expect(exchanges(network)).toEqual([])
})

test.each([
  ['error=server_error&state=STATE', 'The service had a problem'],
  ['error=unauthorized_client&code=c&state=STATE', 'The service refused the request for access'],
  ['error=%3Cb%3Eanything&state=STATE', 'The service did not grant access and gave no reason.'],
  ['state=STATE', 'The service ended the sign-in'],
  ['', 'The sign-in was interrupted'],
  ['code=a&code=b&state=STATE', 'The service’s reply could not be read'],
  ['code=a', 'This sign-in was not started in this browser'],
  ['code=a&state=another-state-0123456789', 'This sign-in was not started in this browser'],
  ['code=a&state=STATE%3Bmore', 'This sign-in was not started in this browser'],
  ['code=%20%00&state=STATE', 'The service’s reply could not be read'],
])('/callback?%s opens no session (4.1)', async (query, title) => {
  const { network, state } = await permitted()
  await openPage(`/callback?${query.replaceAll('STATE', state)}#`, network)
  expect(await failure()).toHaveTextContent(title)
  expect(exchanges(network)).toEqual([])
})

test('a refused request leads back to its number, which may be wrong, or to the operator (5.3)', async () => {
  const { network, state } = await permitted('Permit', {}, '9999')
  const { user } = await openPage(`/callback?error=invalid_request&state=${state}`, network)
  expect(await failure()).toHaveTextContent('Check the organization’s number.')
  expect(await failure()).toHaveTextContent('tell the operator of Plimsoll the error code invalid_request')
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByRole('textbox')).toHaveValue('9999')
  expect(screen.getByRole('textbox')).toHaveFocus()
})

test('the back button after a sign-in leads to the page, not to an error (attack 3, attack 24)', async () => {
  await openPage('/callback?code=old&state=used-up-0123456789', await signedInNetwork())
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(location.pathname).toBe('/')
})

test.each<[string, (network: Network) => void]>([
  ['The service did not accept the sign-in code', ({ fixture }) => fixture.advance(599_000)],
  [
    'The service had a problem',
    ({ fixture }) => fixture.intercept(async () => new Response('', { status: 500 })),
  ],
  [
    'The service cannot be reached',
    ({ fixture }) => fixture.intercept(() => Promise.reject(new Error('closed'))),
  ],
])('a failed exchange is shown once and not repeated: %s (RFC 6749 4.1.2)', async (title, breakIt) => {
  const { network, back } = await permitted()
  breakIt(network)
  if (title.includes('code')) back.searchParams.set('code', 'not-the-code')
  await openPage(back.pathname + back.search, network)
  expect(await failure()).toHaveTextContent(title)
  expect(await failure()).toHaveTextContent(`Support id ${network.fixture.log.at(-1)?.support_id}`)
  expect(screen.getByRole('button', { name: 'Start again' })).toBeVisible()
  expect(exchanges(network)).toHaveLength(1)
})

test('a sign-in that took more than ten minutes must begin again (RFC 6749 10.12, attack 17)', async () => {
  const { network, back } = await permitted()
  network.fixture.advance(601_000)
  const { user } = await openPage(back.pathname + back.search, network)
  expect(await failure()).toHaveTextContent('This sign-in was started too long ago')
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(location.pathname + location.search + location.hash).toBe(RETURN_TO)
})

test('without a stored cookie one notice says so, and nothing is sent (RFC 6265 5.4, attack 20)', async () => {
  const { network, back } = await permitted()
  network.browser.cookies.clear()
  await openPage(back.pathname + back.search, network)
  expect(await failure()).toHaveTextContent('This sign-in was not started in this browser')
  expect(await failure()).toHaveTextContent('or cookies are blocked here')
  expect([exchanges(network).length, network.fixture.sent.length]).toEqual([0, 0])
})

test('the server sends the verifier of the challenge, which the page never gets (RFC 7636 4.5)', async () => {
  const { network, back } = await permitted('Permit', { pkce: 'S256' })
  await openPage(back.pathname + back.search, network)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(exchanges(network)[0]?.body).not.toHaveProperty('code_verifier')
  const [sent] = network.fixture.tokenRequests()
  expect(new URLSearchParams(sent?.body).get('code_verifier')).toMatch(/^[\w.~-]{43,128}$/)
})

test('a failure stays after a reload and its button, until the next sign-in begins (RFC 6749 3.1)', async () => {
  const { network, state } = await permitted()
  const first = await openPage(`/callback?code=a&code=b&state=${state}`, network)
  expect(await failure()).toHaveTextContent('The service’s reply could not be read')
  first.unmount()
  await openPage('/callback', network, history.state)
  expect(await failure()).toHaveTextContent('The service’s reply could not be read')
  const { user } = first
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByRole('textbox')).toHaveValue('1001')
  expect(await failure()).toHaveTextContent('The service’s reply could not be read')
  expect(document.title).toBe('The service’s reply could not be read · Plimsoll')
  vi.spyOn(location, 'assign').mockImplementation(() => {})
  await user.click(screen.getByRole('button', { name: 'Sign in · 1–2 requests' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(history.state).toBeNull()
})

/** While the service exchanges the code. @param meanwhile runs between the two pages */
async function reloadWhileItWaits(meanwhile: (network: Network, answer: () => void) => Promise<void> | void) {
  const { network, back } = await permitted()
  const slow = gate()
  const exchanged = vi.fn<() => void>()
  network.fixture.intercept(async (request, through) => {
    exchanged()
    await slow.closed
    return through(request)
  })
  const first = await openPage(back.pathname + back.search, network)
  await expect.poll(() => exchanged.mock.calls.length).toBe(1)
  first.unmount()
  network.page += 1
  await meanwhile(network, slow.open)
  return openPage('/callback', network, history.state)
}

test('a reload during the exchange blames nobody, and leads back to where the sign-in began (4.1)', async () => {
  const { network, user } = await reloadWhileItWaits(({ browser }) => browser.cookies.clear())
  expect(await failure()).toHaveTextContent('The sign-in was interrupted')
  expect(exchanges(network)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByRole('textbox')).toHaveValue('1001')
  expect(location.pathname + location.search + location.hash).toBe(RETURN_TO)
})

test('a reload after the answer has opened the session leads into it (4.1)', async () => {
  const { network } = await reloadWhileItWaits(async ({ browser }, answer) => {
    answer()
    await expect.poll(async () => (await browser.session()).body.signed_in).toBe(true)
  })
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(location.pathname + location.search + location.hash).toBe(RETURN_TO)
  expect(exchanges(network)).toHaveLength(1)
})

afterEach(() => history.replaceState(null, ''))

test('a failure is read from the history entry as it was stored (RFC 6749 4.1.2.1)', () => {
  const failed = {
    problem: new Problem('authorization_failed', { supportId: 'support-7' }),
    returnTo: '/organizations/1001',
    error: 'server_error',
    organizationId: '2002',
  } as const
  history.replaceState(historyStateOf(failed), '')
  expect(failedSignIn()).toEqual(failed)
  expect(failedSignIn()?.problem.supportId).toBe('support-7')
})

test.each([{}, { code: 'no_such_code', returnTo: '/' }])(
  'the state %j of another version of the page is ignored',
  (state) => {
    history.replaceState({ 'plimsoll.failed-sign-in': state }, '')
    expect(failedSignIn()).toBeUndefined()
  },
)

test('without a state there is no failure, and no return to another site (RFC 9700 4.11)', () => {
  expect(failedSignIn()).toBeUndefined()
  history.replaceState(
    { 'plimsoll.failed-sign-in': { code: 'access_denied', returnTo: '//evil.example' } },
    '',
  )
  expect(failedSignIn()?.returnTo).toBe('/')
})

const field = () => screen.findByRole('textbox', { name: /Organization id/ })

test('the end of a session is shown with the focus on it, and leads to the field', async () => {
  const network = await signedInNetwork()
  const { user } = await openHome(network)
  await network.browser.signOut()
  act(showAgain)
  expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toHaveFocus()
  expect(document.title).toBe('Your session has ended · Plimsoll')
  expect(screen.queryByText(NAME)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Go to the start page' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(await field()).toHaveFocus()
})

test('a failure after the end of a session replaces its notice, and takes the focus', async () => {
  const network = await signedInNetwork()
  const { user } = await openHome(network)
  await network.browser.signOut()
  act(showAgain)
  await screen.findByRole('heading', { name: 'Your session has ended' })
  network.cut.add('POST /bff/login')
  await user.type(await field(), '1001{Enter}')
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toHaveFocus()
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})
