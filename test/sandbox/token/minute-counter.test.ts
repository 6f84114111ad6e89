import { expect, test } from 'vitest'
import { countOf, increment } from '../../../src/sandbox/token/minute-counter.ts'
import { open } from '../_sandbox.ts'

function contextAt(nowMs: number) {
  const state = open().sandbox.snapshot()
  const context = { state, nowMs, change: (edit: (known: typeof state) => void) => edit(state) }
  return context as never as Parameters<typeof increment>[0] & { nowMs: number }
}

test('a counter holds for the minute that its first request opens, and is deleted with the next one after that', () => {
  const context = contextAt(1000)
  expect(countOf(context, 'a')).toEqual({ count: 0, ends_at_ms: 61_000 })
  increment(context, 'a')
  context.nowMs = 60_999
  increment(context, 'a')
  expect([countOf(context, 'a'), countOf(context, 'b').count]).toEqual([{ count: 2, ends_at_ms: 61_000 }, 0])
  context.nowMs = 61_000
  expect(countOf(context, 'a').count).toBe(0)
  increment(context, 'b')
  expect(Object.keys(context.state.minute_counts)).toEqual(['b'])
})
