import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate, START_MS } from '../../kit/sandbox.ts'

const NOW = Math.floor(START_MS / 1000)

test.each<[Choices['skew'], number | undefined]>([
  ['none', 0],
  ['plus_5_minutes', 300],
  ['minus_5_minutes', -300],
  ['plus_1_day', 86_400],
  ['no_date', undefined],
])('a clock that is %s reports its own time in Date, header and record (U82)', async (skew, aheadSeconds) => {
  const { api, key } = open({ choices: { skew } })
  const answer = await api(1, '/rate_limit', key())
  const date = answer.headers.get('Date')
  expect(date === null ? undefined : Date.parse(date) / 1000 - NOW).toBe(aheadSeconds)
  const reset = NOW + 60 + (aheadSeconds ?? 0)
  expect([rate(answer).reset, (await answer.json()).get.reset]).toEqual([reset, reset])
})

test('all lifetimes end by the right time (U82)', async () => {
  const { send, bearer, clock } = open({ choices: { skew: 'plus_1_day' } })
  const headers = await bearer()
  const status = async () => (await send('/organizations', { headers })).status
  expect(await status()).toBe(200)
  clock.ms += 3_600_000
  expect(await status()).toBe(401)
})

test('the seconds that are left are the same by any clock, and a reset of 0 stays 0 (U55, U57, U82)', async () => {
  const left = open({ choices: { skew: 'plus_1_day', resetunit: 'seconds_left' } })
  expect(rate(await left.api(1, '/organizations', left.key())).reset).toBe(60)
  const zero = open({ choices: { skew: 'plus_1_day', resetidle: 'zero' } })
  expect(rate(await zero.send('/nothing')).reset).toBe(0)
})
