import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { startSignIn } from '../../src/web/authorize.ts'
import { NOBODY, type StandIn, standIn } from './_bff.ts'
import { openPage } from './_page.tsx'

afterEach(() => sessionStorage.clear())

async function started(returnTo = '/organizations/1001?tab=1#members'): Promise<string> {
  standIn()
  const address = new URL(await startSignIn(NOBODY.authorize, '1001', returnTo))
  return address.searchParams.get('state') ?? ''
}
const arrive = (query: string, changes: Partial<StandIn> = {}) =>
  openPage(`/callback?${query}`, { session: NOBODY, ...changes })
const failure = () => screen.findByRole('alert')
const exchanges = (bff: StandIn) => bff.calls.filter(({ method }) => method === 'POST')

test('the sign-in is finished once, though React draws twice, and leads back to where it began (4.1)', async () => {
  const state = await started()
  const { bff } = arrive(`code=the-code&state=${state}`)
  expect(location.search).toBe('')
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(exchanges(bff).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/bff/session', body: { code: 'the-code', state } },
  ])
  expect(location.pathname + location.search + location.hash).toBe('/organizations/1001?tab=1#members')
  expect(sessionStorage).toHaveLength(0)
  expect(bff.spent()).toBe(0)
})

test('an answer in the fragment is read as well, and the address cleaned of it (4.1)', async () => {
  const state = await started()
  const { bff } = openPage(`/callback#code=the-code&state=${state}`, { session: NOBODY })
  expect(location.hash).toBe('')
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(exchanges(bff).map(({ body }) => body)).toEqual([{ code: 'the-code', state }])
})

test('a permission that was not given is told, uses its state up, and keeps the way back (RFC 6749 4.1.2.1)', async () => {
  const state = await started()
  const { bff, user } = arrive(`error=access_denied&state=${state}`)
  expect(await failure()).toHaveTextContent('Permission was not given')
  expect(sessionStorage).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByRole('textbox')).toHaveValue('1001')
  expect(location.hash).toBe('#members')
  expect(exchanges(bff)).toEqual([])
})

test.each([
  ['error=server_error&state=STATE', 'The service ended the sign-in'],
  ['error=access_denied&code=c&state=STATE', 'Permission was not given'],
  ['state=STATE', 'The service ended the sign-in'],
  ['', 'The service ended the sign-in'],
  ['code=a&code=b&state=STATE', 'The request is not understood'],
  ['code=a&state=STATE&state=STATE', 'The request is not understood'],
  ['code=a', 'This sign-in was not started in this browser'],
  ['code=a&state=another-state-0123456789', 'This sign-in was not started in this browser'],
  ['code=a&state=%25', 'This sign-in was not started in this browser'],
  ['code=a&state=STATE%3Bmore', 'This sign-in was not started in this browser'],
  ['code=%20%00&state=STATE', 'The request is not understood'],
])('/callback?%s opens nothing', async (query, title) => {
  const { bff } = arrive(`${query.replaceAll('STATE', await started())}#`)
  expect(await failure()).toHaveTextContent(title)
  expect(exchanges(bff)).toEqual([])
})

test('the back button after a sign-in leads to the page, not to an error', async () => {
  openPage('/callback?code=old&state=used-up-0123456789')
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(location.pathname).toBe('/')
})

test.each(['code_rejected', 'login_expired', 'organization_refused', 'upstream_down'] as const)(
  'an exchange that fails with %s is told once, and is not repeated',
  async (code) => {
    const { bff } = arrive(`code=the-code&state=${await started()}`, {
      failures: { 'POST /bff/session': { code } },
    })
    expect(await failure()).toHaveTextContent('Support id support-77')
    expect(screen.getByRole('button', { name: 'Start again' })).toBeVisible()
    expect(exchanges(bff)).toHaveLength(1)
  },
)

test('while the service is slow the page says so, and can be left; what comes of it then is ended', async () => {
  let open = () => {}
  const state = await started()
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const { bff, user } = arrive(`code=the-code&state=${state}`, { gate })
  expect(await screen.findByRole('heading', { name: 'Finishing the sign-in…' })).toBeVisible()
  await vi.waitFor(() => expect(exchanges(bff)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(location.pathname).toBe('/')
  open()
  await vi.waitFor(() => expect(bff.count('DELETE', '/bff/session')).toBe(1))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(screen.queryByText('Harbour')).toBeNull()
})

test('the verifier goes with the code where a challenge was sent (RFC 7636 4.5)', async () => {
  standIn()
  const address = new URL(
    await startSignIn({ ...NOBODY.authorize, code_challenge_method: 'S256' }, '1001', '/'),
  )
  const { bff } = arrive(`code=the-code&state=${address.searchParams.get('state')}`)
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(exchanges(bff)[0]?.body).toHaveProperty('code_verifier')
})
