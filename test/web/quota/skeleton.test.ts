import { expect, test } from 'vitest'
import { parseQuota } from '../../../src/contract/quota.ts'
import { SKELETON } from '../../../src/web/quota/skeleton.ts'

test('the example is a snapshot as the server sends it', () => {
  expect(parseQuota(JSON.parse(JSON.stringify(SKELETON.snapshot)))).toEqual(SKELETON.snapshot)
})
