import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { openQuota, useQuota } from '../../../src/web/quota/query.ts'
import { useLimitsCheck, usePaidRead } from '../../../src/web/spend/paid.ts'
import { answerWith, gate, type Network, signedInNetwork } from '../_network.ts'

const ORGANIZATION = '/api/organizations/1001'

/** A page with the quota and both buttons, and what each snapshot showed after the first. */
async function open(network: Network) {
  const client = createQueryClient(() => {})
  openQuota(client, { session: 'id' })
  const shown: unknown[] = []
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result, unmount } = renderHook(
    () => {
      const left = useQuota(({ snapshot: { read, update } }) => [read.remaining, update.remaining])
      if (left) shown.push(left)
      return { read: usePaidRead('read', ORGANIZATION), check: useLimitsCheck() }
    },
    { wrapper },
  )
  await expect.poll(() => shown.length).toBeGreaterThan(0)
  const left = () => shown.at(-1)
  /** Every request is answered, and drawn. */
  const settled = async () => {
    await expect.poll(() => client.isMutating() + client.isFetching()).toBe(0)
    await act(async () => {})
  }
  const press = async (button: 'read' | 'check' = 'read') => {
    act(() => result.current[button].run())
    await settled()
  }
  /** The same buttons, after another page. */
  const back = () => {
    unmount()
    return renderHook(() => usePaidRead('read', ORGANIZATION), { wrapper }).result
  }
  return { network, result, shown, left, press, settled, back }
}

test('a press is known, and how it ended, to who left the page meanwhile and comes back (8.3, D5)', async () => {
  const { result, settled, network, back } = await open(await signedInNetwork())
  const slow = gate()
  network.gate = slow.closed
  network.cut.add(`GET ${ORGANIZATION}`)
  act(() => result.current.read.run())
  const again = back()
  expect(again.current.busy).toBe(true)
  slow.open()
  await settled()
  expect([again.current.busy, again.current.problem?.code]).toEqual([false, 'bff_unreachable'])
})

test('a read shows the window of its headers before the next snapshot, and a check both (8.4, 4.3)', async () => {
  const { left, network, press, result, settled, shown } = await open(await signedInNetwork())
  expect(left()).toEqual([59, undefined])
  await press()
  expect(left()).toEqual([58, undefined])
  await press('check')
  expect(left()).toEqual([57, 15])
  // The free answers are held up, and the numbers are there.
  const slow = gate()
  const before = shown.length
  network.fixture.intercept(async (request, through) => {
    network.gate = slow.closed
    return through(request)
  })
  act(() => result.current.read.run())
  await expect.poll(left).toEqual([56, 15])
  expect(shown.length).toBeGreaterThan(before)
  slow.open()
  await settled()
  expect(left()).toEqual([56, 15])
})

test('a refusal reports as much as a success, a cached answer nothing (8.4.2, RFC 9111 5.1)', async () => {
  const { left, network, press, result } = await open(await signedInNetwork())
  network.fixture.advance(1000)
  answerWith(
    network,
    {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(network.fixture.now() / 1000) + 59),
    },
    429,
  )
  await press()
  expect(result.current.read.problem).toMatchObject({ status: 429 })
  expect(left()).toEqual([0, undefined])
})

test('the lowest of ten answers to this page is shown, and no snapshot in between is higher (B14, B15)', async () => {
  const { left, network, press, shown } = await open(await signedInNetwork('oauth', { sharedForMs: 0 }))
  for (let times = 0; times < 10; times++) await press()
  expect(left()).toEqual([49, undefined])
  const reads = shown.map((pair) => (pair as number[])[0] as number)
  expect(reads).toEqual(reads.toSorted((a, b) => b - a))
  expect(network.spent()).toBe(10)
})
