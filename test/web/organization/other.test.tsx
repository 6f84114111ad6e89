import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { rememberOrganization } from '../../../src/web/session/last-organizations.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { BUSINESS } from '../../kit/app.ts'
import { latinSentences } from '../_latin.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

test('the address of another organization shows no data of one’s own, and offers its sign-in (5.3)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  rememberOrganization({ id: '2002', name: 'Meridian Shipping' })
  const { network, user } = await openPage('/organizations/2002')
  expect(await screen.findByRole('heading', { name: 'This is not organization 2002' })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.count('GET', '/api/organizations/2002')).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('organization_id')).toBe('2002')
  expect((await network.browser.session()).body.signed_in).toBe(true)
})

test('a sign-in that cannot start is reported there, and nothing is lost (RFC 9457)', async () => {
  const network = await signedInNetwork()
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/organizations/2002', network)
  await user.click(await screen.findByRole('button', { name: 'Organization 2002 · 1–2 requests' }))
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to organization 1001' })).toBeVisible()
})

test('an organization that this browser is signed in to opens from there for free (5.3)', async () => {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  const { user } = await openPage('/organizations/1001', network)
  const before = network.spent()
  await user.click(await screen.findByRole('button', { name: 'Open organization 1001 · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect([location.pathname, network.spent()]).toEqual(['/', before])
})

test('a link leads from there to one’s own organization (5.3)', async () => {
  const { user } = await openPage('/organizations/2002')
  await user.click(await screen.findByRole('link', { name: 'Go to organization 1001' }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('the page does not know if an API key belongs to that organization (4.4)', async () => {
  await openPage('/organizations/2002', await signedInNetwork('api_key'))
  expect(await screen.findByText(/it is not known whether that is 2002/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the organization of the key' })).toBeVisible()
})

test('in Japanese no English sentence is left', async () => {
  await loadLanguage('ja')
  const network = await signedInNetwork()
  await signInByKey(network.fixture, network.browser)
  await openPage('/organizations/1001', network)
  await screen.findByRole('heading', { name: 'これは組織1001ではありません' })
  expect(latinSentences()).toEqual([])
})
