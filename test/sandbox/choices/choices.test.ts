import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Choice, choice } from '../../../src/sandbox/choices/choice.ts'
import { CHOICES, type Choices, DEFAULT_CHOICES, parseChoices } from '../../../src/sandbox/choices/choices.ts'
import { CONTRADICTIONS } from '../../../src/sandbox/choices/contradiction.ts'
import { CHOICE_GROUPS } from '../../../src/sandbox/choices/groups.ts'

const rows: [key: string, row: Choice][] = Object.entries(CHOICES)

describe('the tables', () => {
  test('are in the order of their numbers, and each number occurs once', () => {
    const numbers = rows.map(([, { number }]) => number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })

  test.each(rows)(
    '%s has values in snake case, several unless it is fixed, and a text for each',
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

describe('choices from outside', () => {
  test('change what they name, and nothing else', () => {
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

  test.each([[null], [undefined], ['codelife'], [[]]])('%j is not a set of choices', (changes) => {
    expect(() => parseChoices(changes)).toThrow('an object of names and values')
  })
})

const words = { statement: 'Nothing.', why: 'It has to be something.' }

test('the values keep their order and their meaning; the first is the default', () => {
  const { values, fixed } = choice(1, '4.1', { ...words, values: { b: 'second letter', a: 'first letter' } })
  expect(values).toEqual([
    { value: 'b', means: 'second letter' },
    { value: 'a', means: 'first letter' },
  ])
  expect(fixed).toBeUndefined()
})

test('a choice without a value is refused', () => {
  expect(() => choice(7, '4.1', { ...words, values: {} })).toThrow('Choice 7')
})

test('every contradiction names its sections, and is settled by choices that name one of them', () => {
  expect(CONTRADICTIONS).toHaveLength(7)
  for (const { sections, settledBy } of CONTRADICTIONS) {
    expect(sections).toMatch(/^\d/)
    for (const key of settledBy) expect(CHOICES[key].values.length).toBeGreaterThan(1)
  }
})

test('every choice is in one group, in the order of the numbers', () => {
  expect(CHOICE_GROUPS.flatMap(({ keys }) => keys)).toEqual(Object.keys(CHOICES))
  expect(new Set(CHOICE_GROUPS.map(({ id }) => id)).size).toBe(CHOICE_GROUPS.length)
})
