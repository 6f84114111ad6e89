import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { Guide, loadSignedIn, signedInScreen } from '../../../src/web/app/lazy-screens.ts'

test('the page of who is signed in is drawn without a step between once it is loaded', async () => {
  const before = signedInScreen()
  await loadSignedIn()
  expect(signedInScreen()).not.toBe(before)
  expect(signedInScreen().name).toBe('SignedInScreen')
})

test('the guide comes when it is shown', async () => {
  render(
    <Suspense fallback="later">
      <Guide application={undefined} />
    </Suspense>,
  )
  expect(screen.getByText('later')).toBeVisible()
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
})
