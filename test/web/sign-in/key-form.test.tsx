import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

async function withKey(keyOf: (seeded: string) => string) {
  const network = await signedInNetwork('none')
  const key = keyOf(network.fixture.seed.api_keys[0]?.value ?? '')
  const page = await openPage('/', network)
  await page.user.click(await screen.findByText('Use an API key instead'))
  const input = screen.getByLabelText('API key')
  await page.user.type(input, key)
  await page.user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  return { ...page, input, key }
}

test('an API key is sent once, and the page is open (5.1)', async () => {
  const { network, input, key } = await withKey((seeded) => ` ${seeded} `)
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { api_key: key.trim() },
  ])
  expect(network.spent()).toBe(1)
  expect(input).not.toBeInTheDocument()
})

test.each([
  [' ', 'Paste the API key.'],
  ['two words', 'An API key has no spaces or special characters.'],
])('the key %j is refused before anything is sent (5.1)', async (key, message) => {
  const { network, input } = await withKey(() => key)
  expect(input).toHaveAccessibleDescription(message)
  expect(network.count('POST', '/bff/session')).toBe(0)
})

test('a key that the service refuses is reported, and stored nowhere (5.1)', async () => {
  const { input } = await withKey(() => 'key-123-unknown')
  expect(await screen.findByRole('alert')).toHaveTextContent('The service did not accept the API key')
  expect(input).toHaveAttribute('type', 'password')
  expect(input).toHaveAttribute('autocomplete', 'off')
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(
    'key-123',
  )
  expect(document.cookie).toBe('')
})

test('a refused key gets the focus and the reason beside it, and the notice leads back to it (5.1)', async () => {
  const { input, user } = await withKey(() => 'key-123-unknown')
  await screen.findByRole('alert')
  expect(document.title).toBe('The service did not accept the API key · Plimsoll')
  expect(input).toHaveFocus()
  expect(input).toHaveAttribute('aria-invalid', 'true')
  expect(input).toHaveAccessibleDescription('The service did not accept the API key')
  await user.click(screen.getByText('Use an API key instead'))
  expect(input).not.toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(input).toBeVisible()
  expect(input).toHaveFocus()
  await user.type(input, 'x')
  expect(input).toHaveAttribute('aria-invalid', 'false')
})
