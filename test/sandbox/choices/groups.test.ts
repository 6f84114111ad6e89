import { expect, test } from 'vitest'
import { CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { CHOICE_GROUPS } from '../../../src/sandbox/choices/groups.ts'

test('every choice is in one group, in the order of the numbers', () => {
  expect(CHOICE_GROUPS.flatMap(({ keys }) => keys)).toEqual(Object.keys(CHOICES))
  expect(new Set(CHOICE_GROUPS.map(({ id }) => id)).size).toBe(CHOICE_GROUPS.length)
})
