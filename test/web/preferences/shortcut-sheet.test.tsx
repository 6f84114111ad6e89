import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

afterEach(async () => loadLanguage('en'))

test('? shows the list of the shortcuts, and the button closes it', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  await user.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(sheet).toHaveTextContent('G then LLedger')
  expect(sheet).toHaveTextContent('RGo to Refresh, without pressing it')
  expect(within(sheet).getByRole('button', { name: 'Close' })).toHaveFocus()
  // No key leads elsewhere while it is open.
  await user.keyboard('gl')
  expect(location.pathname).toBe('/')
  await user.click(within(sheet).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('the shortcuts can be turned off and on there, which is stored (WCAG 2.1.4)', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  await user.click(await screen.findByRole('button', { name: 'Keyboard shortcuts' }))
  const box = await screen.findByRole('checkbox', { name: 'Use keyboard shortcuts' })
  expect(box).toBeChecked()
  await user.click(box)
  expect(localStorage.getItem('plimsoll.shortcuts')).toBe('off')
  await user.click(box)
  expect(localStorage).toHaveLength(0)
})

test('in Japanese the list has no English sentence', async () => {
  await loadLanguage('ja')
  const { user } = await openPage('/', await signedInNetwork('none'))
  await user.click(await screen.findByRole('button', { name: 'キーボードショートカット' }))
  const { textContent } = await screen.findByRole('dialog')
  expect(textContent).toContain('G 続けて Lリクエストの記録')
  expect(textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,}/)
})
