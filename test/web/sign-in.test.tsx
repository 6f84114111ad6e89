import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { NOBODY } from './_bff.ts'
import { openPage } from './_page.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

const nobody = { session: NOBODY }
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const field = () => screen.findByRole('textbox', { name: /Organization id/ })
const press = () => screen.getByRole('button', { name: 'Sign in · 1 request' })

test.each([
  [' 1001 ', '1001'],
  ['https://app.example/projects?organization_id=2002&sort=name', '2002'],
])('%s is understood, and the server is told before the browser leaves (5.3)', async (typed, id) => {
  const assign = leaves()
  const { bff, user } = openPage('/', nobody)
  await user.type(await field(), typed)
  expect(screen.getByText(`organization ${id}`)).toBeVisible()
  await user.click(press())
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce())
  expect(bff.calls.at(-1)).toMatchObject({
    method: 'POST',
    path: '/bff/login',
    body: { organization_id: id },
  })
  expect(String(assign.mock.calls[0]?.[0])).toContain(`organization_id=${id}`)
})

test.each([
  ['{Backspace}', 'Type the organization id.'],
  ['0', 'An organization id is a positive whole number, such as 1001.'],
  ['12a', 'An organization id is a positive whole number, such as 1001.'],
  ['https://app.example/projects', 'There is no organization_id in this address, or more than one.'],
])('%s is refused beside the field, before anything is sent', async (typed, fault) => {
  const { bff, user } = openPage('/', nobody)
  await user.type(await field(), typed)
  await user.click(press())
  expect(await field()).toHaveAttribute('aria-invalid', 'true')
  expect(await field()).toHaveAccessibleDescription(expect.stringContaining(fault))
  expect(await field()).toHaveFocus()
  expect(bff.calls.filter(({ path }) => path !== '/bff/session')).toEqual([])
  await user.type(await field(), '1')
  expect(await field()).toHaveAttribute('aria-invalid', 'false')
})

test('a deep link fills the field in', async () => {
  openPage('/organizations/1001', nobody)
  expect(await field()).toHaveValue('1001')
})

test('at another address than the one that people are sent back to, the way there is offered instead (5.3)', async () => {
  const redirect_uri = 'https://plimsoll.example/callback'
  openPage('/organizations/1001?view=raw#usage', {
    session: { ...NOBODY, authorize: { ...NOBODY.authorize, redirect_uri } },
  })
  const link = await screen.findByRole('link', { name: 'Go to https://plimsoll.example' })
  expect(link).toHaveAttribute('href', 'https://plimsoll.example/organizations/1001?view=raw#usage')
  expect(screen.queryByRole('button', { name: 'Sign in · 1 request' })).toBeNull()
})

test('presses that follow each other fast start one sign-in', async () => {
  const assign = leaves()
  const { bff, user } = openPage('/organizations/1001', nobody)
  await field()
  await user.dblClick(press())
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce())
  expect(bff.count('POST', '/bff/login')).toBe(1)
})

test('a server that cannot be told keeps the browser here', async () => {
  const assign = leaves()
  const { user } = openPage('/organizations/1001', {
    ...nobody,
    failures: { 'POST /bff/login': 'unreachable' },
  })
  await field()
  await user.click(press())
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(assign).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Try again below' }))
  expect(await field()).toHaveFocus()
})

async function withKey(key: string, failures = {}) {
  const page = openPage('/', { ...nobody, failures })
  await page.user.click(await screen.findByText('Use an API key instead'))
  const input = screen.getByLabelText('API key')
  await page.user.type(input, key)
  await page.user.click(screen.getByRole('button', { name: 'Sign in with the key · 1 request' }))
  return { ...page, input }
}

test('an API key is sent once, and the page is open (5.1)', async () => {
  const { bff, input } = await withKey(' key-123 ')
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(bff.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { api_key: 'key-123' },
  ])
  expect(input).not.toBeInTheDocument()
})

test.each([
  [' ', 'Paste the API key.'],
  ['two words', 'An API key has no blanks in it, and only plain characters.'],
])('the key %j is refused before anything is sent', async (key, fault) => {
  const { bff, input } = await withKey(key)
  expect(input).toHaveAccessibleDescription(fault)
  expect(bff.count('POST', '/bff/session')).toBe(0)
})

test('a key that the service refuses is told', async () => {
  const { input } = await withKey('key-123', { 'POST /bff/session': { code: 'key_rejected' } })
  expect(await screen.findByRole('alert')).toHaveTextContent('The service did not accept the API key')
  expect(input).toHaveAttribute('type', 'password')
  expect(input).toHaveAttribute('autocomplete', 'off')
})

test('nothing that was typed is remembered', async () => {
  await withKey('key-123', { 'POST /bff/session': { code: 'key_rejected' } })
  await screen.findByRole('alert')
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(
    'key-123',
  )
  expect(document.cookie).toBe('')
})
