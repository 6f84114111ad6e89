import { expect, test } from 'vitest'
import { backOffMs } from '../../../src/bff/token/back-off.ts'

test.each([
  [1, 2000],
  [2, 4000],
  [4, 16_000],
  [5, 30_000],
  [60, 30_000],
])(
  'after %d failures the wait is at random between a second and %d ms (RFC 9110 15.6.4)',
  (failures, most) => {
    const waits = Array.from({ length: 400 }, () => backOffMs(failures))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(most)
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan((most - 1000) / 2)
  },
)

test.each([
  [1, 20_000, 20_000],
  [1, 3_600_000, 30_000],
  [60, 3_600_000, 30_000],
])(
  'after %d failures a Retry-After of %d ms is a wait of %d ms (RFC 9110 10.2.3)',
  (failures, asked, wait) => {
    expect(backOffMs(failures, asked)).toBe(wait)
  },
)
