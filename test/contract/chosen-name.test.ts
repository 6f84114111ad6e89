import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ANOTHER_BROWSER,
  coarseParts,
  MOST_NAME_LENGTH,
  nameFault,
  trimmedName,
} from '../../src/contract/chosen-name.ts'
import { typedCode, typedPairNumber } from '../../src/contract/pairing.ts'

const LONGEST = 'x'.repeat(MOST_NAME_LENGTH)

test.each([
  ['Aya, office', 'Aya, office'],
  ['  Aya\t', 'Aya'],
  ['', ''],
  [' \u3000\n', ''],
  ['e\u0301', '\u00E9'],
  ['田中　事務所', '田中　事務所'],
  [LONGEST, LONGEST],
  ['💻'.repeat(MOST_NAME_LENGTH), '💻'.repeat(MOST_NAME_LENGTH)],
  ['👩🏽\u200D💻 Aya ☎\uFE0F', '👩🏽\u200D💻 Aya ☎\uFE0F'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['=1+1', '=1+1'],
  ['ทดสอบน้ำ', 'ทดสอบน้ำ'],
  ['עברית', 'עברית'],
  ['__proto__', '__proto__'],
  ['1\uFE0F\u20E3 Aya #\uFE0F\u20E3', '1\uFE0F\u20E3 Aya #\uFE0F\u20E3'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['💻\u20DD', '💻\u20DD'],
])('the name %j is taken as %j', (given, expected) => {
  expect(taken(given)).toBe(expected)
})

/** Controls, marks of direction, blanks without width, fillers, and what is no character. */
const HIDDEN = [
  0x0a, 0x0d, 0, 0x1b, 0x85, 0xad, 0x61c, 0x200b, 0x200c, 0x200d, 0x200f, 0x2028, 0x2029, 0x202e, 0x2066,
  0x2060, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xd83d, 0xe0041, 0xe000, 0xffff,
]

test.each(HIDDEN.map((code) => [code.toString(16), code] as const))(
  'a name with U+%s is refused (L22)',
  (_, code) => {
    const name = trimmedName(`Aya${String.fromCodePoint(code)}office`)
    expect(nameFault(name)).toBe('name_has_hidden_characters')
  },
)

test.each(['می\u200C', '\u200Cمی', 'م\u200C\u200Cی', '1\uFE0F', 'A\uFE0F\u20E3'])(
  'an invisible character that joins nothing is refused: %j',
  (name) => expect(nameFault(trimmedName(name))).toBe('name_has_hidden_characters'),
)

test.each(['\u0301', 'a\u0316\u0317\u0318\u0319\u031C', '\u2800'])(
  'a name of marks alone, or with a pile of them, is refused: %j',
  (name) => {
    expect(nameFault(trimmedName(name))).toBe('name_has_hidden_characters')
  },
)

test('a name of 41 characters is too long, also in letters of two units', () => {
  for (const letter of ['x', '💻'])
    expect(nameFault(letter.repeat(MOST_NAME_LENGTH + 1))).toBe('name_too_long')
})

/** `undefined` if it is refused. */
function taken(typed: string): string | undefined {
  const name = trimmedName(typed)
  return nameFault(name) === undefined ? name : undefined
}

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
const SEEN = /[\p{L}\p{N}\p{P}\p{S}\p{Cn}]/u

test('any text is refused, or taken as one visible line that is taken again as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
      const name = taken(typed) ?? ''
      expect(taken(name)).toBe(name)
      expect([...name.matchAll(/./gsu)].length).toBeLessThanOrEqual(MOST_NAME_LENGTH)
      expect(name).not.toMatch(UNSEEN)
      expect(name === '' || SEEN.test(name)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Firefox on Linux', { browser: 'Firefox', system: 'Linux' }],
  ['Samsung Internet on Android', { browser: 'Samsung Internet', system: 'Android' }],
  ['Safari', { browser: 'Safari' }],
  [ANOTHER_BROWSER, {}],
  ['Laptop on table', undefined],
  ['Firefox on table', undefined],
  ['Firefox on Linux 2', undefined],
  ['my Firefox', undefined],
  ['', undefined],
])('the parts of the coarse name %j are %j', (name, parts) => {
  expect(coarseParts(name)).toEqual(parts)
})

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
  ['\u200B47', '47'],
  [' ４７ ', '47'],
  ['07', undefined],
  ['4', undefined],
  ['470', undefined],
  ['', undefined],
])('the number %j is read as %j', (typed, number) => expect(typedPairNumber(typed)).toBe(number))
