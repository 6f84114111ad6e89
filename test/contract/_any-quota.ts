// The only place that makes any snapshot of the quota that the page can read, for properties.
import * as fc from 'fast-check'
import type { Forecast, Pause, QuotaSnapshot, ReadingWanted } from '../../src/contract/quota.ts'

const READING_REASONS: ReadingWanted[] = [
  'none',
  'old',
  'half',
  'four_fifths',
  'reserve',
  'suspected',
  'below_own',
]
const FORECAST_STATES: Forecast['state'][] = [
  'too_early',
  'on_pace',
  'under',
  'over',
  'runs_out',
  'used_up',
  'stale',
]

const DAY_MS = 86_400_000
const delay = fc.nat(30 * DAY_MS)
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
export const anyInterval = fc
  .tuple(fc.nat(150), fc.nat(150))
  .map(([low, more]) => ({ low, high: low + more }))
const anyReasons = fc.constantFrom<Pause['reasons']>([], [{ code: 'payment_asked' }])
const anyWindow = fc.record(
  {
    known: fc.constantFrom('measured', 'expired', 'unseen'),
    limit: fc.nat(60),
    remaining: fc.integer({ min: -3, max: 3 }),
    reset_in_ms: fc.nat(70_000),
    in_flight: fc.nat(2),
  },
  { requiredKeys: ['known', 'in_flight'] },
)
const anyMonth = fc
  .tuple(
    anyInterval,
    fc.record({
      limit: maybe(fc.nat(200)),
      plan: maybe(fc.constantFrom('business', 'standard')),
      may_have_reset: fc.boolean(),
      organization: maybe(anyInterval.map((counts) => ({ ...counts, reading_age_ms: 5 }))),
      suspected: maybe(fc.record({ age_ms: fc.nat(), reasons: anyReasons })),
      reading_wanted: maybe(fc.constantFrom(...READING_REASONS)),
      allowance_per_day: maybe(fc.nat(50)),
      forecast: maybe(
        fc.record(
          { state: fc.constantFrom(...FORECAST_STATES), early: fc.boolean(), runs_out_in_ms: delay },
          { requiredKeys: ['state', 'early'] },
        ),
      ),
    }),
  )
  .map(([own, rest]) => ({ ...own, ...rest, resets_in_ms: { earliest: DAY_MS, latest: 2 * DAY_MS } }))
const anyPause = fc.record(
  {
    code: fc.constantFrom('rate_limited', 'month_suspected', 'limit_unknown'),
    class: fc.constantFrom('read', 'update'),
    ends_in_ms: fc.nat(90_000),
    reasons: anyReasons,
  },
  { requiredKeys: ['code', 'ends_in_ms', 'reasons'] },
)
/** As the page reads it from an answer. */
export const anySnapshot: fc.Arbitrary<QuotaSnapshot> = fc
  .record({
    read: anyWindow,
    update: anyWindow,
    month: anyMonth,
    pauses: fc.array(anyPause, { maxLength: 3 }),
  })
  .map((parts) => JSON.parse(JSON.stringify({ version: 1, token: 'a', ...parts })))
