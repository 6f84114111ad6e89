import { expect, test } from 'vitest'
import { typedCode, typedNumber } from '../../src/contract/pairing.ts'

test.each([
  ['abcd-efgh', 'ABCDEFGH'],
  [' ABCD EFGH\n', 'ABCDEFGH'],
  ['ＡＢＣＤ２３４５', 'ABCD2345'],
  ['ABCDEFG', undefined],
  ['ABCDEFGHJ', undefined],
  ['ABCDEFG0', undefined],
  ['ABCDEFGI', undefined],
  ['ABCDEFGU', undefined],
  ['', undefined],
])('the code %j is read as %j', (typed, code) => expect(typedCode(typed)).toBe(code))

test.each([
  ['47', '47'],
  [' ４７ ', '47'],
  ['07', undefined],
  ['4', undefined],
  ['470', undefined],
  ['', undefined],
])('the number %j is read as %j', (typed, number) => expect(typedNumber(typed)).toBe(number))
