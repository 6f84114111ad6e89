import { act, cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Problem, problemBody, type ProblemCode } from '../../../src/contract/problem.ts'
import type { OwnSessions } from '../../../src/contract/session.ts'
import { startApp } from '../../kit/app.ts'
import { claim, confirm, finish, offer } from '../../bff/pairing/_pairing.ts'
import { joinNetwork, signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

const shownCode = async () => (await screen.findByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).textContent
const setUrl = (url: string) =>
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(url)

async function showCode(origin = 'https://plimsoll.example') {
  const network = await signedInNetwork('oauth')
  const home = location.href
  onTestFinished(() => setUrl(home))
  setUrl(origin)
  const page = await openPage('/device', network)
  await page.user.click(await screen.findByRole('button', { name: 'Show a code' }))
  return { ...page, network, code: (await shownCode()) ?? '' }
}

const numberField = () => screen.getByRole('textbox', { name: 'Number that the other device shows' })
/** Types the number of the other device, and presses. */
async function enter(user: UserEvent, number = ''): Promise<void> {
  await user.clear(numberField())
  if (number !== '') await user.type(numberField(), number)
  await user.click(screen.getByRole('button', { name: 'Open it there' }))
}
const shownRight = () => screen.findByText('The number is right. Waiting for the other device…')

test('nothing is offered before a press, and each press offers another code', async () => {
  const { network, user, code } = await showCode()
  expect(network.count('POST', '/bff/pairing')).toBe(1)
  expect(await screen.findByRole('img', { name: /^QR code/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show another code' }))
  await waitFor(async () => expect(await shownCode()).not.toBe(code))
  expect(network.spent()).toBe(0)
})

test('a number is asked for, and the code stays until somebody has entered it', async () => {
  const { user, network, code } = await showCode()
  await enter(user)
  expect(screen.getByText('Enter the two digits that the other device shows.')).toBeVisible()
  expect(numberField()).toHaveFocus()
  await enter(user, '47')
  expect(await screen.findByRole('alert')).toHaveTextContent('The code was not entered yet')
  const second = network.fixture.browser()
  const { number = '' } = (await claim(second, code)).body
  await enter(user, number)
  expect(await shownRight()).toBeVisible()
  await waitFor(() => expect(screen.getByRole('region')).toHaveFocus())
  expect(screen.queryByText(code)).toBeNull()
  expect(screen.queryByText('The other device is open.')).toBeNull()
  await finish(second)
  expect(await screen.findByText('The other device is open.')).toBeVisible()
  expect(network.spent()).toBe(0)
})

test('a confirmation whose answer was lost is repeated, also when the other device is open by then', async () => {
  const { user, network, code } = await showCode()
  const second = network.fixture.browser()
  const { number = '' } = (await claim(second, code)).body
  const fetch = network.browser.fetch.bind(network.browser)
  const answer = vi.spyOn(network.browser, 'fetch').mockImplementation(async (path, init) => {
    const response = await fetch(path, init)
    if (init?.method === 'PUT') throw new TypeError('fetch failed')
    return response
  })
  await enter(user, number)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  answer.mockRestore()
  await finish(second)
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await screen.findByText('The other device is open.')).toBeVisible()
})

/** As a Japanese keyboard types letters and digits. */
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfe_e0))

test('number and code may be typed in full width, and the code with a gap', async () => {
  const { user, network, code } = await showCode()
  const { number = '' } = (await claim(network.fixture.browser(), code)).body
  await enter(user, fullWidth(number))
  expect(await shownRight()).toBeVisible()
  cleanup()
  const second = await openSecond()
  const field = await screen.findByRole('textbox', { name: 'Code' })
  await second.user.clear(field)
  await second.user.type(
    field,
    `${fullWidth(second.code.toLowerCase().slice(0, 4))}　${fullWidth(second.code.slice(4))}`,
  )
  await second.user.click(screen.getByRole('button', { name: 'Go on' }))
  await confirm(second.first, second.code, await shownNumber())
  await expect.poll(() => location.pathname).toBe('/')
})

test('a code has the focus and is announced, so that it is heard and read (WCAG 4.1.3)', async () => {
  const { code } = await showCode()
  const heading = screen.getByRole('heading', { level: 2 })
  expect(heading).toHaveFocus()
  expect(heading).toHaveTextContent(`Your code: ${code}`)
})

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'at %s no phone could open the address, so the page says what it needs, without a QR code',
  async (origin) => {
    await showCode(origin)
    expect(screen.getByText(/which means this computer/)).toHaveTextContent('Set PLIMSOLL_PUBLIC_URL')
    expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
  },
)

