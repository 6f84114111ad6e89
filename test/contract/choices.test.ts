import { array, assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { type Choices, isZone, readChoices, writeChoices } from '../../src/contract/choices.ts'

test.each<[Choices, string]>([
  [{}, 'v1.-.-.-.-'],
  [{ language: 'ja', theme: 'dark', zone: 'Asia/Tokyo' }, 'v1.ja.dark.Asia%2FTokyo.-'],
  [{ zone: 'Etc/GMT+5', isOwn: true }, 'v1.-.-.Etc%2FGMT%2B5.own'],
])(
  '%j is written as %s, with the characters of a cookie alone, and read again (RFC 6265 4.1.1)',
  (choices, value) => {
    expect(writeChoices(choices)).toBe(value)
    expect(value).toMatch(/^[\w.%-]+$/)
    expect(readChoices(value)).toEqual(choices)
  },
)

test.each<[string | undefined, Choices]>([
  [undefined, {}],
  ['', {}],
  ['1', {}],
  ['v2.ja.dark.Asia%2FTokyo.own', {}],
  ['v1', {}],
  ['v1.ja', { language: 'ja' }],
  ['v1.JA.sepia.-.yes', {}],
  ['v1.jaa.light', { theme: 'light' }],
  ['v1.xja', {}],
  ['v1.ja.dark.%.own.more', { language: 'ja', theme: 'dark', isOwn: true }],
])('of %s only what is known is read', (value, choices) => {
  expect(readChoices(value)).toEqual(choices)
})

test('no value of a cookie is an error, and each part that is read can be used', () => {
  assert(
    property(array(string()), (parts) => {
      const { zone = '', theme = 'dark' } = readChoices(['v1', ...parts].join('.'))
      expect(['light', 'dark']).toContain(theme)
      if (isZone(zone)) new Intl.DateTimeFormat('en', { timeZone: zone }).format(0)
    }),
  )
  expect(['Asia/Tokyo', 'Etc/GMT+5', 'Nowhere/AtAll', ' ', ''].map(isZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
