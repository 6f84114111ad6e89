import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { joinNetwork, signedInNetwork } from './_network.ts'
import { NAME, openPage } from './_page.tsx'
import { createFixture } from '../_fixture.ts'

const signedOut = () => signedInNetwork('none')
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const field = () => screen.findByRole('textbox', { name: /Organization id/ })
const button = () => screen.getByRole('button', { name: 'Sign in · 1 request' })

test.each([
  [' 1001 ', '1001'],
  ['１００１', '1001'],
  ['organization_id=1001', '1001'],
  ['app.example/projects?organization_id=2002', '2002'],
  ['https://app.example/projects?organization_id=2002&sort=name', '2002'],
])('%s is understood, and the server has the state before the browser leaves (5.3)', async (typed, id) => {
  const assign = leaves()
  const { network, user } = await openPage('/', await signedOut())
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
  ['https://app.example/projects', 'There is no organization_id in this address.'],
  ['organization_id=1&organization_id=2', 'There are several different organization ids in this.'],
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

test('the address of an organization fills the field in (5.3)', async () => {
  await openPage('/organizations/1001', await signedOut())
  expect(await field()).toHaveValue('1001')
})

test('at another address than the redirect URI a link to that one is offered instead (5.3)', async () => {
  const elsewhere = joinNetwork(createFixture({ publicUrl: 'https://plimsoll.example' }))
  await openPage('/organizations/1001?view=raw#usage', elsewhere)
  const link = await screen.findByRole('link', { name: 'Go to https://plimsoll.example' })
  expect(link).toHaveAttribute('href', 'https://plimsoll.example/organizations/1001?view=raw#usage')
  expect(screen.queryByRole('button', { name: 'Sign in · 1 request' })).toBeNull()
})

test('fast presses start one sign-in', async () => {
  const assign = leaves()
  const { network, user } = await openPage('/organizations/1001', await signedOut())
  await field()
  await user.dblClick(button())
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(network.count('POST', '/bff/login')).toBe(1)
})

test('without an answer of the server the browser stays here (RFC 6749 10.12)', async () => {
  const assign = leaves()
  const network = await signedOut()
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/organizations/1001', network)
  await field()
  await user.click(button())
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(assign).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Try again below' }))
  expect(await field()).toHaveFocus()
})

async function withKey(keyOf: (seeded: string) => string) {
  const network = await signedOut()
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
  ['two words', 'API keys contain no spaces or special characters.'],
])('the key %j is refused before anything is sent (5.1)', async (key, message) => {
  const { network, input } = await withKey(() => key)
  expect(input).toHaveAccessibleDescription(message)
  expect(network.count('POST', '/bff/session')).toBe(0)
})

test('a key that the service refuses is reported, and stored nowhere (5.1)', async () => {
  const { input } = await withKey(() => 'key-123-unknown')
  expect(await screen.findByRole('alert')).toHaveTextContent('The service did not accept the API key')
  expect(input).toHaveAttribute('type', 'password')
  expect(input).toHaveAttribute('autocomplete', 'off')
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(
    'key-123',
  )
  expect(document.cookie).toBe('')
})
