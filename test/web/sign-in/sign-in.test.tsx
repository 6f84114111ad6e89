import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { joinNetwork, signedInNetwork } from '../_network.ts'
import { openPage, signOut } from '../_page.tsx'
import { startApp } from '../../kit/app.ts'

afterEach(async () => loadLanguage('en'))

const signedOut = () => signedInNetwork('none')
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const field = () => screen.findByRole('textbox', { name: /Organization id/ })
const button = () => screen.getByRole('button', { name: 'Sign in · 1–2 requests' })

test('the address of an organization fills in the field (5.3)', async () => {
  await openPage('/organizations/1001', await signedOut())
  expect(await field()).toHaveValue('1001')
})

test('at another address than the redirect URI the page links to the right one (5.3)', async () => {
  const elsewhere = joinNetwork(startApp({ publicUrl: 'https://plimsoll.example' }))
  await openPage('/organizations/1001?view=raw#usage', elsewhere)
  const link = await screen.findByRole('link', { name: 'Go to https://plimsoll.example' })
  expect(link).toHaveAttribute('href', 'https://plimsoll.example/organizations/1001?view=raw#usage')
  expect(screen.queryByRole('button', { name: 'Sign in · 1–2 requests' })).toBeNull()
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

test('a picture shows where to find the id, and an API key is the second way (5.1, 5.3)', async () => {
  const { user } = await openPage('/', await signedOut())
  await user.click(await screen.findByText('Where do I find the id?'))
  expect(screen.getByRole('img', { name: /organization_id=1001 is marked/ })).toBeVisible()
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
  expect(useUi.getState().signOut?.kind).toBe('done')
})

test('the whole page is in Japanese too', async () => {
  await loadLanguage('ja')
  await openPage('/', await signedOut())
  expect(await screen.findByRole('button', { name: 'サインイン・1～2リクエスト' })).toBeVisible()
  expect(document.body.textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/)
})
