/** The quota as after a first sign-in. The cards draw it hidden, to keep the space of the first snapshot. */
import { DAY_MS, HOUR_MS } from '../../contract/duration.ts'
import type { WindowSnapshot } from '../../contract/quota.ts'
import type { ReceivedQuota } from './query.ts'

const UNSEEN_WINDOW: WindowSnapshot = {
  known: 'unseen',
  in_flight: 0,
}
const WEEK_MS = 7 * DAY_MS

export const SKELETON: ReceivedQuota = {
  atMs: 0,
  wallMs: 0,
  snapshot: {
    version: 0,
    token: '',
    read: UNSEEN_WINDOW,
    update: UNSEEN_WINDOW,
    pauses: [],
    month: {
      low: 1,
      high: 2,
      limit: 100,
      plan: 'standard',
      resets_in_ms: { earliest: WEEK_MS, latest: WEEK_MS + 26 * HOUR_MS },
      may_have_reset: false,
      reading_wanted: 'none',
      allowance_per_day: 10,
      forecast: { state: 'too_early', early: false },
    },
  },
}
