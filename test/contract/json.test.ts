import { expect, test } from 'vitest'
import { isJsonObject, isTime, isTooDeep } from '../../src/contract/json.ts'

test.each([
  [{}, true],
  [JSON.parse('{"a":1}'), true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j is an object of JSON: %s (RFC 8259 4)', (value, is) => {
  expect(isJsonObject(value)).toBe(is)
})

test.each([
  ['[]', false],
  ['['.repeat(100), false],
  ['{"a":'.repeat(101), true],
  [`"${'['.repeat(400_000)}"`, false],
  [`"\\"${'{'.repeat(101)}`, false],
  ['[]'.repeat(1000), false],
  ['{}'.repeat(1000), false],
  ['['.repeat(400_000), true],
])('text %# is nested too deeply: %s (attack 71)', (text, isDeep) => {
  expect(isTooDeep(text)).toBe(isDeep)
})

test.each([
  ['2026-11-21T06:00:00Z', true],
  ['2026-11-21T06:00:00.000Z', true],
  ['2026-11-21T15:00:00+09:00', true],
  ['2026-11-21', false],
  ['2026-11-21T06:00:00', false],
  ['2026-13-21T06:00:00Z', false],
  ['at 2026-11-21T06:00:00Z', false],
  ['2026-11-21T06:00:00Z or so', false],
  // Date.parse reads these two.
  ['+012026-11-21T06:00:00Z', false],
  ['2026-11-21T06:00:00Z\0', false],
  [['2026-11-21T06:00:00Z'], false],
  [1_795_240_800_000, false],
  [undefined, false],
])('%j is a time: %s (RFC 3339 5.6)', (value, is) => {
  expect(isTime(value)).toBe(is)
})
