import { expect, test } from 'vitest'
import { personOf, senderOf } from '../../../src/bff/session/sender.ts'

test.each([
  ['browser abc', undefined, 'browser abc'],
  ['key a_b-c', 'x-1', 'key a_b-c/x-1'],
])('the person of the sender %s with the browser %s is found in %s (8.3)', (owner, browserId, sender) => {
  expect(senderOf({ owner, record: { browserId } })).toBe(sender)
  expect(personOf(sender)).toBe(owner)
  expect(personOf(undefined)).toBeUndefined()
})
