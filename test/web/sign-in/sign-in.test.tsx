import { act, renderHook, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hold, joinNetwork, SANDBOX, signedInNetwork } from '../_network.ts'
import { NAME, openPage, signOut } from '../_page.tsx'
import { startApp } from '../../kit/app.ts'
import { lastOrganizations, rememberOrganization } from '../../../src/web/session/last-organizations.ts'
import { useSessionWords } from '../../../src/web/sign-in/organizations.tsx'

const signedOut = () => signedInNetwork('none')
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const field = () => screen.findByRole('textbox', { name: /Organization id/ })
const button = () => screen.getByRole('button', { name: 'Sign in · 1–2 requests' })

test('the address of an organization fills in the field (5.3)', async () => {
  await openPage('/organizations/1001', await signedOut())
  expect(await field()).toHaveValue('1001')
})

test('a sign-in for another organization than that of the address leads to its own page (5.3)', async () => {
  const assign = leaves()
  const { network, user } = await openPage('/organizations/2002', await signedOut())
  await user.clear(await field())
  await user.type(await field(), '1001')
  await user.click(button())
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(network.calls.at(-1)?.body).toMatchObject({ return_to: '/organizations/1001' })
})

test('at another address than the redirect URI the page links to the right one (5.3)', async () => {
  const elsewhere = joinNetwork(startApp({ publicUrl: 'https://plimsoll.example' }))
  await openPage('/organizations/1001?view=raw#usage', elsewhere)
  const link = await screen.findByRole('link', { name: 'Go to https://plimsoll.example' })
  expect(link).toHaveAttribute('href', 'https://plimsoll.example/organizations/1001?view=raw#usage')
  expect(screen.queryByRole('button', { name: 'Sign in · 1–2 requests' })).toBeNull()
})

test('fast presses ask once, and without an answer the browser stays here until the next one (RFC 6749 10.12)', async () => {
  const assign = leaves()
  const network = await signedOut()
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/organizations/1001', network)
  await field()
  const answer = hold(network)
  await user.dblClick(button())
  await expect.poll(() => network.count('POST', '/bff/login')).toBe(1)
  answer()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(network.count('POST', '/bff/login')).toBe(1)
  expect(assign).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(await field()).toHaveFocus()
  expect(await field()).toHaveAttribute('aria-invalid', 'false')
  network.cut.clear()
  await user.click(button())
  await expect.poll(() => assign).toHaveBeenCalledOnce()
})

test('who stops the browser while the service hangs can sign in again after 10 s, without a reload (5.3)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const assign = leaves()
  await openPage('/organizations/1001', await signedOut())
  await field()
  act(() => button().click())
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(screen.queryByRole('button', { name: 'Sign in · 1–2 requests' })).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByRole('alert')).toBeNull()
  act(() => button().click())
  await expect.poll(() => assign).toHaveBeenCalledTimes(2)
})

test('the field says where to find the id, and an API key is the second way (5.1, 5.3)', async () => {
  await openPage('/', await signedOut())
  expect(await screen.findByText(/^The number after organization_id=/)).toBeVisible()
  expect(screen.getByLabelText('API key')).not.toBeVisible()
})

test('a browser without cookies is warned before a sign-in (RFC 6265 5.4)', async () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
  await openPage('/', await signedOut())
  expect(await screen.findByText(/blocks cookies of this address/)).toBeVisible()
})

test('after a sign-out the heading has the focus, and on the first load nothing has', async () => {
  const first = await openPage('/', await signedOut())
  await field()
  expect(document.body).toHaveFocus()
  first.unmount()
  const { user } = await openPage('/')
  await signOut(user)
  expect(await screen.findByRole('heading', { level: 1, name: 'Plimsoll' })).toHaveFocus()
  expect(await screen.findByText('You are signed out')).toBeVisible()
})

test.each([
  [' 1001 ', '1001'],
  ['１００１', '1001'],
  ['https://app.example/projects?organization_id=2002&sort=name', '2002'],
])('%s is understood, and the server has the state before the browser leaves (5.3)', async (typed, id) => {
  const assign = leaves()
  const { network, user } = await openPage('/', await signedOut())
  expect(await field()).toHaveAccessibleDescription(/^The number after organization_id=/)
  await user.type(await field(), typed)
  expect(screen.getByText(`organization ${id}`)).toBeVisible()
  await user.click(button())
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  const address = new URL(String(assign.mock.calls[0]?.[0]))
  expect(network.calls.at(-1)).toMatchObject({
    method: 'POST',
    path: '/bff/login',
    body: { organization_id: id, state: address.searchParams.get('state') },
  })
  expect(address.searchParams.get('organization_id')).toBe(id)
})

test.each([
  ['{Backspace}', 'Type the organization id.'],
  ['0', 'An organization id is a positive whole number, such as 1001.'],
  ['12a', 'An organization id is a positive whole number, such as 1001.'],
  ['https://app.example/projects', 'This address has no organization_id.'],
  ['organization_id=1&organization_id=2', 'This has several organization ids.'],
])('%s is refused beside the field, before anything is sent (5.3)', async (typed, message) => {
  const { network, user } = await openPage('/', await signedOut())
  await user.type(await field(), typed)
  await user.click(button())
  expect(await field()).toHaveAttribute('aria-invalid', 'true')
  expect(await field()).toHaveAccessibleDescription(expect.stringContaining(message))
  expect(await field()).toHaveFocus()
  expect(network.calls.filter(({ path }) => path !== '/bff/session')).toEqual([])
  await user.type(await field(), '1')
  expect(await field()).toHaveAttribute('aria-invalid', 'false')
})

