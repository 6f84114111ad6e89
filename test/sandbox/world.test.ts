import { expect, test } from 'vitest'
import { ASSUMED } from '../../src/sandbox/choices.ts'
import { firstState } from '../../src/sandbox/state.ts'
import { createWorld } from '../../src/sandbox/world.ts'
import { seed } from './_sandbox.ts'

test('every change goes through change, and is told', () => {
  const state = firstState(seed())
  let told = 0
  const world = createWorld({ random: 'r', state, choices: ASSUMED, basePath: '' }, () => (told += 1))(0)
  world.change(({ months }) => {
    months['1'] = { starts_at_ms: 0, ends_at_ms: 1, count: 1 }
  })
  expect([told, state.months['1']?.count]).toEqual([1, 1])
})

test('values that are drawn differ, and go on where an earlier state stopped', () => {
  const parts = { random: 'r', choices: ASSUMED, basePath: '' }
  const state = firstState(seed())
  const world = createWorld({ ...parts, state }, () => {})(0)
  const first = [world.draw(), world.draw()]
  const later = createWorld({ ...parts, state: structuredClone(state) }, () => {})(0)
  expect(new Set([...first, later.draw()]).size).toBe(3)
  const again = createWorld({ ...parts, state: firstState(seed()) }, () => {})(0)
  expect([again.draw(), again.draw()]).toEqual(first)
})
