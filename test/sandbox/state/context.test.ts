import { expect, test } from 'vitest'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { createContextAt } from '../../../src/sandbox/state/context.ts'
import { seed } from '../../kit/sandbox.ts'

const parts = { random: () => 'r', basePath: '' }

test('a context shows the state and the choices as they are, and changes them', () => {
  const state = firstState(seed())
  const context = createContextAt({ ...parts, state })(0)
  context.change(({ months }) => {
    months['1'] = { starts_at_ms: 0, ends_at_ms: 1, count: 1 }
  })
  expect(context.state.months['1']?.count).toBe(1)
  expect(context.choices).toBe(state.choices)
})

test('random values differ, and continue where an earlier state stopped', () => {
  const state = firstState(seed())
  const context = createContextAt({ ...parts, state })(0)
  const first = [context.nextRandom(), context.nextRandom()]
  const later = createContextAt({ ...parts, state: structuredClone(state) })(0)
  expect(new Set([...first, later.nextRandom()]).size).toBe(3)
  const again = createContextAt({ ...parts, state: firstState(seed()) })(0)
  expect([again.nextRandom(), again.nextRandom()]).toEqual(first)
})
