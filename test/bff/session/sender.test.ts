import { expect, test } from 'vitest'
import { personIn, personOf, senderOf } from '../../../src/bff/session/sender.ts'

test.each([
  ['browser abc', {}, 'browser abc', 'browser abc'],
  ['key a_b-c', { browserId: 'x-1' }, 'key a_b-c', 'key a_b-c/x-1'],
  ['browser def', { browserId: 'x-1', person: 'browser abc' }, 'browser abc', 'browser abc/x-1'],
])('the person of a session of %s with %o is found in its sender (8.3)', (owner, record, person, sender) => {
  expect(personOf({ owner, record })).toBe(person)
  expect(senderOf({ owner, record })).toBe(sender)
  expect(personIn(sender)).toBe(person)
  expect(personIn(undefined)).toBeUndefined()
})
