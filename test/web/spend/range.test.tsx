import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { changeServiceNote, NO_EVIDENCE, type ServiceNote } from '../../../src/bff/evidence/note.ts'
import { createContext } from '../../bff/_context.ts'
import { type App, startApp } from '../../kit/app.ts'
import { joinNetwork, type Network, signedInNetwork } from '../_network.ts'
import { openHome, openPage } from '../_page.tsx'

const HOUR_MS = 3_600_000
/** As if people had confirmed it. */
const learn = (
  fixture: App,
  confirmed: { [Sort in 'token.code' | 'token.refresh' | 'rate_limit']?: boolean },
) =>
  changeServiceNote({ ...createContext().context, store: fixture.store }, () => ({
    ...NO_EVIDENCE,
    confirmed: Object.fromEntries(
      Object.entries(confirmed).map(([sort, counts]) => [sort, { counts, atMs: fixture.now() }]),
    ) as ServiceNote['confirmed'],
  }))

/** Signed in, with an access token that a press must refresh. */
async function withDueRefresh(): Promise<Network> {
  const network = await signedInNetwork()
  network.fixture.advance(HOUR_MS)
  return network
}

const press = (label: string) => screen.findByRole('button', { name: new RegExp(`^${label} ·`) })
const buttons = () => Promise.all(['Refresh', 'Check limits'].map(press))
/** The requests on the buttons, without what they are taken from. */
const prices = async () => (await buttons()).map(({ textContent }) => /uses (\S+) of/.exec(textContent)?.[1])

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
test('while a refresh is due and may count, buttons and confirmation give the price as a range (5.4, 8.3)', async () => {
  const { user } = await openPage('/', await withDueRefresh())
  await expect.poll(prices).toEqual(['1–2', '0–2'])
  await user.click(await press('Refresh'))
  expect(await screen.findByText('cost 1–2 requests')).toBeVisible()
  await expect.poll(prices).toEqual(['1', '0–1'])
})

test('a refresh that becomes due before the answer is in the price already (5.4)', async () => {
  const network = await signedInNetwork()
  const { due_in_ms: dueMs = 0 } = (await network.browser.quota()).refresh ?? {}
  network.fixture.advance(dueMs - 70_000)
  await openHome(network)
  await expect.poll(prices).toEqual(['1', '0–1'])
  await act(() => vi.advanceTimersByTimeAsync(11_000))
  await expect.poll(prices).toEqual(['1–2', '0–2'])
})

test.each([
  [true, ['2', '1–2'], 'cost 2 requests'],
  [false, ['1', '0–1'], 'cost 1 request'],
])(
  'once it is known that a refresh counts (%s) the price is one number (8.3)',
  async (counts, expected, spent) => {
    const network = await withDueRefresh()
    await learn(network.fixture, { 'token.refresh': counts })
    const { user } = await openPage('/', network)
    await expect.poll(prices).toEqual(expected)
    await user.click(await press('Refresh'))
    expect(await screen.findByText(spent)).toBeVisible()
  },
)

test('an open page has the one number, and a spent one too, as soon as evidence gives it (8.3)', async () => {
  const network = await withDueRefresh()
  network.isLive = true
  const { user } = await openPage('/', network)
  await expect.poll(prices).toEqual(['1–2', '0–2'])
  await user.click(await press('Refresh'))
  await screen.findByText('cost 1–2 requests')
  await learn(network.fixture, { 'token.refresh': true })
  expect(await screen.findByText('cost 2 requests')).toBeVisible()
})

test('a check of the limits is free where it is known not to count (4.3, 8.3)', async () => {
  const network = await withDueRefresh()
  await learn(network.fixture, { rate_limit: false })
  await openPage('/', network)
  await expect.poll(prices).toEqual(['1–2', '0–1'])
})

test('a token that is refused early costs more than the button said, and the page says why (5.5)', async () => {
  const network = await signedInNetwork()
  const { user } = await openHome(network)
  await expect.poll(prices).toEqual(['1', '0–1'])
  const why = '2–3 requests used: the service refused the access token early.'
  for (const label of ['Refresh', 'Check limits']) {
    network.fixture.advance(1000)
    refuseNext(network)
    await user.click(await press(label))
    await expect.poll(async () => press(label)).toHaveAccessibleDescription(why)
  }
  expect(await screen.findByText('cost 2–3 requests')).toBeVisible()
  await user.click(await press('Refresh'))
  await expect.poll(() => screen.queryAllByText(/refused the access token early/)).toHaveLength(1)
})

/** The service refuses the access token once. */
function refuseNext({ fixture }: Network): void {
  fixture.intercept((request, through) => {
    if (request.url.includes('/oauth2/')) return through(request)
    fixture.intercept(undefined)
    return Promise.resolve(new Response('{}', { status: 401 }))
  })
}

test('a sign-in costs the exchange of its code too, wherever it is offered (5.3, 8.3)', async () => {
  const first = await openPage('/', joinNetwork())
  expect(await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })).toBeVisible()
  expect(screen.getByText(/^Signing in uses 1–2 requests\./)).toBeVisible()
  expect(screen.getByText('Sign in with the key · 1 request')).toBeInTheDocument()
  first.unmount()
  const network = await signedInNetwork()
  const second = await openPage('/organizations', network)
  expect(await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })).toBeVisible()
  second.unmount()
  await openPage('/organizations/2002', network)
  expect(await screen.findByRole('button', { name: 'Organization 2002 · 1–2 requests' })).toBeVisible()
})

test.each([
  [true, '2 requests'],
  [false, '1 request'],
])(
  'once it is known that an exchange counts (%s) a sign-in has one price (5.3, 8.3)',
  async (counts, price) => {
    const fixture = startApp()
    await learn(fixture, { 'token.code': counts })
    const { unmount } = await openPage('/', joinNetwork(fixture))
    expect(await screen.findByRole('button', { name: `Sign in · ${price}` })).toBeVisible()
    unmount()
    const browser = fixture.browser()
    await browser.signIn()
    await openPage('/organizations', joinNetwork(fixture, browser))
    expect(await screen.findByRole('button', { name: `Sign in · ${price}` })).toBeVisible()
  },
)
