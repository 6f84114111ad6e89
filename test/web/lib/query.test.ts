import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { SignedIn } from '../../../src/contract/session.ts'
import { checkLimits } from '../../../src/web/spend/paid-read.ts'
import { createQueryClient, organizationQuery } from '../../../src/web/lib/query.ts'
import { SESSION } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'
import { showAgain } from '../_page.tsx'

afterEach(() => onlineManager.setOnline(true))

const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

async function answered() {
  const network = await signedInNetwork()
  const query = organizationQuery((await network.browser.session()).body as SignedIn)
  const client = createQueryClient(() => {})
  client.mount()
  const observe = () => new QueryObserver(client, query).subscribe(() => {})
  const stop = observe()
  await expect.poll(() => client.getQueryData(query.queryKey)).toBeDefined()
  return { network, client, observe, stop }
}

test('another observer does not ask again for an answer (8.3)', async () => {
  const { network, observe, stop } = await answered()
  stop()
  observe()
  observe()
  await settle()
  expect(network.calls).toHaveLength(1)
})

test('a page that is shown again does not ask again for an answer (8.3)', async () => {
  const { network } = await answered()
  for (let times = 0; times < 10; times++) showAgain()
  await settle()
  expect(network.calls).toHaveLength(1)
})

test('a network that is back does not ask again for an answer (8.3)', async () => {
  const { network } = await answered()
  for (let times = 0; times < 3; times++) {
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
  }
  await settle()
  expect(network.calls).toHaveLength(1)
})

test('a failed request is not repeated either, and is reported once (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /api/organizations/1001')
  const reported: string[] = []
  const client = createQueryClient(({ code }) => reported.push(code))
  client.mount()
  const observe = () => new QueryObserver(client, organizationQuery(SESSION)).subscribe(() => {})
  observe()
  await expect.poll(() => reported).toEqual(['bff_unreachable'])
  observe()
  showAgain()
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await settle()
  expect(network.calls).toHaveLength(1)
})

test('a press without a network fails at once, and is not sent later (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /api/rate_limit')
  const client = createQueryClient(() => {})
  client.mount()
  dispatchEvent(new Event('offline'))
  const press = new MutationObserver(client, { mutationFn: checkLimits })
  const failed = vi.fn<() => void>()
  press.mutate().catch(failed)
  await expect.poll(() => failed.mock.calls.length).toBe(1)
  network.cut.clear()
  dispatchEvent(new Event('online'))
  await settle()
  expect(network.count('GET', '/api/rate_limit')).toBe(1)
  expect(network.spent()).toBe(0)
})

test('a query without a network fails at once, and is not sent later (8.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /api/organizations/1001')
  const client = createQueryClient(() => {})
  client.mount()
  dispatchEvent(new Event('offline'))
  new QueryObserver(client, organizationQuery(SESSION)).subscribe(() => {})
  await expect.poll(() => client.getQueryState(organizationQuery(SESSION).queryKey)?.status).toBe('error')
  network.cut.clear()
  dispatchEvent(new Event('online'))
  await settle()
  expect(network.calls).toHaveLength(1)
})
