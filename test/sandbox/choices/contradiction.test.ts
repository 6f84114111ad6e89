import { expect, test } from 'vitest'
import { CONTRADICTIONS } from '../../../src/sandbox/choices/contradiction.ts'
import { CHOICES } from '../../../src/sandbox/choices/choices.ts'

test('every contradiction names its sections, and is settled by choices that name one of them', () => {
  expect(CONTRADICTIONS).toHaveLength(7)
  for (const { sections, settledBy } of CONTRADICTIONS) {
    expect(sections).toMatch(/^\d/)
    for (const key of settledBy) expect(CHOICES[key].values.length).toBeGreaterThan(1)
  }
})
