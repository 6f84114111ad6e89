import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { historyStateOf } from '../../../src/web/sign-in/failed-attempt.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage, showAgain } from '../_page.tsx'

const field = () => screen.findByRole('textbox', { name: /Organization id/ })

test('after a denial the field has the id and the focus (RFC 6749 4.1.2.1)', async () => {
  const failed = { problem: new Problem('access_denied'), returnTo: '/', organizationId: '2002' }
  const { user } = await openPage('/', await signedInNetwork('none'), historyStateOf(failed))
  expect(await field()).toHaveValue('2002')
  expect(await field()).toHaveFocus()
  expect(screen.getByRole('alert')).toHaveTextContent('you are not a member of organization 2002')
  expect(document.title).toBe('Access was not granted · Plimsoll')
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(await field()).toHaveFocus()
})

test('the end of a session is shown with the focus on it, and leads to the field', async () => {
  const network = await signedInNetwork()
  const { user } = await openPage('/', network)
  await screen.findByText(NAME)
  await network.browser.signOut()
  act(showAgain)
  expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toHaveFocus()
  expect(document.title).toBe('Your session has ended · Plimsoll')
  expect(screen.queryByRole('button', { name: 'Go to the start page' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign in below' }))
  expect(await field()).toHaveFocus()
  expect(useUi.getState().signOut?.kind).toBe('ended')
})

test('a failure after the end of a session replaces its notice, and takes the focus', async () => {
  const network = await signedInNetwork()
  const { user } = await openPage('/', network)
  await screen.findByText(NAME)
  await network.browser.signOut()
  act(showAgain)
  await screen.findByRole('heading', { name: 'Your session has ended' })
  network.cut.add('POST /bff/login')
  await user.type(await field(), '1001{Enter}')
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toHaveFocus()
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})
