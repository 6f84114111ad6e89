import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

const signedOut = () => signedInNetwork('none')
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const field = () => screen.findByRole('textbox', { name: /Organization id/ })
const button = () => screen.getByRole('button', { name: 'Sign in · 1–2 requests' })

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

test('the field shows the organization found in the typed text, and before that a hint (5.3)', async () => {
  const { user } = await openPage('/', await signedOut())
  const input = await field()
  expect(input).toHaveAccessibleDescription(/^The number after organization_id=/)
  await user.type(input, '1001')
  expect(input).toHaveAccessibleDescription('organization 1001')
  await user.type(input, ' 2002')
  expect(input).toHaveAccessibleDescription(/^The number after organization_id=/)
})

test('one line explains the price of a sign-in (8.3)', async () => {
  await openPage('/', await signedOut())
  expect(await screen.findByText(/^Signing in uses 1–2 requests\. .* has 100 a month\.$/)).toBeVisible()
})
