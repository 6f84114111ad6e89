import { expect, test } from 'vitest'
import { Digits } from '../../../src/web/record/json-text.ts'
import {
  cut,
  humanise,
  isBranch,
  isChips,
  isFlat,
  isRecord,
  pointerTo,
  itemTitle,
} from '../../../src/web/record/value.ts'

test.each([
  ['billing_contact', 'Billing contact'],
  ['billingContact', 'Billing contact'],
  ['API-key_count', 'API key count'],
  ['', ''],
  ['__', '__'],
])('%j is called %s', (name, label) => {
  expect(humanise(name)).toBe(label)
})

test('a label has no marks of direction, which would turn around the words beside it', () => {
  expect(humanise('\u2069\u202Ebilling_contact')).toBe('Billing contact')
  expect(humanise('\u202E')).toBe('')
})

test('a name of a megabyte has a short label', () => {
  expect(humanise('n'.repeat(1_000_000))).toHaveLength(81)
})

test('a path is a JSON pointer (RFC 6901)', () => {
  expect(pointerTo('/a', 'b/c~d')).toBe('/a/b~1c~0d')
  expect(pointerTo('', 0)).toBe('/0')
})

test('a text is cut between characters', () => {
  expect(cut('abc', 3)).toBe('abc')
  expect(cut('ab😀cd', 3)).toBe('ab…')
})

test.each([
  [['a', 'b', 1], true],
  [['a'.repeat(33)], false],
  [['a\nb'], false],
  [['a', null], false],
  [[], false],
])('the items of %j are side by side: %s', (list, expected) => {
  expect(isChips(list)).toBe(expected)
  expect(isBranch(list)).toBe(!expected && list.length > 0)
})

test('digits are not a record', () => {
  expect(isRecord(new Digits('1.10'))).toBe(false)
})

test.each<[unknown, boolean]>([
  [{ id: 1, name: 'a' }, true],
  [{ id: [] }, false],
  [{ id: 'x'.repeat(61) }, false],
  [Object.fromEntries(Array.from({ length: 7 }, (_, at) => [at, at])), false],
  [[1], false],
  [null, false],
])('one line has room for %j: %s', (value, expected) => {
  expect(isFlat(value)).toBe(expected)
})

test('an item has its own name, never one that every object inherits', () => {
  expect(itemTitle({ name: 'Kittiwake' })).toBe('Kittiwake')
  expect(itemTitle({ title: 7 })).toBeUndefined()
  expect(itemTitle(JSON.parse('{"__proto__":{"name":"x"}}'))).toBeUndefined()
  expect(itemTitle('name')).toBeUndefined()
})
