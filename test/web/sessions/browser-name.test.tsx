import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { gate, signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

async function openSessions() {
  const network = await signedInNetwork('api_key')
  const opened = await openPage('/sessions', network)
  await screen.findByRole('list')
  return opened
}

const opener = () => screen.getByRole('button', { name: 'Name this browser' })
/** Its code is loaded at the press. */
const field = () => screen.findByRole('textbox', { name: 'Name of this browser' })
const row = () => screen.getByRole('listitem')

test('a person names the browser by keyboard: the row has the name, and the button the focus (ASVS 7.5.2)', async () => {
  const { user, network } = await openSessions()
  expect(opener()).toHaveAttribute('aria-expanded', 'false')
  opener().focus()
  await user.keyboard('{Enter}')
  expect(await field()).toHaveFocus()
  expect(await field()).toHaveValue('')
  expect(opener()).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('  Aya, office {Enter}')
  expect(await screen.findByText('This browser is now called “Aya, office”.')).toBeVisible()
  expect(row()).toHaveTextContent(/^Aya, office This browser/)
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(opener()).toHaveFocus()
  expect(network.spent()).toBe(0)
  await user.click(opener())
  expect(await field()).toHaveValue('Aya, office')
  await user.clear(await field())
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This browser has no name of its own now.')).toBeVisible()
  expect(row()).toHaveTextContent(/^Another browser This browser/)
})

test('Escape, Cancel and a second press close the field, change nothing and return the focus', async () => {
  const { user, network } = await openSessions()
  for (const close of [
    () => user.keyboard('{Escape}'),
    () => user.click(screen.getByRole('button', { name: 'Cancel' })),
    () => user.click(opener()),
  ]) {
    await user.click(opener())
    await user.type(await field(), 'Aya')
    await close()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(opener()).toHaveFocus()
  }
  expect(network.count('PUT', '/bff/browser')).toBe(0)
  expect(row()).toHaveTextContent(/^Another browser/)
})

test('Escape that ends the composition of an input method leaves the field open', async () => {
  const { user } = await openSessions()
  await user.click(opener())
  const input = await field()
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true }))
  expect(await field()).toBeVisible()
})

test.each([
  ['x'.repeat(41), 'Use at most 40 characters.'],
  ['Aya\u202Eoffice', 'Use one line, without invisible characters.'],
])('the name %j is refused beside the field, and not sent', async (name, words) => {
  const { user, network } = await openSessions()
  await user.click(opener())
  await user.click(await field())
  await user.paste(name)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await field()).toHaveAccessibleDescription(words)
  expect(await field()).toBeInvalid()
  expect(await field()).toHaveFocus()
  expect(network.count('PUT', '/bff/browser')).toBe(0)
})

test('a name that is markup is shown as text (Trusted Types 4.2)', async () => {
  const { user } = await openSessions()
  await user.click(opener())
  await user.type(await field(), '<img src=x onerror=alert(1)>{Enter}')
  await waitFor(() => expect(row()).toHaveTextContent(/^<img src=x onerror=alert\(1\)> This browser/))
  expect(within(row()).queryByRole('img')).toBeNull()
})

test('a failure is shown, the field keeps what was typed, and fast presses count once', async () => {
  const { user, network } = await openSessions()
  network.cut.add('PUT /bff/browser')
  await user.click(opener())
  await user.type(await field(), 'Aya')
  const { closed, open } = gate()
  network.gate = closed
  await user.dblClick(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(await field()).toHaveValue('Aya')
  expect(network.count('PUT', '/bff/browser')).toBe(1)
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This browser is now called “Aya”.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the field, its faults and the result are in Japanese too', async () => {
  await loadLanguage('ja')
  const { user } = await openSessions()
  await user.click(screen.getByRole('button', { name: 'このブラウザーに名前を付ける' }))
  expect(await screen.findByRole('textbox')).toHaveFocus()
  expect(latinSentences()).toEqual([])
  await user.paste('x'.repeat(41))
  await user.keyboard('{Enter}')
  expect(screen.getByRole('textbox')).toHaveAccessibleDescription('40文字以内で入力してください。')
  await user.clear(screen.getByRole('textbox'))
  await user.keyboard('田中さん{Enter}')
  expect(await screen.findByText('このブラウザーの名前を「田中さん」にしました。')).toBeVisible()
})
