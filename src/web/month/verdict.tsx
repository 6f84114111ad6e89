import { isUsedUp, leftOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { type Tone, type Verdict as Said, verdictOf } from '../../contract/verdict.ts'
import { Announce } from '../components/announce.tsx'
import { Shape, type ShapeName } from '../components/icons.tsx'
import { useElapsed } from '../lib/clock.ts'
import { reasonWords } from '../lib/words.ts'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import { agoWords, numberText, rangeText, say, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './month.module.css'

/** The words of the sentence say the same. */
const SHAPES: Record<Tone, ShapeName> = {
  ok: 'check',
  low: 'triangle',
  none: 'square',
  unknown: 'diamond',
}

interface VerdictProps {
  quota: ReceivedQuota
  /** The person can enter a count. */
  canEnter: boolean
}

/** What is left, and one sentence that says whether that is enough. */
export function Verdict({ quota, canEnter }: VerdictProps) {
  const { snapshot, atMs, wallMs } = quota
  const elapsedMs = useElapsed(atMs)
  const verdict = verdictOf(snapshot, wallMs, elapsedMs)
  const [large, small] = figureWords(snapshot.month, elapsedMs)
  return (
    <div className={styles.verdict} data-tone={verdict.tone}>
      <p className={styles.number}>
        <strong>{large}</strong> <span>{small}</span>
      </p>
      <p className={styles.sentence}>
        <VerdictSentence of={verdict} canEnter={canEnter} />
      </p>
    </div>
  )
}

export const VerdictSentence = ({ of, canEnter = false }: { of: Said; canEnter?: boolean }) => (
  <>
    <Shape of={SHAPES[of.tone]} /> <span suppressHydrationWarning>{verdictWords(of, canEnter)}</span>
  </>
)

export function verdictWords(verdict: Said, canEnter: boolean): string {
  const t = words().month
  const reasons = verdict.key === 'paused' ? verdict.params.reasons.map(reasonWords) : []
  const isWanted = verdict.key === 'unsure' && (verdict.params.limit ?? verdict.params.ageMs) !== undefined
  return sentences(say(t.verdict, verdict), ...reasons, canEnter && isWanted ? t.enter : '')
}

/** The large figure, and what it is. @param elapsedMs since the snapshot came */
export function figureWords(month: MonthSnapshot, elapsedMs: number): [large: string, small: string] {
  const t = words().month.figure
  const { limit, organization } = month
  const count = figureText(month)
  if (limit === undefined) return [count, t.sent]
  const ofLimit = t.of(numberText(limit))
  if (isUsedUp(month)) return [t.left(count), ofLimit]
  if (organization === undefined) return [t.left(t.atMost(count)), t.known(ofLimit, t.notCounted)]
  if (month.may_have_reset) return [t.left(t.atLeast(count)), ofLimit]
  const age = t.asOf(agoWords(organization.reading_age_ms + elapsedMs))
  return [t.left(count), t.known(ofLimit, age)]
}

/** The figure alone: what is left, or without a limit what this app has sent. */
export function figureText(month: MonthSnapshot): string {
  const { limit, organization } = month
  if (limit === undefined) return rangeText(month)
  if (isUsedUp(month)) return numberText(0)
  const left = leftOf(month, limit)
  if (organization === undefined) return numberText(left.high)
  return month.may_have_reset ? numberText(left.low) : rangeText(left)
}

/** Tells a person who does not see the verdict when it turns bad, or good again. */
export function Announcer() {
  const quota = useQuota()
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  const verdict = quota && verdictOf(quota.snapshot, quota.wallMs, elapsedMs)
  const isBad = verdict && (verdict.tone === 'low' || verdict.tone === 'none')
  const state = verdict && (isBad ? verdict.key : '')
  return <Announce state={state} words={verdict ? verdictWords(verdict, false) : ''} />
}
