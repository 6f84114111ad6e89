import { expect, test } from 'vitest'
import { add, countOf } from '../../../src/sandbox/token/minute-counter.ts'
import { open } from '../_sandbox.ts'

function contextAt(nowMs: number) {
  const state = open().sandbox.snapshot()
  const context = { state, nowMs, change: (edit: (known: typeof state) => void) => edit(state) }
  return context as never as Parameters<typeof add>[0] & { nowMs: number }
}

test('a tally holds for the minute that its first request opens, and is forgotten with the next after it', () => {
  const context = contextAt(1000)
  expect(countOf(context, 'a')).toEqual({ count: 0, ends_at_ms: 61_000 })
  add(context, 'a')
  context.nowMs = 60_999
  add(context, 'a')
  expect([countOf(context, 'a'), countOf(context, 'b').count]).toEqual([{ count: 2, ends_at_ms: 61_000 }, 0])
  context.nowMs = 61_000
  expect(countOf(context, 'a').count).toBe(0)
  add(context, 'b')
  expect(Object.keys(context.state.minute_counts)).toEqual(['b'])
})
