import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { KEY_HOLDER } from './_bff.ts'
import { openPage } from './_page.tsx'

test('the header says who is signed in and how, and always offers the way out', async () => {
  openPage('/')
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('Organization 1001')
  expect(header).toHaveTextContent('OAuth')
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Plimsoll' })).toHaveAttribute('href', '/')
})

test('with an API key no organization is claimed (5.1)', async () => {
  openPage('/', { session: KEY_HOLDER })
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('API key')
  expect(header).not.toHaveTextContent('Organization')
})

test('presses of sign-out that follow each other fast end the session once', async () => {
  const { bff, user } = openPage('/')
  await user.dblClick(await screen.findByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(bff.count('DELETE', '/bff/session')).toBe(1)
})