test('where the other device does not come back in time, the page says so and not that it is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user, network, code } = await showCode()
  const { number = '' } = (await claim(network.fixture.browser(), code)).body
  await enter(user, number)
  await shownRight()
  await act(() => vi.advanceTimersByTimeAsync(121_000))
  expect(screen.getByRole('alert')).toHaveTextContent('The other device did not open')
  expect(screen.queryByText('The other device is open.')).toBeNull()
})

test('after two minutes the code is gone, and the page says why', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { code } = await showCode()
  await act(() => vi.advanceTimersByTimeAsync(100_000))
  expect(screen.getByText(code)).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(21_000))
  expect(screen.queryByText(code)).toBeNull()
  expect(screen.getByRole('alert')).toHaveTextContent('This code is no longer valid')
})

test('where code and field go, the focus goes from the field to the reason (WCAG 2.4.3)', async () => {
  const { user, network, code } = await showCode()
  const { number = '' } = (await claim(network.fixture.browser(), code)).body
  await user.type(numberField(), `${number === '10' ? '11' : '10'}{Enter}`)
  expect(await screen.findByRole('alert')).toHaveTextContent('The other device shows another number')
  await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus())
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await user.click(screen.getByRole('button', { name: 'Show another code' }))
  await user.click(await screen.findByRole('textbox', { name: 'Number that the other device shows' }))
  await act(() => vi.advanceTimersByTimeAsync(121_000))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus())
  expect(screen.getByRole('alert')).toHaveTextContent('This code is no longer valid')
})

async function openSecond() {
  const fixture = startApp()
  const first = fixture.browser()
  await first.signIn()
  const { code } = await offer(first)
  const network = joinNetwork(fixture, fixture.browser())
  return { ...(await openPage(`/pair#${code}`, network)), network, first, code }
}

const shownNumber = async () => (await screen.findByText(/^\d\d$/)).textContent ?? ''

test('a phone that reloads while it shows the number shows it again, and opens', async () => {
  const { network, user, first, code, reload, unmount } = await openSecond()
  await user.click(await screen.findByRole('button', { name: 'Go on' }))
  const number = await shownNumber()
  unmount()
  const again = await openPage('/pair', network, history.state)
  expect(await shownNumber()).toBe(number)
  expect(network.count('POST', '/bff/pairing/claim')).toBe(1)
  expect(reload).not.toHaveBeenCalled()
  await confirm(first, code, number)
  await expect.poll(() => again.reload.mock.calls.length).toBe(1)
  expect(location.pathname).toBe('/')
  expect((await network.browser.session()).body.signed_in).toBe(true)
})

test('the browser gets the name that was typed with the code, before its page opens', async () => {
  const { network, user, first, code } = await openSecond()
  await user.type(screen.getByRole('textbox', { name: 'Name for this browser (optional)' }), 'Aya, phone')
  await user.click(await screen.findByRole('button', { name: 'Go on' }))
  await confirm(first, code, await shownNumber())
  await expect.poll(() => location.pathname).toBe('/')
  const { body } = await network.browser.request<OwnSessions>('GET', '/bff/sessions')
  expect(body.sessions.find(({ current }) => current)?.browser).toBe('Aya, phone')
})

