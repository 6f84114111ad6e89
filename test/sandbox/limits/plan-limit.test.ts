import { expect, test } from 'vitest'
import { limitsOf, minuteLimit } from '../../../src/sandbox/limits/plan-limit.ts'
import { DEFAULT_CHOICES, type Choices } from '../../../src/sandbox/choices/choices.ts'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { open, rate, seed } from '../../kit/sandbox.ts'

test('the limits are those of the plan, with the changes to them (S6, 1) (S15, 2.2) (S75, 8)', () => {
  const state = firstState(seed())
  const [standard, business] = state.organizations
  state.limits['1001'] = { read_per_minute: 7, per_month: null }
  expect(limitsOf({ state }, standard!)).toEqual({
    name: 'standard',
    api_keys: 1,
    oauth_applications: 1,
    read_per_minute: 7,
    update_per_minute: 15,
  })
  expect(limitsOf({ state }, business!)).toMatchObject({ read_per_minute: 600, update_per_minute: 150 })
})

test('headers and record report the limit of the plan, by class (S15, 2.2) (S97, 8.4)', async () => {
  const { api, key } = open()
  for (const [id, read, update] of [
    [1001, 60, 15],
    [2002, 600, 150],
  ] as const) {
    const answer = await api(1, '/rate_limit', key(id))
    expect(rate(answer).limit).toBe(read)
    expect(await answer.json()).toMatchObject({ get: { limit: read }, update: { limit: update } })
    expect(rate(await api(1, '/tasks', key(id), 'PATCH')).limit).toBe(update)
  }
})

test.each<[Choices['limitchange'], [number, number], [number, number], [number, number]]>([
  ['next_window', [60, 39], [60, 38], [10, 9]],
  ['at_once', [20, 0], [100, 80], [10, 9]],
  ['at_once_below_used', [10, 0], [100, 80], [10, 9]],
])(
  'after 20 reads, %s reports %j at a limit of 10, %j at 100, and %j a minute later (S75, 8) (U72)',
  async (limitchange, cut, raised, next) => {
    const { api, key, clock, sandbox } = open({ choices: { limitchange } })
    await api(20, '/organizations', key())
    const reportedAt = async (limit: number) => {
      sandbox.control.changeLimits({ 1001: { read_per_minute: limit } })
      const { limit: ofMinute, remaining } = rate(await api(1, '/organizations', key()))
      return [ofMinute, remaining]
    }
    expect(await reportedAt(10)).toEqual(cut)
    const [limit, remaining] = await reportedAt(100)
    // Refused requests did not count.
    expect([limit, remaining! + (limitchange === 'next_window' ? 0 : 1)]).toEqual(raised)
    clock.ms += 61_000
    expect(await reportedAt(10)).toEqual(next)
    expect(rate(await api(1, '/organizations', key(2002))).limit).toBe(600)
  },
)

test('a window that opened under another plan has the limit of the present one (S74, 8)', () => {
  const state = firstState(seed())
  const window = { used: 3, reset_at_seconds: 60, limit: 600, plan: 'business' as const }
  const context = { state, choices: DEFAULT_CHOICES }
  expect(minuteLimit(context, state.organizations[0]!, 'read', window)).toBe(60)
})
