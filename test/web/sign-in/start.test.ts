import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { parseOrganizationId } from '../../../src/contract/organization.ts'
import { consumeState } from '../../../src/web/sign-in/authorize.ts'
import { useStart } from '../../../src/web/sign-in/start.ts'
import { applicationOf, signedInNetwork } from '../_network.ts'

const ID = parseOrganizationId('2002')

test('a sign-in returns to the wanted address, and starts once for all buttons (5.3)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const network = await signedInNetwork('none')
  const application = await applicationOf(network)
  const { result } = renderHook(() => useStart(application, (id) => `/organizations/${id}`))
  await Promise.all([result.current(ID), result.current(ID)])
  expect(assign).toHaveBeenCalledOnce()
  expect(network.count('POST', '/bff/login')).toBe(1)
  const state = new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('state') ?? ''
  expect(await consumeState(state)).toMatchObject({ returnTo: '/organizations/2002', organizationId: ID })
})

test('after a failure it can be started again (RFC 9457)', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const network = await signedInNetwork('none')
  const application = await applicationOf(network)
  const { result } = renderHook(() => useStart(application, () => '/'))
  network.cut.add('POST /bff/login')
  await expect(result.current(ID)).rejects.toMatchObject({ code: 'bff_unreachable' })
  network.cut.clear()
  await result.current(ID)
  expect(assign).toHaveBeenCalledOnce()
})
