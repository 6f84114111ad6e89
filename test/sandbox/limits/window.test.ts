import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { isOpen, WINDOWS } from '../../../src/sandbox/limits/window.ts'
import type { OpenWindow } from '../../../src/sandbox/state/state.ts'
import { rate, START_MS } from '../../kit/sandbox.ts'
import { each, inOrder, start } from '../_start.ts'

const OPENED = Math.floor(START_MS / 1000)
const NAMES = Object.keys(WINDOWS) as Choices['window'][]
/** Twenty seconds into a minute of the clock. */
const AT = 1_800_000_020_000

/** @returns the number that was served, and the window after them */
function ask(name: Choices['window'], instants: readonly number[], limit: number) {
  let window: OpenWindow | undefined
  let served = 0
  for (const nowMs of instants) {
    const known = window && isOpen(window, nowMs) ? window : undefined
    const used = known ? WINDOWS[name].read(known, nowMs, limit).used : 0
    if (used + 1 > limit + 1e-9) continue
    served += 1
    window = { ...WINDOWS[name].add(known, nowMs, limit), counted_at_ms: nowMs }
  }
  const last = instants.at(-1) ?? 0
  return { served, left: window && WINDOWS[name].read(window, last, limit) }
}

const AS_FIRST = [60, [10, 10, 20], 60, 20]
each('window', {
  first_request: AS_FIRST,
  idle_reset_zero: [60, [10, 10, 20], -OPENED, 0],
  idle_reset_past: [60, [10, 10, 20], -60, 20],
  wall_clock: [40, [10, 20, 20], 60, 0],
  sliding: AS_FIRST,
  token_bucket: [60, [16, 19, 20], 60, 20],
})(
  'end, served after 39, 59 and 61 s, and the reset of an untouched window (U56, U57)',
  async ({ record, later }, name) => {
    const times = (ms: number) => Array.from({ length: 10 }, () => ms)
    const { left } = ask(name, times(AT), 10)
    expect(left?.used).toBe(10)
    const served = [39, 59, 61].map((s) => ask(name, [...times(AT), ...times(AT + s * 1000)], 10).served)
    const untouched = (await record()).update.reset
    later(20)
    return [
      (left?.reset ?? 0) - AT / 1000,
      served,
      untouched - OPENED,
      (await record()).update.reset - untouched,
    ]
  },
)

test('a sliding window frees requests that are a minute old, and reports the next time (U56)', () => {
  const { served, left } = ask('sliding', [AT, AT + 30_000, AT + 59_999, AT + 60_000, AT + 60_001], 2)
  expect([served, left]).toEqual([3, { used: 2, reset: AT / 1000 + 90 }])
  // None is left in the last part of a second before its reset.
  expect(ask('sliding', [AT + 500, AT + 60_500], 1).served).toBe(2)
})

test.each(NAMES)('%s: never more requests than the limit, at any times (S16, 2.2)', (name) => {
  const gaps = array(integer({ min: 0, max: 20_000 }), { maxLength: 80 })
  assert(
    property(gaps, integer({ min: 1, max: 9 }), (steps, limit) => {
      let nowMs = AT
      const instants = steps.map((step) => (nowMs += step))
      const { left } = ask(name, instants, limit)
      expect((left?.used ?? 0) <= limit + 1e-6).toBe(true)
    }),
  )
})

test.each(NAMES)(
  '%s: the reset is at most a minute ahead, the limit is served and whole again (S17, S89, U56)',
  async (window) => {
    const { api, key, clock, later, left, sandbox } = start({ choices: { window } })
    for (const ms of [0, 700, 20_000, 45_000]) {
      clock.ms += ms
      const nowSeconds = clock.ms / 1000
      const { reset } = rate(await api(1, '/organizations', key()))
      expect(reset > nowSeconds && reset <= Math.ceil(nowSeconds) + 60).toBe(true)
    }
    for (let round = 0; round < 2; round += 1) {
      expect((await api(15, '/organizations', key(), 'PUT')).status).toBe(405)
      expect((await api(1, '/organizations', key(), 'PUT')).status).toBe(429)
      later(120)
    }
    // It continues from the count of another algorithm.
    sandbox.control.changeChoices({ window: 'first_request' })
    await api(20, '/organizations', key(2002))
    sandbox.control.changeChoices({ window })
    expect(await left(key(2002))).toBe(579)
  },
)

test('a window is not open after a clock was set back (2.2)', () => {
  const window = { used: 1, reset_at_seconds: AT / 1000 + 60 }
  const open = [AT, AT + 60_000, AT - 3_600_000].map((nowMs) => isOpen(window, nowMs))
  expect(open).toEqual([true, false, false])
})

/** @returns the reads that are left, second by second. HEAD is not counted, so it changes nothing. */
async function remainingAt(seconds: readonly number[], shared: Choices['shared']) {
  const { left, clock, key } = start({ choices: { shared } })
  await left()
  const openedMs = clock.ms
  return inOrder(seconds, (second) => {
    clock.ms = openedMs + second * 1000
    return left(key(), 'HEAD')
  })
}

test('shared yes: remaining falls while the holder sends nothing, until the reset; no: it stays (U71, 8.2)', async () => {
  expect(await remainingAt([0, 20, 40, 59], 'no')).toEqual([59, 59, 59, 59])
  const [first = 0, second = 0, third = 0, last = 0, next] = await remainingAt([0, 20, 40, 59, 60], 'yes')
  expect([first, next]).toEqual([59, 60])
  expect(second).toBeLessThan(first)
  expect(third).toBeLessThan(second)
  expect(59 - last).toBeGreaterThanOrEqual(14)
  expect(59 - last).toBeLessThanOrEqual(30)
  // The seed decides, and not how often someone looks.
  const often = await remainingAt([5, 10, 15, 20, 25, 30], 'yes')
  expect(often.at(-1)).toBe((await remainingAt([30], 'yes'))[0])
})

test('shared yes takes only requests that are left: remaining is never below zero (U59, U71)', async () => {
  const { api, key, later, left } = start({ choices: { shared: 'yes' } })
  await api(40, '/organizations', key())
  later(59)
  const remaining = await left(key(), 'HEAD')
  expect(remaining).toBeLessThanOrEqual(6)
  expect((await api(remaining + 1, '/organizations', key())).status).toBe(429)
  expect(await left(key(), 'HEAD')).toBe(0)
})

test.each(['first_request', 'wall_clock', 'sliding', 'token_bucket'] as const)(
  'shared yes leaves fewer requests in a window of the kind %s (U56, U71)',
  async (window) => {
    const [no = 0, yes] = await Promise.all(
      (['no', 'yes'] as const).map(async (shared) => {
        const { api, key, later, left } = start({ choices: { shared, window } })
        await api(30, '/organizations', key())
        later(14)
        return left(key(), 'HEAD')
      }),
    )
    expect(yes).toBeLessThan(no)
  },
)

test('with before_request, a refused request that counts reports 0 (U58, U60, U71)', async () => {
  const { left, api, key, later } = start({
    choices: { shared: 'yes', remaining: 'before_request', refusedcount: 'minute' },
  })
  await left()
  later(59)
  const refused = await api(60, '/organizations', key())
  expect([refused.status, refused.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
})
