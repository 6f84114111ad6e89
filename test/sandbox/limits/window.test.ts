import { array, assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { isOpen, WINDOWS } from '../../../src/sandbox/limits/window.ts'
import type { OpenWindow } from '../../../src/sandbox/state/state.ts'
import { open, rate } from '../../kit/sandbox.ts'

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
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)

test.each<[Choices['window'], number, number[]]>([
  ['first_request', 60, [10, 10, 20]],
  ['wall_clock', 40, [10, 20, 20]],
  ['sliding', 60, [10, 10, 20]],
  ['token_bucket', 60, [16, 19, 20]],
])(
  '%s: used up at once, it ends in %i s, and after 39, 59 and 61 s it has served %j in all (U56)',
  (name, inSeconds, served) => {
    const { left } = ask(name, times(10, AT), 10)
    expect(left).toEqual({ used: 10, reset: AT / 1000 + inSeconds })
    const after = (seconds: number) =>
      ask(name, [...times(10, AT), ...times(10, AT + seconds * 1000)], 10).served
    expect([after(39), after(59), after(61)]).toEqual(served)
  },
)

test('a sliding window frees requests that are a minute old, and reports the next time (U56)', () => {
  const { served, left } = ask('sliding', [AT, AT + 30_000, AT + 59_999, AT + 60_000, AT + 60_001], 2)
  expect([served, left]).toEqual([3, { used: 2, reset: AT / 1000 + 90 }])
})

describe.each(NAMES)('%s', (name) => {
  test('never has more requests than the limit, at any times of requests (S16, 2.2)', () => {
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

  test('has a reset that is ahead by at most a minute (S17, 2.2)', async () => {
    const { api, key, clock } = open({ choices: { window: name } })
    for (const ms of [0, 700, 20_000, 45_000]) {
      clock.ms += ms
      const nowSeconds = clock.ms / 1000
      const { reset } = rate(await api(1, '/organizations', key()))
      expect(reset > nowSeconds && reset <= Math.ceil(nowSeconds) + 60).toBe(true)
    }
  })

  test('serves the limit and not one more, and the whole limit again two minutes later (S89, 8.2)', async () => {
    const { api, key, clock } = open({ choices: { window: name } })
    for (let round = 0; round < 2; round += 1) {
      expect((await api(15, '/organizations', key(), 'PUT')).status).toBe(405)
      expect((await api(1, '/organizations', key(), 'PUT')).status).toBe(429)
      clock.ms += 120_000
    }
  })

  test('continues from the count of another algorithm (U56)', async () => {
    const { api, key, sandbox } = open()
    await api(20, '/organizations', key())
    sandbox.control.changeChoices({ window: name })
    expect(rate(await api(1, '/organizations', key())).remaining).toBe(39)
  })
})

test('a window is not open after a clock was set back (2.2)', () => {
  const window = { used: 1, reset_at_seconds: AT / 1000 + 60 }
  expect([isOpen(window, AT), isOpen(window, AT + 60_000), isOpen(window, AT - 3_600_000)]).toEqual([
    true,
    false,
    false,
  ])
})

/** @returns the reads that are left, second by second. HEAD is not counted, so it changes nothing. */
async function remainingAt(seconds: readonly number[], options: Parameters<typeof open>[0]) {
  const { api, key, clock } = open(options)
  await api(1, '/organizations', key())
  const openedMs = clock.ms
  const seen: number[] = []
  for (const second of seconds) {
    clock.ms = openedMs + second * 1000
    seen.push(rate(await api(1, '/organizations', key(), 'HEAD')).remaining)
  }
  return seen
}

describe('another client with the same key (U71, 8.2)', () => {
  test('yes: remaining falls with time while the holder sends nothing, until the reset', async () => {
    const seen = await remainingAt([0, 20, 40, 59, 60], { choices: { shared: 'yes' } })
    const [first = 0, second = 0, third = 0, last = 0, next] = seen
    expect([first, next]).toEqual([59, 60])
    expect(second).toBeLessThan(first)
    expect(third).toBeLessThan(second)
    expect(59 - last).toBeGreaterThanOrEqual(14)
    expect(59 - last).toBeLessThanOrEqual(30)
  })

  test('no: remaining stays the same', async () => {
    expect(await remainingAt([0, 20, 40, 59], { choices: { shared: 'no' } })).toEqual([59, 59, 59, 59])
  })

  test('the same seed gives the same numbers, for any number of requests', async () => {
    const [often, once] = [
      await remainingAt([5, 10, 15, 20, 25, 30], { choices: { shared: 'yes' } }),
      await remainingAt([30], { choices: { shared: 'yes' } }),
    ]
    expect(often.at(-1)).toBe(once[0])
  })

  test('takes only requests that are left: remaining is never below zero', async () => {
    const { api, key, clock } = open({ choices: { shared: 'yes' } })
    await api(40, '/organizations', key())
    clock.ms += 59_000
    const { remaining } = rate(await api(1, '/organizations', key(), 'HEAD'))
    expect(remaining).toBeLessThanOrEqual(6)
    expect((await api(remaining + 1, '/organizations', key())).status).toBe(429)
    expect(rate(await api(1, '/organizations', key(), 'HEAD')).remaining).toBe(0)
  })

  test.each(['first_request', 'wall_clock', 'sliding', 'token_bucket'] as const)(
    'leaves fewer requests in a window of the kind %s (U56)',
    async (window) => {
      const left: number[] = []
      for (const shared of ['no', 'yes'] as const) {
        const { api, key, clock } = open({ choices: { shared, window } })
        await api(30, '/organizations', key())
        clock.ms += 14_000
        left.push(rate(await api(1, '/organizations', key(), 'HEAD')).remaining)
      }
      expect(left[1]).toBeLessThan(left[0] ?? 0)
    },
  )
})

test('with before_request, a refused request that counts reports 0 (U58, U60, U71)', async () => {
  const opened = open({ choices: { shared: 'yes', remaining: 'before_request', refusedcount: 'minute' } })
  await opened.api(1, '/organizations', opened.key())
  opened.sandbox.control.moveClock({ do: 'advance', ms: 59_000 })
  const refused = await opened.api(60, '/organizations', opened.key())
  expect([refused.status, refused.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
})
