import { expect, test } from 'vitest'
import { readFault } from '../../src/contract/fault.ts'

test('a fault is a code of the table, and no sentence (RFC 9457 3.2)', () => {
  expect(readFault('read_at_in_the_future')).toBe('read_at_in_the_future')
  for (const other of ['', 'The body is not JSON.', 'toString', 7, null])
    expect(() => readFault(other)).toThrow(TypeError)
})
