import { expect, test } from 'vitest'
import { add, tallyOf } from '../../../src/sandbox/token/minute-counter.ts'
import { open } from '../_sandbox.ts'

function worldAt(nowMs: number) {
  const state = open().sandbox.snapshot()
  const world = { state, nowMs, change: (edit: (known: typeof state) => void) => edit(state) }
  return world as never as Parameters<typeof add>[0] & { nowMs: number }
}

test('a tally holds for the minute that its first request opens, and is forgotten with the next after it', () => {
  const world = worldAt(1000)
  expect(tallyOf(world, 'a')).toEqual({ count: 0, ends_at_ms: 61_000 })
  add(world, 'a')
  world.nowMs = 60_999
  add(world, 'a')
  expect([tallyOf(world, 'a'), tallyOf(world, 'b').count]).toEqual([{ count: 2, ends_at_ms: 61_000 }, 0])
  world.nowMs = 61_000
  expect(tallyOf(world, 'a').count).toBe(0)
  add(world, 'b')
  expect(Object.keys(world.state.tallies)).toEqual(['b'])
})
