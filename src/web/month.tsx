import { lazy, Suspense, useRef, useState } from 'react'
import type { MonthSnapshot, QuotaSnapshot } from '../contract/quota.ts'
import type { SignedIn } from '../contract/session.ts'
import { AlertSetting } from './alert-setting.tsx'
import { MonthBar } from './month-bar.tsx'
import styles from './month.module.css'
import { EXAMPLE } from './quota-example.ts'
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
} from './month-words.ts'
import { waitOf } from './pause.ts'
import { followLink, PATHS } from './router.ts'
import { Shape, type ShapeName } from './shape.tsx'
import { Stale, useStale } from './stale.tsx'
import { sentences } from './text/language.ts'
import { Sentence } from './text/sentence.tsx'
import { signedInText } from './text/text.ts'
import { agoWords, dayWords, spanWords, useElapsed } from './time.ts'
import { type ReceivedQuota, useUi } from './ui.ts'

const Readings = lazy(() => import('./readings.tsx').then(({ Readings }) => ({ default: Readings })))

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
  const t = signedInText().month
  const month = quota?.snapshot.month
  return (
    <section className={styles.card} aria-labelledby="month" data-state={month && monthState(month)}>
      <div className={styles.top}>
        <h2 id="month">{t.heading}</h2>
        {quota ? <Aside quota={quota} /> : !problem && <p className={styles.loading}>{t.loading}</p>}
      </div>
      {quota && <Known quota={quota} session={session} />}
      {!quota && problem && <p className={styles.quiet}>{t.notKnown}</p>}
      {!quota && !problem && <Unread session={session} />}
    </section>
  )
}

/** Before the first snapshot: the space of the card after a sign-in, so that nothing moves when it comes. */
function Unread({ session }: { session: SignedIn }) {
  return (
    <div className={styles.space} style={{ visibility: 'hidden' }}>
      <Known quota={EXAMPLE} session={session} />
    </div>
  )
}

function Aside({ quota }: { quota: ReceivedQuota }) {
  const isStale = useStale()
  return isStale ? (
    <Stale atMs={quota.atMs} />
  ) : (
    <p className={styles.quiet}>{planWords(quota.snapshot.month)}</p>
  )
}

function planWords({ plan }: MonthSnapshot): string {
  const t = signedInText().month
  return plan === undefined ? t.noPlan : t.plan(PLAN_NAMES[plan])
}

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
            <a href={PATHS.ledger} onClick={followLink} title={signedInText().month.ledgerLink}>
              <strong>{large}</strong> {small}
            </a>
          </p>
          <p className={styles.state}>
            <Shape of={SHAPES[state]} /> {stateWords(month, quota.wallMs)}
          </p>
          {month.limit !== undefined && <MonthBar month={month} limit={month.limit} />}
          <Resets quota={quota} />
        </div>
        <div className={styles.notes}>
          <p className={styles.pace}>{paceWords(month, quota.wallMs)}</p>
          <p>{countWords(month)}</p>
          <Quiet words={uncertainWords(month)} />
          <Quiet words={reserveWords(month)} />
          <Binding quota={quota} />
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
  const t = signedInText().month.binding
  const { limit, plan } = snapshot.month
  if (limit === undefined) return plan === undefined ? '' : t.onlyMinute
  if (monthState(snapshot.month) === 'none') return ''
  const isMinuteUsedUp = waitOf(snapshot, 'read', elapsedMs)?.code === 'rate_limited'
  return isMinuteUsedUp ? t.minute : t.month
}

function Resets({ quota: { snapshot, atMs, wallMs } }: { quota: ReceivedQuota }) {
  const t = signedInText().month
  const { month } = snapshot
  const elapsedMs = useElapsed(atMs)
  const span = resetSpan(month, wallMs)
  if (month.may_have_reset) return <p>{t.mayHaveReset}</p>
  const soonMs = Math.max(0, month.resets_in_ms.earliest - elapsedMs)
  return (
    <p className={styles.quiet}>
      <Sentence of={(day) => t.resets(day, spanWords(soonMs), resetWords(span))}>
        <time dateTime={new Date(span.high).toISOString()}>{dayWords(span.high)}</time>
      </Sentence>
    </p>
  )
}

function Footer({ quota, session }: KnownProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const t = signedInText()
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
          data-kind={quota.snapshot.month.reading_wanted && !open ? 'primary' : undefined}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t.month.readCount}
          <span className={styles.price}>{t.press.price(t.press.free)}</span>
        </button>
        <Wanted quota={quota} />
        <AlertSetting session={session} quota={quota} />
      </div>
      <Suspense fallback={<p className={styles.quiet}>{t.month.lookingForReadings}</p>}>
        {open && <Readings session={session} close={close} />}
      </Suspense>
    </div>
  )
}

function Wanted({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const t = signedInText().month
  const { organization, reading_wanted: wanted } = snapshot.month
  const elapsedMs = useElapsed(atMs)
  return (
    <p className={styles.quiet}>
      {sentences(
        organization ? t.readAgo(agoWords(organization.reading_age_ms + elapsedMs)) : '',
        wanted ? t.wanted[wanted] : '',
      )}
    </p>
  )
}
