// The only place that builds snapshots of the quota, for tests of pure functions.
import type { MonthSnapshot, QuotaSnapshot, WindowSnapshot } from '../../src/contract/quota.ts'

export const window_ = (changes: Partial<WindowSnapshot> = {}): WindowSnapshot => ({
  known: 'measured',
  limit: 60,
  remaining: 37,
  reset_in_ms: 22_000,
  age_ms: 12_000,
  in_flight: 0,
  ...changes,
})

export const UNSEEN: WindowSnapshot = {
  known: 'unseen',
  in_flight: 0,
}

export const snapshot = (changes: Partial<QuotaSnapshot> = {}): QuotaSnapshot => ({
  version: 1,
  token: 'token',
  read: window_(),
  update: UNSEEN,
  month: {
    low: 3,
    high: 3,
    limit: 100,
    plan: 'standard',
    resets_in_ms: { earliest: 800_000_000, latest: 832_400_000 },
    may_have_reset: false,
  },
  pauses: [],
  ...changes,
})

export const month = (changes: Partial<MonthSnapshot> = {}): MonthSnapshot => ({
  ...snapshot().month,
  ...changes,
})
