import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage } from '../_page.tsx'

test('the page has a name, and everything is on one screen', async () => {
  await openPage('/')
  expect(await screen.findByRole('heading', { level: 1, name: 'Quota and organization' })).toBeInTheDocument()
  expect(
    screen.getAllByRole('region').flatMap((region) => region.getAttribute('aria-labelledby') ?? []),
  ).toEqual(['month', 'minute', 'organization'])
  // The title is set after the screen is drawn.
  await waitFor(() => expect(document.title).toBe('Harbour Rope Works · Plimsoll'))
})

test('one’s own organization has an address of its own', async () => {
  await openPage('/organizations/1001')
  expect(await screen.findByRole('heading', { name: 'Harbour Rope Works' })).toBeVisible()
})
