import { expect, test } from 'vitest'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { createWorld } from '../../../src/sandbox/state/context.ts'
import { seed } from '../_sandbox.ts'

const parts = { random: () => 'r', basePath: '' }

test('a world shows the state and the profile as they stand, and changes them', () => {
  const state = firstState(seed())
  const world = createWorld({ ...parts, state })(0)
  world.change(({ months }) => {
    months['1'] = { starts_at_ms: 0, ends_at_ms: 1, count: 1 }
  })
  expect(world.state.months['1']?.count).toBe(1)
  expect(world.profile).toBe(state.profile)
})

test('values that are drawn differ, and go on where an earlier state stopped', () => {
  const state = firstState(seed())
  const world = createWorld({ ...parts, state })(0)
  const first = [world.draw(), world.draw()]
  const later = createWorld({ ...parts, state: structuredClone(state) })(0)
  expect(new Set([...first, later.draw()]).size).toBe(3)
  const again = createWorld({ ...parts, state: firstState(seed()) })(0)
  expect([again.draw(), again.draw()]).toEqual(first)
})
