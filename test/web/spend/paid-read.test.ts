import { beforeEach, expect, test } from 'vitest'
import { checkLimits, readPaid } from '../../../src/web/spend/paid-read.ts'
import { forgetQuota, readQuota } from '../../../src/web/quota/quota.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { answerWith, signedInNetwork } from '../_network.ts'

beforeEach(() => forgetQuota())
const left = () => {
  const { read, update } = useUi.getState().quota?.snapshot ?? {}
  return [read?.remaining, update?.remaining]
}
const ORGANIZATION = '/api/organizations/1001'

test('a read updates the window of its headers, and a check updates both, at no request more (8.4, 4.3)', async () => {
  const network = await signedInNetwork()
  await readQuota()
  expect(left()).toEqual([59, undefined])
  expect((await readPaid(ORGANIZATION)).spent).toBe(1)
  expect(left()).toEqual([58, undefined])
  await checkLimits()
  expect(left()).toEqual([57, 15])
  expect(network.count('GET', '/bff/quota')).toBe(1)
})

test('a refusal reports as much as a success, a cached answer nothing (8.4.2, RFC 9111 5.1)', async () => {
  const network = await signedInNetwork()
  await readQuota()
  answerWith(network, { 'X-RateLimit-Remaining': '7', Age: '30' })
  await readPaid(ORGANIZATION)
  expect(left()).toEqual([59, undefined])
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
  await expect(readPaid(ORGANIZATION)).rejects.toMatchObject({ status: 429 })
  expect(left()).toEqual([0, undefined])
})

test('the lowest of ten answers to this page is shown, in whatever order they come (B14, B15)', async () => {
  const network = await signedInNetwork('oauth', { sharedForMs: 0 })
  await readQuota()
  for (let press = 0; press < 10; press += 1) await readPaid(ORGANIZATION)
  await Promise.all([readQuota(), readPaid(ORGANIZATION), readQuota()])
  expect(left()).toEqual([48, undefined])
  expect(network.spent()).toBe(11)
})
