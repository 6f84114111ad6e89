import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { navigate } from '../../../src/web/lib/router.ts'
import { NAME, openPage } from '../_page.tsx'

test('every page is at its address, and costs nothing to open (8.3)', async () => {
  const { network } = await openPage('/')
  expect(await screen.findByText(NAME)).toBeVisible()
  for (const [path, heading] of [
    ['/ledger', 'Ledger'],
    ['/learnt', 'What we learnt about the service'],
    ['/sessions', 'Your sessions'],
  ] as const) {
    act(() => navigate(path))
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toHaveFocus()
    expect(
      screen.getByRole('navigation', { name: 'Pages' }).querySelector('[aria-current=page]'),
    ).toHaveAttribute('href', path)
  }
  expect(network.spent()).toBe(0)
})
