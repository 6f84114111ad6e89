import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { signedInNetwork, signInByKey } from '../_network.ts'
import { openPage } from '../_page.tsx'

test('with a reading the chart has the organization’s count and the reading (C10)', async () => {
  const network = await signedInNetwork('api_key')
  await network.browser.request('POST', '/bff/readings', { json: { count: 30 } })
  await openPage('/ledger', network)
  const figure = await screen.findByRole('figure', { name: 'Requests left this month' })
  await waitFor(() => expect(figure).toHaveTextContent('70 of 100 left, by the newest reading'))
  await waitFor(() => expect(figure).toHaveTextContent('by a reading of the service’s own count'))
})

test('a plan without a limit has no chart (8.3)', async () => {
  const network = await signedInNetwork('none')
  await signInByKey(network.fixture, network.browser, 2002)
  await openPage('/ledger', network)
  await screen.findByRole('table', { name: 'Requests, newest first' })
  await waitFor(() => expect(useUi.getState().quota?.snapshot.month.plan).toBe('business'))
  expect(screen.queryByRole('figure')).toBeNull()
})