test('another code in the address of an open page is taken out of it, and replaces the one before', async () => {
  const { user, first, code } = await openSecond()
  await user.click(await screen.findByRole('button', { name: 'Go on' }))
  await shownNumber()
  const { code: newer } = await offer(first)
  act(() => {
    location.hash = newer
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
  expect(await screen.findByRole('textbox', { name: 'Code' })).toHaveValue(newer)
  expect(newer).not.toBe(code)
  expect(location.href).not.toContain('#')
  await user.click(screen.getByRole('button', { name: 'Go on' }))
  await confirm(first, newer, await shownNumber())
  await expect.poll(() => location.pathname).toBe('/')
})

test('the second browser waits for a press, takes the code out of the address, and outlives an outage', async () => {
  const { network, user } = await openSecond()
  const goOn = await screen.findByRole('button', { name: 'Go on' })
  expect(location.hash).toBe('')
  expect(network.calls.map(({ path }) => path)).toEqual([])
  network.cut.add('POST /bff/pairing/session')
  await user.click(goOn)
  expect(await screen.findByRole('heading', { level: 2 })).toHaveTextContent(
    /^Type this number in your other browser \d\d$/,
  )
  const asked = () => network.count('POST', '/bff/pairing/session')
  await waitFor(() => expect(asked()).toBeGreaterThan(1))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network.spent()).toBe(0)
})

const refusal = (code: ProblemCode, retryInMs?: number): Response => {
  const problem = new Problem(code, { retryInMs })
  const headers = { 'Content-Type': 'application/problem+json' }
  return Response.json(problemBody(problem, 'x'), { status: problem.status, headers })
}

/** The second browser has entered the code; its next polls get these answers. */
async function waiting(...polls: (Response | Error)[]) {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network, user, first, code } = await openSecond()
  await user.click(await screen.findByRole('button', { name: 'Go on' }))
  const number = await shownNumber()
  const answer = vi.spyOn(network.browser, 'fetch')
  for (const poll of polls)
    if (poll instanceof Error) answer.mockRejectedValueOnce(poll)
    else answer.mockResolvedValueOnce(poll)
  const asked = () => network.count('POST', '/bff/pairing/session')
  return {
    network,
    first,
    code,
    number,
    asked,
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  }
}

test('the second browser opens after polls that fail by 500, 502, 503, a lost network and 429', async () => {
  const failures = [
    refusal('unknown'),
    refusal('store_unavailable'),
    new Response('<h1>Bad gateway</h1>', { status: 502 }),
    new TypeError('fetch failed'),
    refusal('too_many_attempts', 30_000),
  ]
  const { first, code, number, asked, pass, network } = await waiting(...failures)
  await confirm(first, code, number)
  for (const _ of failures) await pass(1500)
  expect(asked()).toBe(5)
  expect(screen.queryByRole('alert')).toBeNull()
  await pass(29_000)
  expect(asked()).toBe(5)
  await pass(1000)
  await waitFor(() => expect(location.pathname).toBe('/'))
  expect((await network.browser.session()).body.signed_in).toBe(true)
})

test('the second browser waits for a silent server until its code ends, and no longer', async () => {
  const { network, asked, pass } = await waiting()
  network.cut.add('POST /bff/pairing/session')
  await pass(118_000)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('heading', { level: 2 })).toHaveFocus()
  await pass(3000)
  expect(screen.getByRole('alert')).toHaveTextContent('This code opens nothing')
  // What had the focus is gone (WCAG 2.4.3).
  await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus())
  const before = asked()
  await pass(10_000)
  expect(asked()).toBe(before)
})

test('a refused number ends the wait of the second browser at the next poll', async () => {
  const { first, code, number, pass } = await waiting()
  await confirm(first, code, number === '10' ? '11' : '10')
  await pass(1500)
  expect(await screen.findByRole('alert')).toHaveTextContent('This code opens nothing')
})

test('a code that opens nothing is explained, and can be replaced (D5)', async () => {
  const { user } = await openPage('/pair#ZZZZZZZZ', joinNetwork(startApp()))
  await user.click(await screen.findByRole('button', { name: 'Go on' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('This code opens nothing')
  expect(screen.getByRole('textbox', { name: 'Code' })).toBeVisible()
})
