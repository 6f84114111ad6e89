import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useUi } from '../../src/web/ui.ts'
import { KEY_HOLDER, NOBODY, SOMEBODY } from './_bff.ts'
import { look, openPage } from './_page.tsx'

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))

test('sign-out ends the session, forgets the data, and says so', async () => {
  const { bff, user } = openPage('/organizations/1001?tab=1')
  await screen.findByText('Harbour')
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(screen.queryByText('Harbour')).toBeNull()
  expect(useUi.getState().quota).toBeUndefined()
  expect(bff.spent()).toBe(0)
})

test('a server that cannot be told is no reason to show the data, and can be told again', async () => {
  const { bff, user } = openPage('/')
  await screen.findByText('Harbour')
  bff.failures = { 'DELETE /bff/session': 'unreachable' }
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByRole('heading', { name: 'Signed out here, and here alone' })).toBeVisible()
  act(look)
  await settle()
  expect(screen.queryByText('Harbour')).toBeNull()
  bff.failures = {}
  await user.click(screen.getByRole('button', { name: 'Sign out again' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
})

test('a session that another tab has ended is noticed when this one is looked at', async () => {
  const { bff } = openPage('/organizations/1001')
  await screen.findByText('Harbour')
  bff.session = NOBODY
  act(look)
  expect(await screen.findByRole('alert')).toHaveTextContent('Nobody is signed in')
  expect(screen.getByRole('textbox')).toHaveValue('1001')
  expect(screen.queryByText('Harbour')).toBeNull()
})

test('another organization that another tab has signed in for takes the place of this one', async () => {
  const { bff } = openPage('/')
  await screen.findByText('Harbour')
  bff.session = { ...SOMEBODY, organization_id: '2002' }
  bff.copy = '{"name":"Lighthouse"}'
  act(look)
  expect(await screen.findByText('Lighthouse')).toBeVisible()
  expect(screen.queryByText('Harbour')).toBeNull()
  expect(bff.spent()).toBe(0)
})

test('looking again reads session and quota, and spends nothing (B19)', async () => {
  const { bff } = openPage('/')
  await screen.findByText('Harbour')
  for (let times = 0; times < 10; times++) dispatchEvent(new Event('focus'))
  for (let times = 0; times < 3; times++) dispatchEvent(new Event('online'))
  await settle()
  const before = bff.calls.length
  act(look)
  await waitFor(() => expect(bff.calls).toHaveLength(before + 2))
  expect(bff.calls.slice(before).map(({ path }) => path)).toEqual(['/bff/session', '/bff/quota'])
  expect(bff.spent()).toBe(0)
})

const pageShow = () => Object.assign(new Event('pageshow'), { persisted: true })

test('a page out of the browser’s memory shows nothing before it knows who is signed in', async () => {
  const { bff } = openPage('/')
  await screen.findByText('Harbour')
  act(() => void dispatchEvent(new Event('pagehide')))
  expect(screen.queryByText('Harbour')).toBeNull()
  bff.session = NOBODY
  act(() => void dispatchEvent(pageShow()))
  expect(await screen.findByRole('textbox')).toBeVisible()
  expect(screen.queryByText('Harbour')).toBeNull()
})

test('and shows what it showed when that is still so', async () => {
  const { bff } = openPage('/', { session: KEY_HOLDER })
  await screen.findByText('Harbour')
  act(() => {
    dispatchEvent(new Event('pagehide'))
    dispatchEvent(pageShow())
  })
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(bff.spent()).toBe(0)
})

test('a session that ends under a press leads to the sign-in, with the reason', async () => {
  const { bff, user } = openPage('/')
  await screen.findByText('Harbour')
  bff.session = NOBODY
  bff.failures = { 'GET /api/organizations/1001': { code: 'access_withdrawn' } }
  await user.click(screen.getByRole('button', { name: 'Refresh · 1 request' }))
  expect(await screen.findByRole('textbox')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Access was withdrawn or has expired')
})

test('a session that ends under a reading of the quota does too', async () => {
  const { bff } = openPage('/', { failures: { 'GET /bff/quota': { code: 'signed_out' } } })
  bff.session = SOMEBODY
  await screen.findByText('Harbour')
  bff.session = NOBODY
  act(look)
  expect(await screen.findByRole('textbox')).toBeVisible()
})