async function withKey(keyOf: (seeded: string) => string) {
  const network = await signedInNetwork('none')
  const key = keyOf(network.fixture.seed.api_keys[0]?.value ?? '')
  const page = await openPage('/', network)
  await page.user.click(await screen.findByText('Use an API key instead'))
  const input = screen.getByLabelText('API key')
  await page.user.type(input, key)
  await page.user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  return { ...page, input, key }
}

test('an API key is sent once, and the page is open (5.1)', async () => {
  const { network, input, key } = await withKey((seeded) => ` ${seeded} `)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { api_key: key.trim() },
  ])
  expect(network.spent()).toBe(1)
  expect(input).not.toBeInTheDocument()
})

test.each([
  [' ', 'Paste the API key.'],
  ['two words', 'An API key has no spaces or special characters.'],
])('the key %j is refused before anything is sent (5.1)', async (key, message) => {
  const { network, input } = await withKey(() => key)
  expect(input).toHaveAccessibleDescription(message)
  expect(network.count('POST', '/bff/session')).toBe(0)
})

test('a key that the service refuses is reported beside the field, and stored nowhere (5.1)', async () => {
  const { input, user } = await withKey(() => 'key-123-unknown')
  expect(await screen.findByRole('alert')).toHaveTextContent('The service did not accept the API key')
  expect(input).toHaveAttribute('type', 'password')
  expect(input).toHaveAttribute('autocomplete', 'off')
  expect(input).toHaveFocus()
  expect(input).toHaveAttribute('aria-invalid', 'true')
  expect(input).toHaveAccessibleDescription('The service did not accept the API key')
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(
    'key-123',
  )
  expect(document.cookie).not.toContain('key-123')
  await user.click(screen.getByText('Use an API key instead'))
  expect(input).not.toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(input).toBeVisible()
  await user.type(input, 'x')
  expect(input).toHaveAttribute('aria-invalid', 'false')
})

const asked = (assign: ReturnType<typeof leaves>) =>
  new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('organization_id')

test('with the embedded sandbox a press signs in to an organization, and a link leads to its control plane', async () => {
  const assign = leaves()
  rememberOrganization({ id: '77' })
  const { network, user } = await openPage('/', await signedInNetwork('none', { sandbox: SANDBOX }))
  const sandbox = await screen.findByRole('region', { name: 'Sandbox' })
  expect(within(sandbox).getByRole('link', { name: 'Control plane of the sandbox' })).toHaveAttribute(
    'href',
    SANDBOX.control_url,
  )
  expect(screen.getByRole('button', { name: 'Harbour Rope Works (1001) · 1–2 requests' })).toBeVisible()
  expect(screen.queryByText(/Last used/)).toBeNull()
  await user.dblClick(screen.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('2002')
  expect(network.count('POST', '/bff/login')).toBe(1)
})

test('presses of two buttons start one sign-in, and a failure frees both', async () => {
  const assign = leaves()
  const network = await signedInNetwork('none', { sandbox: SANDBOX })
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/', network)
  await user.click(await screen.findByRole('button', { name: /^Harbour/ }))
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toHaveFocus()
  expect(document.title).toBe('Plimsoll itself cannot be reached · Plimsoll')
  network.cut.clear()
  const buttons = [
    screen.getByRole('button', { name: /^Harbour/ }),
    screen.getByRole('button', { name: /^Meridian/ }),
  ]
  for (const button of buttons) button.click()
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('1001')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('without the sandbox a press signs in to a remembered organization, and all can be removed', async () => {
  const assign = leaves()
  for (const one of [{ id: '5' }, { id: '1001', name: 'Ropes' }, { id: '2002', name: 'Ships' }])
    rememberOrganization(one)
  const { user } = await openPage('/', await signedInNetwork('none'))
  const last = await screen.findByRole('region', { name: 'Last used in this browser' })
  expect(
    within(last)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Ships (2002) · 1–2 requests',
    'Ropes (1001) · 1–2 requests',
    'Organization 5 · 1–2 requests',
    'Remove all',
  ])
  await user.click(screen.getByRole('button', { name: 'Ships (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('2002')
  await user.click(screen.getByRole('button', { name: 'Remove all' }))
  expect(last).not.toBeInTheDocument()
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(lastOrganizations()).toEqual([])
})

test('a session is named by its organization, with the name if this browser knows it (2.3)', () => {
  const { result } = renderHook(useSessionWords)
  expect(result.current({ organization_id: '7' })).toBe('organization 7')
  act(() => rememberOrganization({ id: '7', name: 'Ropes' }))
  expect(result.current({ organization_id: '7' })).toBe('Ropes (7)')
  expect(result.current({})).toBe('the organization of an API key')
})
