import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { createFixture } from '../../_fixture.ts'
import { claim, offer } from '../../bff/pairing/_pairing.ts'
import { latinSentences } from '../_latin.ts'
import { joinNetwork, signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const shownCode = async () => (await screen.findByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).textContent

async function showCode() {
  const network = await signedInNetwork('oauth')
  const page = await openPage('/device', network)
  await page.user.click(await screen.findByRole('button', { name: 'Show a code' }))
  return { ...page, network, code: (await shownCode()) ?? '' }
}

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
  await user.click(screen.getByRole('button', { name: 'Open it there' }))
  expect(screen.getByText('Enter the two digits that the other device shows.')).toBeVisible()
  const field = screen.getByRole('textbox', { name: 'Number that the other device shows' })
  expect(field).toHaveFocus()
  await user.type(field, '47')
  await user.click(screen.getByRole('button', { name: 'Open it there' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The code was not entered yet')
  const second = network.fixture.browser()
  const { number = '' } = (await claim(second, code)).body
  await user.clear(field)
  await user.type(field, number)
  await user.click(screen.getByRole('button', { name: 'Open it there' }))
  expect(await screen.findByText('The other device is open.')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  expect(screen.queryByText(code)).toBeNull()
})

test('after two minutes the code is gone, and the page says why', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { code } = await showCode()
  await act(() => vi.advanceTimersByTimeAsync(119_000))
  expect(screen.getByText(code)).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(screen.queryByText(code)).toBeNull()
  expect(screen.getByRole('alert')).toHaveTextContent('This code is no longer valid')
})

async function openSecond() {
  const fixture = createFixture()
  const first = fixture.browser()
  await first.signIn()
  const { code } = await offer(first)
  const network = joinNetwork(fixture, fixture.browser())
  return { ...(await openPage(`/pair#${code}`, network)), network, first }
}

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
  await waitFor(() => expect(asked()).toBeGreaterThan(1), { timeout: 5000 })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network.spent()).toBe(0)
})

test('a code that opens nothing is explained, in Japanese too, and can be replaced (D5)', async () => {
  await loadLanguage('ja')
  const { user } = await openPage('/pair#ZZZZZZZZ', joinNetwork(createFixture()))
  await user.click(await screen.findByRole('button', { name: '次へ' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('このコードでは開けません')
  expect(screen.getByRole('textbox', { name: 'コード' })).toBeVisible()
  expect(latinSentences()).toEqual([])
})
