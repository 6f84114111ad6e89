import { lazy, Suspense, useRef, useState } from 'react'
import type { MonthSnapshot, QuotaSnapshot } from '../contract/quota.ts'
import type { SignedIn } from '../contract/session.ts'
import { MonthBar } from './month-bar.tsx'
import styles from './month.module.css'
import { type MonthState, monthState } from './month-state.ts'
import {
  countWords,
  headline,
  paceWords,
  reserveWords,
  resetSpan,
  resetWords,
  stateWords,
  uncertainWords,
  WANTED,
} from './month-words.ts'
import { waitOf } from './pause.ts'
import { followLink, PATHS } from './router.ts'
import { Shape, type ShapeName } from './shape.tsx'
import { agoWords, dayWords, spanWords, useElapsed } from './time.ts'
import { type ReceivedQuota, useUi } from './ui.ts'

const Readings = lazy(() => import('./readings.tsx').then(({ Readings }) => ({ default: Readings })))
const AlertSetting = lazy(() =>
  import('./alert-setting.tsx').then(({ AlertSetting }) => ({ default: AlertSetting })),
)

const SHAPES: Record<MonthState, ShapeName> = {
  plenty: 'circle',
  unlimited: 'circle',
  low: 'triangle',
  none: 'square',
  suspected: 'square',
  own: 'diamond',
  unseen: 'diamond',
}

const PLAN_NAMES = { business: 'Business', standard: 'Standard' } as const

export function Month({ session }: { session: SignedIn }) {
  const quota = useUi((ui) => ui.quota)
  const problem = useUi((ui) => ui.quotaProblem)
  const month = quota?.snapshot.month
  return (
    <section className={styles.card} aria-labelledby="month" data-state={month && monthState(month)}>
      <div className={styles.top}>
        <h2 id="month">This month</h2>
        {month && <p className={styles.quiet}>{planWords(month)}</p>}
      </div>
      {quota ? (
        <Known quota={quota} session={session} />
      ) : (
        <p className={styles.quiet}>{problem ? 'Not known.' : 'Reading the ledger, free…'}</p>
      )}
    </section>
  )
}

const planWords = ({ plan }: MonthSnapshot): string =>
  plan === undefined ? 'Plan not yet seen' : `Plan ${PLAN_NAMES[plan]}, guessed from the limits seen`

interface KnownProps {
  quota: ReceivedQuota
  session: SignedIn
}

function Known({ quota, session }: KnownProps) {
  const { month } = quota.snapshot
  const state = monthState(month)
  const [large, small] = headline(month)
  return (
    <>
      <div className={styles.body}>
        <div className={styles.count}>
          <p className={styles.big}>
            <a href={PATHS.ledger} onClick={followLink} title="What used it: the ledger, free">
              <strong>{large}</strong> {small}
            </a>
          </p>
          <p className={styles.state}>
            <Shape of={SHAPES[state]} /> {stateWords(month, quota.wallMs)}
          </p>
          {month.limit !== undefined && <MonthBar month={month} limit={month.limit} />}
          <Resets quota={quota} />
          <Binding quota={quota} />
        </div>
        <div className={styles.notes}>
          <p className={styles.pace}>{paceWords(month, quota.wallMs)}</p>
          <p>{countWords(month)}</p>
          <Quiet words={uncertainWords(month)} />
          <Quiet words={reserveWords(month)} />
        </div>
      </div>
      <Footer quota={quota} session={session} />
    </>
  )
}

const Quiet = ({ words }: { words: string }) => words !== '' && <p className={styles.quiet}>{words}</p>

function Binding({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  return <Quiet words={bindingWords(snapshot, elapsedMs)} />
}

/** Which of the two limits is met first (8.2, 8.3). */
function bindingWords(snapshot: QuotaSnapshot, elapsedMs: number): string {
  const { limit, plan } = snapshot.month
  if (limit === undefined) return plan === undefined ? '' : 'The minute is the only limit.'
  if (monthState(snapshot.month) === 'none') return ''
  const isMinuteUsedUp = waitOf(snapshot, 'read', elapsedMs)?.code === 'rate_limited'
  return isMinuteUsedUp ? 'At present the minute limits you.' : 'The month, not the minute, limits you.'
}

function Resets({ quota: { snapshot, atMs, wallMs } }: { quota: ReceivedQuota }) {
  const { month } = snapshot
  const elapsedMs = useElapsed(atMs)
  const span = resetSpan(month, wallMs)
  if (month.may_have_reset)
    return (
      <p>
        The count may have been reset already, or is within about a day: the service does not show in which
        time zone its month begins.
      </p>
    )
  const soonMs = Math.max(0, month.resets_in_ms.earliest - elapsedMs)
  return (
    <p className={styles.quiet}>
      Resets <time dateTime={new Date(span.high).toISOString()}>{dayWords(span.high)}</time>, in about{' '}
      {spanWords(soonMs)}: {resetWords(span)} your time.
    </p>
  )
}

function Footer({ quota, session }: KnownProps) {
  const { snapshot, atMs } = quota
  const { organization, reading_wanted: wanted } = snapshot.month
  const elapsedMs = useElapsed(atMs)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div className={styles.footer}>
      <div className={styles.actions}>
        <button
          type="button"
          ref={button}
          data-kind={wanted && !open ? 'primary' : undefined}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Read the real count <span className={styles.price}>· free</span>
        </button>
        <p className={styles.quiet}>
          {organization && `Read ${agoWords(organization.reading_age_ms + elapsedMs)}. `}
          {wanted && WANTED[wanted]}
        </p>
        <Suspense fallback={null}>
          <AlertSetting session={session} quota={quota} />
        </Suspense>
      </div>
      <Suspense fallback={<p className={styles.quiet}>Looking for earlier readings…</p>}>
        {open && <Readings session={session} close={close} />}
      </Suspense>
    </div>
  )
}
