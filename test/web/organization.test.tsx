import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answerWith, gate, joinNetwork, signedInNetwork } from './_network.ts'
import { NAME, openPage } from './_page.tsx'
import { createFixture } from '../_fixture.ts'

test('the copy is shown with its age, and is free (8.3)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(184_000)
  await openPage('/organizations/1001', network)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(screen.getByText('as of 3 minutes ago · cached, free')).toBeVisible()
  expect(network.spent()).toBe(0)
})

/** Signed in while the service answered nothing of the organization: so there is no copy. */
async function withoutCopy() {
  const fixture = createFixture()
  const browser = fixture.browser()
  answerWith({ fixture }, {}, 503)
  await browser.signIn()
  fixture.intercept(undefined)
  return joinNetwork(fixture, browser)
}

test('where there is no copy the page offers a read, with its price, and asks for nothing (8.3)', async () => {
  const network = await withoutCopy()
  const { user } = await openPage('/', network)
  const offer = await screen.findByRole('button', { name: 'Read it · 1 request' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network.spent()).toBe(0)
  await user.click(offer)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(1)
})

test('a copy that cannot be read can be asked for again for free (8.3)', async () => {
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
  expect(screen.getByRole('heading', { name: 'The organization of your key' })).toBeVisible()
  expect(network.count('GET', '/api/organizations')).toBe(1)
})

test('at the address of another organization nothing of one’s own is shown (5.3)', async () => {
  const { network, user } = await openPage('/organizations/2002')
  expect(await screen.findByRole('heading', { name: 'This is not organization 2002' })).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.count('GET', '/api/organizations/2002')).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Sign out, and sign in for 2002' }))
  expect(await screen.findByRole('textbox')).toHaveValue('2002')
  expect(location.pathname).toBe('/organizations/2002')
})

test('from there a link leads to one’s own (5.3)', async () => {
  const { user } = await openPage('/organizations/2002')
  await user.click(await screen.findByRole('link', { name: 'Go to organization 1001' }))
  expect(await screen.findByText(NAME)).toBeVisible()
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
