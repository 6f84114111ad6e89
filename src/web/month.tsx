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
        <Count month={month} />
      ) : (
        <p className={styles.quiet}>{problem ? 'Not known.' : 'Reading the ledger, free…'}</p>
      )}
    </section>
  )
}

export type MonthState = 'plenty' | 'low' | 'none' | 'unlimited' | 'unseen'

const WORDS: Record<MonthState, readonly [shape: string, word: string]> = {
  plenty: ['●', 'plenty'],
  low: ['▲', 'low'],
  none: ['■', 'none left'],
  unlimited: ['●', 'unlimited on Business'],
  unseen: ['◇', 'plan not yet seen'],
}

const LOW_SHARE = 0.8

export function monthState({ low, high, limit, plan }: MonthSnapshot): MonthState {
  if (limit === undefined) return plan === undefined ? 'unseen' : 'unlimited'
  if (low >= limit) return 'none'
  return high >= limit * LOW_SHARE ? 'low' : 'plenty'
}

function Count({ month }: { month: MonthSnapshot }) {
  const { low, high, limit } = month
  const state = monthState(month)
  const [shape, word] = WORDS[state]
  return (
    <div data-state={state} className={styles.month}>
      <p className={styles.big}>
        <strong>{low === high ? low : `${low}–${high}`}</strong>{' '}
        {limit === undefined ? 'this month' : `of ${limit} this month`}
      </p>
      {limit !== undefined && <Bar low={low} high={high} limit={limit} />}
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
          {planWords(month)} This app only: others in the organization spend from the same{' '}
          {limit ?? 'account'}.
        </p>
        <Resets {...month.resets_in_ms} />
      </div>
    </div>
  )
}

function Bar({ low, high, limit }: { low: number; high: number; limit: number }) {
  const share = (value: number): string => `${limit === 0 ? 0 : Math.min(100, (value / limit) * 100)}%`
  const used = low === high ? low : `between ${low} and ${high}`
  return (
    <Meter
      label="Requests used this month"
      max={limit}
      now={low}
      spoken={`${used} of ${limit} requests used this month`}
      mark={LOW_SHARE}
    >
      <span className={styles.fill} style={{ width: share(low) }} />
      <span className={styles.maybe} style={{ width: share(Math.min(high, limit) - Math.min(low, limit)) }} />
    </Meter>
  )
}

const planWords = ({ plan }: MonthSnapshot): string =>
  plan === undefined
    ? 'A Standard plan has 100 a month, a Business plan no limit.'
    : `Plan ${PLAN_NAMES[plan]}: guessed from the limits seen.`

function leftWords({ low, high }: MonthSnapshot, limit: number): string {
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

function Resets({ earliest, latest }: MonthSnapshot['resets_in_ms']) {
  const atMs = useUi((ui) => ui.quota?.atMs ?? 0)
  const wallMs = useUi((ui) => ui.quota?.wallMs ?? 0)
  const elapsedMs = useElapsed(atMs)
  // The reset is on a whole minute; this clock is not.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  const [from, to] = [at(earliest), at(latest)]
  const soonMs = Math.max(0, earliest - elapsedMs)
  return (
    <p className={styles.quiet}>
      Resets <time dateTime={new Date(to).toISOString()}>{DAY.format(to)}</time>, in about {spanWords(soonMs)}
      : {from === to ? `at ${TIME.format(from)}` : `between ${TIME.format(from)} and ${TIME.format(to)}`} your
      time.
    </p>
  )
}
