import { describe, expect, test } from 'vitest'
import { open, rate } from '../../kit/sandbox.ts'

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
  opened.sandbox.control.clock.advance(59_000)
  const refused = await opened.api(60, '/organizations', opened.key())
  expect([refused.status, refused.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
})
