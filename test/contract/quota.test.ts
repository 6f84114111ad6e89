import { expect, test } from 'vitest'
import { parseQuota } from '../../src/contract/quota.ts'

const snapshot = { read: {}, update: {}, month: {}, pauses: [] }

test('a snapshot has both classes, the month and the pauses (8.2, 8.3)', () => {
  expect(parseQuota(snapshot)).toBe(snapshot)
})

test.each([
  undefined,
  null,
  [],
  {},
  { ...snapshot, read: undefined },
  { ...snapshot, update: [] },
  { ...snapshot, month: 'November' },
  { ...snapshot, pauses: {} },
])('%j is no snapshot (8.2, 8.3)', (body) => {
  expect(() => parseQuota(body)).toThrow(expect.objectContaining({ code: 'unexpected_reply' }))
})
