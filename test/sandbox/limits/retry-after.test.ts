import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

test.each<[Choices['retryafter'], string | null]>([
  ['absent', null],
  ['seconds', '50'],
  ['http_date', 'Sat, 21 Nov 2026 06:01:00 GMT'],
  ['zero_or_negative', '0'],
  ['conflicts_with_reset', '12'],
])(
  'ten seconds into a used-up minute, the choice %s has the Retry-After %s (U64)',
  async (retryafter, value) => {
    const { api, key, clock } = open({ choices: { retryafter } })
    expect((await api(60, '/organizations', key())).headers.has('Retry-After')).toBe(false)
    clock.ms += 9_750
    const refused = await api(1, '/organizations', key())
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, value])
  },
)

test('over the month, Retry-After leads to the next month by the clock of the service (U64, U82)', async () => {
  const { api, key, sandbox } = open({ choices: { retryafter: 'http_date', skew: 'plus_5_minutes' } })
  sandbox.control.changeLimits({ 1001: { per_month: 0 } })
  const refused = await api(1, '/organizations', key())
  expect(refused.headers.get('Retry-After')).toBe('Tue, 01 Dec 2026 00:05:00 GMT')
  sandbox.control.changeChoices({ monthly: 'status_403' })
  expect((await api(1, '/organizations', key())).headers.has('Retry-After')).toBe(false)
})

test('an odd number of seconds makes Retry-After negative (U64)', async () => {
  const { api, key, clock } = open({ choices: { retryafter: 'zero_or_negative' } })
  await api(60, '/organizations', key())
  clock.ms += 10_750
  expect((await api(1, '/organizations', key())).headers.get('Retry-After')).toBe('-1')
})
