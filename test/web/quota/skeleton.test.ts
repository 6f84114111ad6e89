import { expect, test } from 'vitest'
import { parseQuota } from '../../../src/contract/quota.ts'
import { EXAMPLE } from '../../../src/web/quota/skeleton.ts'

test('the example is a snapshot as the server sends it', () => {
  expect(parseQuota(JSON.parse(JSON.stringify(EXAMPLE.snapshot)))).toEqual(EXAMPLE.snapshot)
})
