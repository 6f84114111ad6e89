import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Choice } from '../../../src/sandbox/choices/choice.ts'
import { CHOICES, DEFAULT_CHOICES, parseChoices, type Choices } from '../../../src/sandbox/choices/choices.ts'

const rows: [key: string, row: Choice][] = Object.entries(CHOICES)

describe('the tables', () => {
  test('are in the order of their numbers, each of which is there once', () => {
    const numbers = rows.map(([, { number }]) => number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })

  test.each(rows)(
    '%s has values in snake case, more than one unless it is fixed, and words for all',
    (_, row) => {
      for (const { value, means } of row.values) {
        expect(value).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
        expect(means).not.toBe('')
      }
      expect(row.values.length === 1).toBe(row.fixed !== undefined)
      expect(row.section).toMatch(/^(none|\d(\.\d)?(, \d(\.\d)?)*)$/)
      for (const words of [row.statement, row.why]) expect(words).toMatch(/\.$/)
    },
  )

  test('the compiler knows every value by name', () => {
    expectTypeOf<Choices['codelife']>().toEqualTypeOf<'seconds_600' | 'seconds_60' | 'seconds_30'>()
    expectTypeOf<Choices['events']>().toEqualTypeOf<'none'>()
  })
})

describe('the default choices', () => {
  test('has the first value of every choice', () => {
    expect(Object.entries(DEFAULT_CHOICES)).toEqual(rows.map(([key, { values }]) => [key, values[0].value]))
  })
})

describe('choices from outside', () => {
  test('changes what it names, and nothing else', () => {
    const before = { ...DEFAULT_CHOICES }
    const base = parseChoices({ codelife: 'seconds_60' })
    expect(parseChoices({ tz: 'asia_tokyo' }, base)).toEqual({
      ...before,
      codelife: 'seconds_60',
      tz: 'asia_tokyo',
    })
    expect(parseChoices({})).toEqual(before)
    expect(DEFAULT_CHOICES).toEqual(before)
  })

  test.each([
    [
      'an unknown value',
      { codelife: 'seconds_61' },
      'codelife cannot be "seconds_61"; its values are: seconds_600, seconds_60, seconds_30',
    ],
    ['a value of another type', { codelife: 600 }, 'codelife cannot be 600; its values are: seconds_600'],
    ['an unknown key', { codelive: 'seconds_60' }, 'codelive is not a choice; the choices are: redir, deny,'],
    ['a key that every object has', { constructor: 'none' }, 'constructor is not a choice'],
    ['the key of the prototype', JSON.parse('{ "__proto__": "none" }'), '__proto__ is not a choice'],
  ])('%s is refused with its possible values', (_, changes, statement) => {
    expect(() => parseChoices(changes)).toThrow(statement)
  })

  test('every error is named at once', () => {
    expect(() => parseChoices({ tz: 'mars', enc: 'xml' })).toThrow(/^tz cannot .*\nenc cannot .*$/)
  })

  test.each([[null], [undefined], ['codelife'], [[]]])('%j is no set of choices', (changes) => {
    expect(() => parseChoices(changes)).toThrow('an object of names and values')
  })
})
