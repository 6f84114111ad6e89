/** A snapshot as after a first sign-in: what it is drawn with is hidden, and holds the space of the first real one. */
import type { WindowSnapshot } from '../../contract/quota.ts'
import type { ReceivedQuota } from '../lib/ui.ts'

export const UNSEEN: WindowSnapshot = {
  known: 'unseen',
  in_flight: 0,
  inconsistent: false,
  assumed: false,
  notes: [],
}
const WEEK_MS = 604_800_000

export const EXAMPLE: ReceivedQuota = {
  atMs: 0,
  wallMs: 0,
  snapshot: {
    version: 0,
    token: '',
    read: UNSEEN,
    update: UNSEEN,
    pauses: [],
    month: {
      low: 1,
      high: 2,
      limit: 100,
      plan: 'standard',
      resets_in_ms: { earliest: WEEK_MS, latest: WEEK_MS + 93_600_000 },
      may_have_reset: false,
      reading_wanted: 'none',
      allowance_per_day: 10,
      forecast: { state: 'too_early', early: false },
    },
  },
}
