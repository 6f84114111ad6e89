import { expect, test } from 'vitest'
import { choice } from '../../../src/sandbox/choices/choice.ts'

const words = { statement: 'Nothing.', why: 'It has to be something.' }

test('the values keep their order and their meaning; the first is the default', () => {
  const { values, fixed } = choice(1, '4.1', { ...words, values: { b: 'second letter', a: 'first letter' } })
  expect(values).toEqual([
    { value: 'b', means: 'second letter' },
    { value: 'a', means: 'first letter' },
  ])
  expect(fixed).toBeUndefined()
})

test('a choice without a value is none', () => {
  expect(() => choice(7, '4.1', { ...words, values: {} })).toThrow('Choice 7')
})
