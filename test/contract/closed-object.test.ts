import { expect, test } from 'vitest'
import { closedObject } from '../../src/contract/closed-object.ts'

test('an object with some of the named members passes (RFC 8259 4)', () => {
  expect(closedObject({ code: 1 }, ['code', 'state'])).toEqual({ code: 1 })
})

test.each(['[]', 'null', '7', '"code"'])('%s is refused as no object (RFC 8259 4)', (text) => {
  expect(() => closedObject(JSON.parse(text), ['code'])).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault: 'body_not_an_object' }),
  )
})

test.each(['{"code":1,"cod":2}', '{"__proto__":{"code":1}}', '{"constructor":1}'])(
  '%s is refused with the members that are known, and nothing of it is repeated (RFC 9457 5)',
  (text) => {
    expect(() => closedObject(JSON.parse(text), ['code', 'state'])).toThrow(
      expect.objectContaining({ code: 'invalid_request', fault: 'unknown_member', known: ['code', 'state'] }),
    )
  },
)
