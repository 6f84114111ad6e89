import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

test('the first stop of the page leads past the header to its content, and the address stays', async () => {
  const { user } = await openPage('/ledger#days')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ledger' })).toHaveFocus()
  document.querySelector<HTMLElement>('body')?.focus()
  screen.getByRole('heading', { level: 1 }).blur()
  await user.tab()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('main')).toHaveFocus()
  expect(location.hash).toBe('#days')
})

test.each(['/', '/ledger', '/learnt', '/sessions', '/organizations/2002', '/nowhere', '/callback'])(
  'at %s the page has a main element, which the link names, a main heading, and a header or a footer',
  async (path) => {
    await openPage(path, path === '/nowhere' ? await signedInNetwork('none') : undefined)
    const frame = () => [...screen.queryAllByRole('banner'), ...screen.queryAllByRole('contentinfo')]
    await waitFor(() => expect(frame()).toHaveLength(1))
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
  },
)
