import type { MonthSnapshot } from '../contract/quota.ts'
import styles from './gauge.module.css'
import { Meter } from './meter.tsx'
import { spanWords, useElapsed } from './time.ts'
import { useUi } from './ui.ts'

const PLAN_NAMES = { business: 'Business', standard: 'Standard' } as const

export function Month() {
  const month = useUi((ui) => ui.quota?.snapshot.month)
  const problem = useUi((ui) => ui.quotaProblem)
  return (
    <section className={styles.card} aria-labelledby="month">
      <h2 id="month">This month</h2>
      {month ? (
        <Count month={readMonth(month)} />
      ) : (
        <p className={styles.quiet}>{problem ? 'Not known.' : 'Reading the ledger, free…'}</p>
      )}
    </section>
  )
}

export type MonthState = 'plenty' | 'low' | 'none' | 'unlimited' | 'unseen'

export interface MonthView {
  low: number
  high: number
  limit?: number
  plan?: MonthSnapshot['plan']
  state: MonthState
  resets: { earliestMs: number; latestMs: number } | undefined
}

const WORDS: Record<MonthState, readonly [shape: string, word: string]> = {
  plenty: ['●', 'plenty'],
  low: ['▲', 'low'],
  none: ['■', 'none left'],
  unlimited: ['●', 'unlimited on Business'],
  unseen: ['◇', 'plan not yet seen'],
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : undefined

const LONGEST_MS = 400 * 86_400_000
const delay = (value: unknown): number | undefined => {
  const ms = whole(value)
  return ms === undefined || ms > LONGEST_MS ? undefined : ms
}

export function readMonth({ low, high, limit, plan, resets_in_ms: resets }: MonthSnapshot): MonthView {
  const from = whole(low) ?? 0
  const to = Math.max(from, whole(high) ?? 0)
  const most = plan === 'business' ? undefined : whole(limit)
  const [earliestMs, latestMs] = [delay(resets?.earliest), delay(resets?.latest)]
  const open = most === undefined ? (plan === 'business' ? 'unlimited' : 'unseen') : undefined
  return {
    low: from,
    high: to,
    ...(most === undefined ? {} : { limit: most }),
    ...(plan === undefined ? {} : { plan }),
    state: open ?? (from >= (most ?? 0) ? 'none' : to >= (most ?? 0) * 0.8 ? 'low' : 'plenty'),
    resets: earliestMs === undefined || latestMs === undefined ? undefined : { earliestMs, latestMs },
  }
}

function Count({ month }: { month: MonthView }) {
  const { low, high, limit, state } = month
  const count = low === high ? `${low}` : `${low}–${high}`
  const [shape, word] = WORDS[state]
  const share = (value: number): string => `${limit ? Math.min(100, (value / limit) * 100) : 0}%`
  const spoken = `${low === high ? low : `between ${low} and ${high}`}${limit === undefined ? '' : ` of ${limit}`} requests used this month`
  return (
    <div data-state={state} className={styles.month}>
      <p className={styles.big}>
        <strong>{count}</strong> {limit === undefined ? 'this month' : `of ${limit} this month`}
      </p>
      {limit !== undefined && (
        <Meter label="Requests used this month" max={limit} now={low} spoken={spoken} mark={0.8}>
          <span className={styles.fill} style={{ width: share(low) }} />
          <span
            className={styles.maybe}
            style={{ width: share(Math.min(high, limit) - Math.min(low, limit)) }}
          />
        </Meter>
      )}
      <p className={styles.state}>
        <span aria-hidden="true">{shape}</span> {word}
        {limit !== undefined && leftWords(month, limit)}
      </p>
      <div className={styles.notes}>
        {low !== high && (
          <p className={styles.quiet}>
            Between {low} and {high}: the service does not say whether every one counts.
          </p>
        )}
        <p className={styles.quiet}>
          {month.plan === undefined
            ? 'A Standard plan has 100 a month, a Business plan no limit. '
            : `Plan ${PLAN_NAMES[month.plan]}: guessed from the limits seen. `}
          This app only: others in the organization spend from the same {limit ?? 'account'}.
        </p>
        {month.resets && <Resets {...month.resets} />}
      </div>
    </div>
  )
}

function leftWords({ low, high }: MonthView, limit: number): string {
  const [most, least] = [Math.max(0, limit - low), Math.max(0, limit - high)]
  return ` · ${most === least ? most : `${least}–${most}`} left`
}

const MINUTE_MS = 60_000
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const TIME = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

function Resets({ earliestMs, latestMs }: { earliestMs: number; latestMs: number }) {
  const atMs = useUi((ui) => ui.quota?.atMs ?? 0)
  const wallMs = useUi((ui) => ui.quota?.wallMs ?? 0)
  const elapsedMs = useElapsed(atMs)
  // The reset is on a whole minute; this clock is not.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  const [from, to] = [at(earliestMs), at(latestMs)]
  const soonMs = Math.max(0, earliestMs - elapsedMs)
  return (
    <p className={styles.quiet}>
      Resets <time dateTime={new Date(to).toISOString()}>{DAY.format(to)}</time>, in about {spanWords(soonMs)}
      : {from === to ? `at ${TIME.format(from)}` : `between ${TIME.format(from)} and ${TIME.format(to)}`} your
      time.
    </p>
  )
}
