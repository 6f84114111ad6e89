import { expect, test } from 'vitest'
import { getQuota } from '../../../src/web/quota/queries.ts'
import { signedInNetwork } from '../_network.ts'

test('the snapshot is read whole, and costs nothing (8.2, 8.3)', async () => {
  const network = await signedInNetwork()
  expect(await getQuota()).toMatchObject({ month: { low: 1, limit: 100 }, read: { known: 'measured' } })
  expect(network.spent()).toBe(0)
})
