import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { NAME, openPage } from '../_page.tsx'

test('the store holds the quota, and nothing of what the organization holds (4.4)', async () => {
  await openPage('/')
  await screen.findByText(NAME)
  await expect.poll(() => useUi.getState().quota).toBeDefined()
  expect(JSON.stringify(useUi.getState())).not.toContain(NAME)
})
