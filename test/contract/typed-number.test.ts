import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedNumber } from '../../src/contract/typed-number.ts'

const DAYS = { least: 1, most: 365 }

test.each(['30', ' 30\n', '３０', '\u200B30', '030', '③⓪', '\u300030'])('%j is typed for 30', (typed) => {
  expect(typedNumber(typed, DAYS)).toBe(30)
})

test.each([
  '',
  ' ',
  '0',
  '366',
  '-3',
  '3.5',
  '3e1',
  '3 0',
  '0x1e',
  '٣',
  'thirty',
  'Infinity',
  '9'.repeat(400),
])('%j is no whole number from 1 to 365', (typed) => expect(typedNumber(typed, DAYS)).toBeUndefined())

test('a typed number is one of its range, and each number of it can be typed', () => {
  const most = 100_000
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 8 }), fc.nat(most), (typed, number) => {
      expect(typedNumber(String(number), { least: number, most: number })).toBe(number)
      const read = typedNumber(typed, { least: 0, most }) ?? 0
      expect(Number.isInteger(read) && read >= 0 && read <= most).toBe(true)
    }),
  )
})
