import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { answerWith, gate, joinNetwork, signedInNetwork, signInByKey } from '../_network.ts'
import { NAME, openPage, showAgain } from '../_page.tsx'
import { createFixture } from '../../_fixture.ts'

test('the stored copy is shown with its age, and is free (8.3)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(184_000)
  await openPage('/organizations/1001', network)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(screen.getByText('Read 3 minutes ago · stored copy, free')).toBeVisible()
  expect(network.spent()).toBe(0)
})

afterEach(async () => loadLanguage('en'))

test('the heading, the title and the header have the name, beside the id (4.4)', async () => {
  await openPage('/')
  expect(await screen.findByRole('heading', { level: 2, name: 'Harbour Rope Works' })).toBeVisible()
  expect(screen.getByRole('banner')).toHaveTextContent('Harbour Rope WorksOrganization 1001')
  await waitFor(() => expect(document.title).toBe('Harbour Rope Works · Plimsoll'))
})

test('after a sign-in on the page the card says that the sign-in read the record (8.3)', async () => {
  const network = await signedInNetwork('none')
  const { user } = await openPage('/', network)
  await signInByKey(network.fixture, network.browser)
  act(() => showAgain())
  expect(await screen.findByText('Read at sign-in · 1 request')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  expect(await screen.findByText('Read just now · 1 request spent')).toBeVisible()
})

test('after Refresh the changes are named and marked, until the page is closed (2.3)', async () => {
  const { network, user, unmount } = await openPage('/')
  await screen.findByText(NAME)
  network.fixture.intercept(async (request, through) => {
    const response = await through(request)
    if (!request.url.includes('/organizations')) return response
    return new Response((await response.text()).replace('Port Ellery', 'Greyhaven'), response)
  })
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  expect(await screen.findByText(/^Changed since .*: Address$/)).toBeVisible()
  expect(screen.getAllByText('changed')).toHaveLength(2)
  unmount()
  await openPage('/', network)
  expect(await screen.findByText('Greyhaven')).toBeVisible()
  expect(screen.queryByText(/Changed since/)).toBeNull()
})

test('in Japanese only the data of the organization may be in another language', async () => {
  await loadLanguage('ja')
  await openPage('/')
  const card = await screen.findByRole('region', { name: 'Harbour Rope Works' })
  expect(await within(card).findByText('スタンダード')).toBeVisible()
  expect(within(card).getByRole('button', { name: /^再読み取り/ })).toBeVisible()
  expect(within(card).getByText('メンバー')).toBeVisible()
  for (const data of card.querySelectorAll('p[dir=auto], bdi, h2, time')) data.remove()
  // The price on the button comes from another folder.
  for (const price of card.querySelectorAll('button span')) price.remove()
  expect(card.textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/)
})

test('another organization is named in Japanese too', async () => {
  await loadLanguage('ja')
  await openPage('/organizations/2002')
  expect(await screen.findByRole('heading', { name: 'これは組織2002ではありません' })).toBeVisible()
  expect(screen.getByRole('main')).toHaveTextContent('組織1001へ')
})

/** The service gives no answer about the organization, so there is no copy. */
async function withoutCopy() {
  const fixture = createFixture()
  const browser = fixture.browser()
  answerWith({ fixture }, {}, 503)
  await browser.signIn()
  fixture.intercept(undefined)
  return joinNetwork(fixture, browser)
}

test('without a copy the page offers a read with its price, and sends nothing (8.3)', async () => {
  const network = await withoutCopy()
  const { user } = await openPage('/', network)
  const offer = await screen.findByRole('button', { name: 'Read it · 1 request' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network.spent()).toBe(0)
  await user.click(offer)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(1)
})

test('a copy that cannot be read can be read again for free (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /api/organizations/1001')
  const { user } = await openPage('/', network)
  const again = await screen.findByRole('button', { name: 'Try again · free' })
  network.cut.clear()
  await user.click(again)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('an API key reads the organization that it belongs to (4.4, 5.1)', async () => {
  const { network } = await openPage('/', await signedInNetwork('api_key'))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Harbour Rope Works' })).toBeVisible()
  expect(network.count('GET', '/api/organizations')).toBe(1)
})

test('an answer that comes after the sign-out is dropped', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  const slow = gate()
  network.gate = slow.closed
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  network.gate = undefined
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await screen.findByText('You are signed out')
  slow.open()
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(screen.queryByText(NAME)).toBeNull()
})
