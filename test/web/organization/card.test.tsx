import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  announceSession,
  answerWith,
  hold,
  joinNetwork,
  type Network,
  signedInNetwork,
  signInByKey,
} from '../_network.ts'
import { NAME, openHome, openPage, showAgain } from '../_page.tsx'
import { startApp } from '../../kit/app.ts'
import { Problem, problemBody } from '../../../src/contract/problem.ts'

test('the stored copy is shown with its age, and is free (8.3)', async () => {
  const network = await signedInNetwork()
  network.fixture.advance(184_000)
  await openPage('/organizations/1001', network)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(screen.getByText('No. 1001 · read 3 minutes ago')).toBeVisible()
  expect(screen.getByText('stored copy, free')).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('after a sign-in on the page the card has the record that the sign-in read (4.4, 8.3)', async () => {
  const network = await signedInNetwork('none')
  const { user } = await openPage('/', network)
  await user.click(await screen.findByText('Use an API key instead'))
  await user.type(screen.getByLabelText('API key'), network.fixture.seed.api_keys[0]?.value ?? '')
  await user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  expect(await screen.findByText('Read just now')).toBeVisible()
  expect(screen.getByText('stored copy, free')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Refresh/ }))
  expect(await screen.findByText('cost 1 request')).toBeVisible()
  expect(await screen.findByText('nothing has changed')).toBeVisible()
})

test('a page that is shown again has what another tab has paid for, and else says what it paid (8.3)', async () => {
  const { network, user } = await openHome()
  network.fixture.advance(2000)
  await user.click(await screen.findByRole('button', { name: /^Refresh/ }))
  expect(await screen.findByText('cost 1 request')).toBeVisible()
  const reads = network.count('GET', '/api/organizations/1001')
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/api/organizations/1001')).toBe(reads + 1))
  expect(screen.getByText('cost 1 request')).toBeVisible()
  change(network, 'Harbour Rope Works', 'Harbour Ropes')
  network.fixture.advance(2000)
  await network.browser.spend('/organizations/1001')
  act(showAgain)
  expect(await screen.findByRole('heading', { name: 'Harbour Ropes' })).toBeVisible()
  expect(screen.getByText('stored copy, free')).toBeVisible()
})

test('a page that stays in view has within a minute what another window has paid for (8.3)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openHome()
  change(network, 'Harbour Rope Works', 'Harbour Ropes')
  network.fixture.advance(2000)
  await network.browser.spend('/organizations/1001')
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  expect(await screen.findByRole('heading', { name: 'Harbour Ropes' })).toBeVisible()
  expect(network.spent()).toBe(1)
})

/** The rows of the summary. */
const summary = () =>
  [...document.querySelectorAll('dt')].map((label) => [
    label.textContent,
    label.nextElementSibling?.textContent,
  ])

/** Changes each answer about the organization on its way. */
const change = ({ fixture }: Pick<Network, 'fixture'>, from: string | RegExp, to: string) =>
  fixture.intercept(async (request, through) => {
    const response = await through(request)
    if (!request.url.includes('/organizations')) return response
    return new Response((await response.text()).replace(from, to), response)
  })

async function openAllFields(): Promise<HTMLElement> {
  const all = await screen.findByText('All fields, as the service sent them')
  const details = all.closest('details') as HTMLElement
  fireEvent.click(all)
  await within(details).findByRole('button', { name: 'Copy' })
  return details
}

test('the summary has plan, members with their role, address and date, and nothing else (2.3)', async () => {
  await openHome()
  expect(summary()).toEqual([
    ['Plan', 'Standard'],
    ['Members', 'Ada Lindqvist (administrator) and Ben Achterberg'],
    ['Address', '3 East Quay, Port Ellery PE4 2RW'],
    ['Created', 'Apr 8, 2019'],
  ])
})

