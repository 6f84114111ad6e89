import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose } from '../../../src/web/preferences/preferences.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

test.each([
  ['gl', '/ledger'],
  ['gs', '/sessions'],
  ['gw', '/learnt'],
])('%s leads to %s, and gh back', async (keys, path) => {
  const { user, network } = await openPage('/')
  await screen.findByText(NAME)
  await user.keyboard(keys)
  expect(location.pathname).toBe(path)
  await screen.findByRole('heading', { level: 1 })
  await user.keyboard('gh')
  expect(location.pathname).toBe('/')
  expect(network.spent()).toBe(0)
})

test('R moves the focus to the Refresh button, and does not press it', async () => {
  const { user, network } = await openPage('/')
  await screen.findByText(NAME)
  await user.keyboard('r')
  expect(screen.getByRole('button', { name: /^Refresh/ })).toHaveFocus()
  expect(network.spent()).toBe(0)
})

test.each([
  ['a modifier', '{Control>}gl{/Control}{Meta>}gl{/Meta}{Alt>}gl{/Alt}'],
  ['another key between', 'gxl'],
  ['no G before', 'l'],
])('a key with %s does nothing', async (_, keys) => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  await user.keyboard(keys)
  expect(location.pathname).toBe('/')
})

test('a late second key does nothing', async () => {
  await openPage('/')
  await screen.findByText(NAME)
  const press = (key: string, timeStamp: number) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true })
    Object.defineProperty(event, 'timeStamp', { value: timeStamp })
    fireEvent(document.body, event)
  }
  press('g', 1000)
  press('l', 2600)
  expect(location.pathname).toBe('/')
  press('g', 3000)
  press('l', 4400)
  await waitFor(() => expect(location.pathname).toBe('/ledger'))
})

test('keys typed in a field or a choice are text (WCAG 2.1.4)', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  await user.type(await screen.findByLabelText(/organization id/i), 'r?gl')
  expect(screen.getByDisplayValue('r?gl')).toHaveFocus()
  screen.getByLabelText('Theme').focus()
  await user.keyboard('?')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('without a session there is no link to follow, and the address stays', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  await screen.findByLabelText(/organization id/i)
  await user.keyboard('glr')
  expect(location.pathname).toBe('/')
})

test('a person can turn the shortcuts off (WCAG 2.1.4)', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  choose({ shortcuts: 'off' })
  await user.keyboard('?gl')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(location.pathname).toBe('/')
})
