import { expect, test } from 'vitest'
import { NOT_SHOWN } from '../../src/contract/assumptions.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../src/contract/token.ts'

test.each(Object.entries(NOT_SHOWN))('%s says where, what and why', (_name, { section, question, why }) => {
  expect(section).toMatch(/^[1-9](\.\d+)*$/)
  expect(question).not.toBe('')
  expect(why).toMatch(/\.$/)
})

// The sections in which the document leaves something open.
test.each(['1', '2.3', '3', '4.1', '4.2', '4.4', '5.5', '6', '7', '8.3', '8.4.4', '9'])(
  'what section %s leaves open is assumed somewhere',
  (section) => {
    expect(Object.values(NOT_SHOWN).map((row) => row.section)).toContain(section)
  },
)

test('no question is answered twice', () => {
  const questions = Object.values(NOT_SHOWN).map(({ question }) => question)
  expect(new Set(questions).size).toBe(questions.length)
})

test('a code lives for ten minutes at most, and shorter than the token it is swapped for (RFC 6749 4.1.2)', () => {
  expect(NOT_SHOWN.code_lifetime_seconds.assumed).toBeLessThanOrEqual(600)
  expect(NOT_SHOWN.code_lifetime_seconds.assumed).toBeLessThan(ACCESS_TOKEN_LIFETIME_SECONDS)
})

test('the zones of the month are names that this machine knows (8.3)', () => {
  for (const timeZone of NOT_SHOWN.month_zones.assumed) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})