test('only members that the record has and that are as expected are in the summary (4.4)', async () => {
  const people = Array.from({ length: 9 }, (_, at) => `"P${at}"`).join()
  const network = await signedInNetwork('none')
  change(network, /^.*$/s, `{"plan":"gold","members":[${people}],"address":7,"created_at":"2019-04-08"}`)
  await openPage('/', network)
  await signInByKey(network.fixture, network.browser)
  announceSession()
  expect(await screen.findByText('gold')).toBeVisible()
  expect(summary()).toEqual([
    ['Plan', 'gold'],
    ['Members', 'P0, P1, P2, P3, P4, P5, and 3 more'],
    ['Created', 'Apr 8, 2019'],
  ])
})

test('a record without known members has no summary, and all its fields below (4.4)', async () => {
  const network = await signedInNetwork('none')
  change(network, /^.*$/s, '{"unheard_of":[{"a":1}]}')
  await openPage('/', network)
  await signInByKey(network.fixture, network.browser)
  announceSession()
  expect(within(await openAllFields()).getByText('unheard_of')).toBeVisible()
  expect(document.querySelector('dl')).toBeNull()
})

test('after Refresh the page announces which fields have changed (2.3)', async () => {
  const { network, user } = await openHome()
  change(network, 'Port Ellery', 'Greyhaven')
  const button = screen.getByRole('button', { name: /^Refresh/ })
  await user.click(button)
  const news = await screen.findByText('changed: address')
  expect(news.closest('output')).toHaveRole('status')
  expect(summary()[2]).toEqual(['Address', '3 East Quay, Greyhaven PE4 2RW'])
  expect(screen.getByRole('button', { name: /^Refresh/ })).toBe(button)
})

test('what a person opened or closed among all fields stays so after Refresh', async () => {
  const { network, user } = await openPage('/')
  const all = within(await openAllFields())
  await user.click(all.getByText('notifications'))
  await user.click(all.getByText('address'))
  change(network, 'Port Ellery', 'Greyhaven')
  await user.click(screen.getByRole('button', { name: /^Refresh/ }))
  await screen.findByText('changed: address')
  expect(all.getByText('daily_digest')).toBeVisible()
  expect(all.queryByText('street')).toBeNull()
})

/** The service gives no answer about the organization, so there is no copy. */
async function withoutCopy() {
  const fixture = startApp()
  const browser = fixture.browser()
  answerWith({ fixture }, {}, 503)
  await browser.signIn()
  fixture.intercept(undefined)
  return joinNetwork(fixture, browser)
}

test('after a sign-in whose read failed the page says so, and offers a read with its price (8.3)', async () => {
  const network = await withoutCopy()
  const { user } = await openPage('/', network)
  const offer = await screen.findByRole('button', { name: /^Read it/ })
  expect(screen.getByText(/^The service did not answer when you signed in/)).toBeVisible()
  expect(screen.getByText(/^This session ends in/)).toBeVisible()
  expect(screen.queryByText(/^No copy/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network.spent()).toBe(0)
  await user.click(offer)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(1)
  await waitFor(() => expect(screen.queryByText(/^This session ends in/)).toBeNull())
  // The same button, which keeps the focus.
  expect(offer).toHaveTextContent(/^Refresh · uses 1 of /)
  expect(offer).toHaveFocus()
})

test('a confirmed session whose copy is gone is told so, and no failure of the service (8.3)', async () => {
  const network = await signedInNetwork()
  const { fetch } = network.browser
  network.browser.fetch = async (path, init) =>
    path === '/api/organizations/1001'
      ? Response.json(problemBody(new Problem('costs_a_request'), 'x'), {
          status: 428,
          headers: { 'Content-Type': 'application/problem+json' },
        })
      : fetch.call(network.browser, path, init)
  await openPage('/', network)
  expect(await screen.findByText(/^No copy of this organization is stored here/)).toBeVisible()
  expect(screen.queryByText(/did not answer when you signed in/)).toBeNull()
  // It stays while a page that is shown again asks for a copy that another tab may have paid for.
  const offer = screen.getByRole('button', { name: /^Read it/ })
  act(() => offer.focus())
  const answer = hold(network)
  const asked = network.count('GET', '/api/organizations/1001')
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/api/organizations/1001')).toBe(asked + 1))
  expect(offer.closest('[data-hidden]')).toBeNull()
  expect(offer).toHaveFocus()
  answer()
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
