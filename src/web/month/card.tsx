import { lazy, Suspense, useRef, useState } from 'react'
import type { MonthSnapshot, QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { AlertSetting } from './alert-setting.tsx'
import { Aside } from './aside.tsx'
import gauge from '../components/gauge.module.css'
import { MonthBar } from './bar.tsx'
import { ClockNotice } from './clock-notice.tsx'
import styles from './month.module.css'
import { SKELETON } from '../quota/skeleton.ts'
import { type MonthState, monthState } from '../quota/month-state.ts'
import {
  allowanceWords,
  monthCountWords,
  headline,
  longestAllowance,
  longestOutlook,
  otherStateWords,
  outlookWords,
  reserveWords,
  resetSpan,
  resetWords,
  monthStateWords,
  suspicionWords,
  uncertainWords,
} from '../quota/month-words.ts'
import { waitOf } from '../quota/pause.ts'
import { Room } from '../components/room.tsx'
import { PATHS } from '../../contract/page.ts'
import { followLink } from '../lib/router.ts'
import { Shape, type ShapeName } from '../components/icons.tsx'
import priceStyles from '../components/price.module.css'
import { sentences } from '../text/language.ts'
import { Sentence } from '../text/sentence.tsx'
import { signedInText } from '../text/text.ts'
import { agoWords, dayWords, spanWords, useElapsed } from '../lib/time.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

const ReadingsPanel = lazy(() =>
  import('../readings/readings.tsx').then(({ ReadingsPanel }) => ({ default: ReadingsPanel })),
)

const MONTH_SHAPES: Record<MonthState, ShapeName> = {
  plenty: 'circle',
  unlimited: 'circle',
  low: 'triangle',
  none: 'square',
  suspected: 'square',
  own: 'diamond',
  unseen: 'diamond',
}

export function MonthCard({ session }: { session: SignedIn }) {
  const quota = useUi((ui) => ui.quota)
  const problem = useUi((ui) => ui.quotaProblem)
  const t = signedInText().month
  const month = quota?.snapshot.month
  return (
    <section
      className={`${gauge.card} ${styles.card}`}
      aria-labelledby="month"
      data-state={month && monthState(month)}
    >
      <div className={gauge.head}>
        <h2 id="month">{t.heading}</h2>
        <Aside quota={quota} session={session} isLoading={!problem} />
      </div>
      {quota && <MonthContent quota={quota} session={session} />}
      {!quota && problem && <p className={styles.quiet}>{t.notKnown}</p>}
      {!quota && !problem && <Unread session={session} />}
    </section>
  )
}

/** Before the first snapshot: as high as the card after a sign-in, so that nothing moves when it comes. */
function Unread({ session }: { session: SignedIn }) {
  return (
    <div className={styles.space} style={{ visibility: 'hidden' }}>
      <MonthContent quota={SKELETON} session={session} />
    </div>
  )
}

interface MonthContentProps {
  quota: ReceivedQuota
  session: SignedIn
}

function MonthContent({ quota, session }: MonthContentProps) {
  const { month } = quota.snapshot
  const state = monthState(month)
  const [large, small] = headline(month)
  return (
    <>
      <div className={styles.body}>
        <div className={styles.count}>
          <p className={styles.big}>
            <a href={PATHS.ledger} onClick={followLink} title={signedInText().month.ledgerLink}>
              <strong>{large}</strong> {small !== '' && <span>{small}</span>}
            </a>
          </p>
          <div className={styles.state}>
            <Shape of={MONTH_SHAPES[state]} />{' '}
            <Room others={otherStateWords(month)}>{monthStateWords(month, quota.wallMs)}</Room>
          </div>
          {month.limit !== undefined && <MonthBar month={month} limit={month.limit} />}
          <Resets quota={quota} />
          <ClockNotice />
        </div>
        <div className={styles.notes}>
          <Allowance month={month} />
          <p>{monthCountWords(month)}</p>
          <Outlook quota={quota} />
          {month.limit !== undefined && <How month={month} />}
        </div>
      </div>
      <MonthActions quota={quota} session={session} />
    </>
  )
}

const QuietWords = ({ words }: { words: string }) => words !== '' && <p className={styles.quiet}>{words}</p>

function Allowance({ month }: { month: MonthSnapshot }) {
  const words = allowanceWords(month)
  if (words === '') return null
  return (
    <Room className={styles.pace} others={longestAllowance(month)}>
      {words}
    </Room>
  )
}

/** Says which limit is met first, and where the pace leads. */
function Outlook({ quota: { snapshot, atMs, wallMs } }: { quota: ReceivedQuota }) {
  const { month } = snapshot
  const words = bindingWords(snapshot, useElapsed(atMs))
  if (words === undefined) return null
  const { binding } = signedInText().month
  return (
    <Room className={styles.quiet} others={[sentences(binding.month, longestOutlook(month))]}>
      {sentences(words, outlookWords(month, wallMs))}
    </Room>
  )
}

/** Folded, because the explanation is long in some states. */
function How({ month }: { month: MonthSnapshot }) {
  const t = signedInText().month.how
  return (
    <details className={styles.quiet}>
      <summary>{t.heading}</summary>
      <QuietWords words={suspicionWords(month)} />
      <QuietWords words={t.counted} />
      <QuietWords words={uncertainWords(month)} />
      <QuietWords words={reserveWords(month)} />
    </details>
  )
}

/** Says which limit is met first (8.2, 8.3); absent if neither is known. */
function bindingWords(snapshot: QuotaSnapshot, elapsedMs: number): string | undefined {
  const t = signedInText().month.binding
  const { limit, plan } = snapshot.month
  if (limit === undefined) return plan && t.onlyMinute
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

function MonthActions({ quota, session }: MonthContentProps) {
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
          <span className={priceStyles.price}>{t.press.price(t.press.free)}</span>
        </button>
        <Wanted quota={quota} />
        <AlertSetting session={session} quota={quota} />
      </div>
      <Suspense fallback={<p className={styles.quiet}>{t.month.lookingForReadings}</p>}>
        {open && <ReadingsPanel session={session} close={close} />}
      </Suspense>
    </div>
  )
}

function Wanted({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const t = signedInText().month
  const { organization, reading_wanted: wanted } = snapshot.month
  const elapsedMs = useElapsed(atMs)
  const age = organization ? t.readAgo(agoWords(organization.reading_age_ms + elapsedMs)) : ''
  return (
    <Room className={styles.quiet} others={Object.values(t.wanted).map((words) => sentences(age, words))}>
      {sentences(age, wanted ? t.wanted[wanted] : '')}
    </Room>
  )
}
