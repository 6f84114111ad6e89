import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBrowserNameRequest } from '../../src/contract/browser-name.ts'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../src/contract/chosen-name.ts'
import { Problem } from '../../src/contract/problem.ts'

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
])('the name %j is taken as %j', (given, expected) => {
  expect(parseBrowserNameRequest({ name: given })).toEqual({ name: expected })
})

const code = (number: number) => `U+${number.toString(16)}`

test.each([
  ['a line feed', 0x0a],
  ['a carriage return', 0x0d],
  ['a zero byte', 0],
  ['an escape', 0x1b],
  ['a next line', 0x85],
  ['a soft hyphen', 0xad],
  ['an Arabic letter mark', 0x61c],
  ['a zero-width space', 0x200b],
  ['a zero-width non-joiner', 0x200c],
  ['a zero-width joiner', 0x200d],
  ['a right-to-left mark', 0x200f],
  ['a line separator', 0x2028],
  ['a paragraph separator', 0x2029],
  ['a right-to-left override', 0x202e],
  ['a left-to-right isolate', 0x2066],
  ['a word joiner', 0x2060],
  ['a blank of Braille', 0x2800],
  ['a filler of Hangul', 0x3164],
  ['a variation selector', 0xfe0f],
  ['a byte-order mark', 0xfeff],
  ['half a surrogate pair', 0xd83d],
  ['a tag', 0xe0041],
  ['a character of private use', 0xe000],
  ['no character', 0xffff],
])('a name with %s is refused', (_, number) => {
  const name = trimmedName(`Aya${String.fromCodePoint(number)}office`)
  expect([code(number), nameFault(name)]).toEqual([code(number), 'name_has_hidden_characters'])
})

test.each(['\u0301', 'a\u0316\u0317\u0318\u0319\u031C', '\u2800'])(
  'a name of marks alone, or with a pile of them, is refused: %j',
  (name) => {
    expect(nameFault(trimmedName(name))).toBe('name_has_hidden_characters')
  },
)

test.each<[unknown, string]>([
  [{ name: `${LONGEST}x` }, 'name_too_long'],
  [{ name: '💻'.repeat(MOST_NAME_LENGTH + 1) }, 'name_too_long'],
  [{ name: 'a\u202Eb' }, 'name_has_hidden_characters'],
  [{ name: 1 }, 'value_not_a_string'],
  [{ name: null }, 'value_not_a_string'],
  [{}, 'value_not_a_string'],
  [{ name: 'Aya', id: 1 }, 'unknown_member'],
  [[], 'body_not_an_object'],
  ['Aya', 'body_not_an_object'],
])('the body %j is refused with the fault %s', (body, fault) => {
  const refused = () => parseBrowserNameRequest(body)
  expect(refused).toThrow(expect.objectContaining({ code: 'invalid_request', fault }) as Problem)
})

/** `undefined` if it is refused. */
function taken(typed: string): string | undefined {
  try {
    return parseBrowserNameRequest({ name: typed }).name
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return undefined
  }
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
