import { expect, test } from 'vitest'
import type { Pause } from '../../src/contract/quota.ts'
import { nextEnd, pauseOf, waitOf } from '../../src/contract/pause.ts'
import { snapshot, window_ } from '../web/_snapshot.ts'

const pause = (changes: Partial<Pause>): Pause => ({
  code: 'rate_limited',
  ends_in_ms: 10_000,
  reasons: [{ code: 'payment_asked' }],
  ...changes,
})

test('there is no wait while requests are left (8.2)', () => {
  expect(waitOf(snapshot(), 'read', 0)).toBeUndefined()
})

test('a pause holds for its class, until its end', () => {
  const paused = snapshot({ pauses: [pause({ class: 'read' })] })
  expect(waitOf(paused, 'read', 4000)).toEqual({
    code: 'rate_limited',
    endsInMs: 6000,
    reasons: [{ code: 'payment_asked' }],
  })
  expect(waitOf(paused, 'read', 10_000)).toBeUndefined()
  expect(waitOf(paused, 'update', 0)).toBeUndefined()
})

test('a used-up minute causes a wait without a refusal, and requests in flight count (B17)', () => {
  expect(waitOf(snapshot({ read: window_({ remaining: 0 }) }), 'read', 0)).toMatchObject({
    code: 'rate_limited',
    endsInMs: 22_000,
  })
  const last = window_({ remaining: 1, in_flight: 1 })
  expect(waitOf(snapshot({ read: last }), 'read', 0)).toMatchObject({ endsInMs: 22_000 })
  expect(waitOf(snapshot({ read: window_({ remaining: 0 }) }), 'read', 22_000)).toBeUndefined()
})

test('without a reset a used-up minute holds for a minute, and a second to be sure (B17, B26)', () => {
  const { reset_in_ms: _, ...read } = window_({ remaining: 0, age_ms: 1000 })
  expect(waitOf(snapshot({ read }), 'read', 10_000)).toMatchObject({ endsInMs: 50_000 })
  expect(waitOf(snapshot({ read }), 'read', 60_000)).toBeUndefined()
})

test('a minute that is not measured causes no wait (B17)', () => {
  const { remaining: _, ...unmeasured } = window_({})
  for (const read of [window_({ known: 'expired', remaining: 0 }), unmeasured])
    expect(waitOf(snapshot({ read }), 'read', 0)).toBeUndefined()
})

test('of two pauses the longer one counts (B36)', () => {
  const pauses = [pause({}), pause({ ends_in_ms: 20_000 }), pause({ ends_in_ms: 15_000 })]
  expect(waitOf(snapshot({ pauses }), 'read', 0)?.endsInMs).toBe(20_000)
})

test('a certain wait comes before a suspicion of the month (B36)', () => {
  const month = pause({ code: 'month_suspected', ends_in_ms: 900_000_000 })
  const both = snapshot({ pauses: [month, pause({ code: 'limit_unknown' })] })
  expect(waitOf(both, 'read', 0)?.code).toBe('limit_unknown')
  expect(waitOf(both, 'read', 10_000)?.code).toBe('month_suspected')
})

test('the next end is the end of the first pause', () => {
  expect(nextEnd(snapshot(), 1000)).toBe(snapshot().month.resets_in_ms.earliest - 1000)
  expect(nextEnd(snapshot({ pauses: [pause({}), pause({ ends_in_ms: 3000 })] }), 1000)).toBe(2000)
  expect(nextEnd(snapshot({ pauses: [pause({ ends_in_ms: 3000 })] }), 3001)).toBe(0)
})

test('a suspicion of the month is no pause, because a person may try once more (B36)', () => {
  const suspicion = pause({ code: 'month_suspected', ends_in_ms: 900_000_000 })
  expect(pauseOf(snapshot({ pauses: [suspicion] }), 0)).toBeUndefined()
  expect(pauseOf(snapshot({ pauses: [suspicion, pause({})] }), 4000)?.endsInMs).toBe(6000)
  expect(pauseOf(snapshot(), 0)).toBeUndefined()
})
