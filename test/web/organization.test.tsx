import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { KEY_HOLDER } from './_bff.ts'
import { openPage } from './_page.tsx'

test('the copy is shown with its age, and is free', async () => {
  const { bff } = openPage('/organizations/1001')
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(screen.getByText('as of 3 minutes ago · cached, free')).toBeVisible()
  expect(bff.spent()).toBe(0)
})

test('where no copy is kept the page offers one, with its price, and asks for nothing', async () => {
  const { bff, user } = openPage('/', { copy: undefined })
  const offer = await screen.findByRole('button', { name: 'Read it · 1 request' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(bff.spent()).toBe(0)
  await user.click(offer)
  expect(await screen.findByText('Harbour, refreshed')).toBeVisible()
  expect(bff.spent()).toBe(1)
})

test('a copy that cannot be read is told, and can be asked for again for free', async () => {
  const { bff, user } = openPage('/', {
    failures: { 'GET /api/organizations/1001': { code: 'store_unavailable' } },
  })
  const again = await screen.findByRole('button', { name: 'Try again · free' })
  bff.failures = {}
  await user.click(again)
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(bff.spent()).toBe(0)
})

test('an API key reads the organization that it belongs to (4.4, 5.1)', async () => {
  const { bff } = openPage('/', { session: KEY_HOLDER })
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'The organization of your key' })).toBeVisible()
  expect(bff.count('GET', '/api/organizations')).toBe(1)
})

test('the address of another organization is not answered with one’s own (5.3)', async () => {
  const { bff, user } = openPage('/organizations/2002')
  expect(await screen.findByRole('heading', { name: 'This is not organization 2002' })).toBeVisible()
  expect(screen.queryByText('Harbour')).toBeNull()
  expect(bff.count('GET', '/api/organizations/2002')).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Sign out, and sign in for 2002' }))
  expect(await screen.findByRole('textbox')).toHaveValue('2002')
  expect(location.pathname).toBe('/organizations/2002')
})

test('from there a link leads to one’s own', async () => {
  const { user } = openPage('/organizations/2002')
  await user.click(await screen.findByRole('link', { name: 'Go to organization 1001' }))
  expect(await screen.findByText('Harbour')).toBeVisible()
})

test('an answer that comes after the sign-out is not kept', async () => {
  const { bff, user } = openPage('/')
  await screen.findByText('Harbour')
  let open = () => {}
  bff.gate = new Promise((resolve) => {
    open = resolve
  })
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  bff.gate = undefined
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await screen.findByText('You are signed out')
  open()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(screen.queryByText(/Harbour/)).toBeNull()
})
