import { BFF } from '../../contract/api.ts'
import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { useKnownPlan } from '../organization/summary.ts'
import { ReadingRow } from '../readings/row.tsx'
import { usedOf, resetOf, leftOf, othersOf, segmentsOf } from '../../contract/month-state.ts'
import { PATHS } from '../../contract/page.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { reasonWords } from '../lib/words.ts'
import { followLink } from '../lib/router.ts'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import { countWords, resetWords } from '../quota/words.ts'
import { numberText, sentences, dayWords, spanWords, rangeText } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import styles from './month.module.css'
import type { ReactNode } from 'react'
import type { PlanName } from '../../contract/plan.ts'
import { monthVerdict } from '../../contract/verdict.ts'
import { useElapsed } from '../lib/clock.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import { Sentence } from '../text/sentence.tsx'
import { Verdict } from './verdict.tsx'
import { Bar, type BarPart } from '../components/bar.tsx'

export function MonthCard({ session }: { session: SignedIn }) {
  return (
    <MonthPanel
      named={useKnownPlan(session)}
      chart={<MonthChart path={BFF.ledgerDays} />}
      renderFoot={(quota) => {
        const { limit, plan } = quota.snapshot.month
        return (
          <>
            {/* Without a monthly limit no count is of use. */}
            {(limit !== undefined || plan === undefined) && <ReadingRow session={session} quota={quota} />}
            <How quota={quota} />
          </>
        )
      }}
    />
  )
}

/** Explains the number and the verdict. */
export function How({ quota: { snapshot, wallMs } }: { quota: ReceivedQuota }) {
  const t = words().month
  return (
    <details className={styles.how}>
      <summary>{t.how.heading}</summary>
      {howWords(snapshot.month, wallMs).map((sentence) => (
        // A browser may write dates in another way than the server.
        <p key={sentence} suppressHydrationWarning>
          {sentence}
        </p>
      ))}
      <p>
        <a href={PATHS.learnt} onClick={followLink}>
          {t.how.more}
        </a>
      </p>
    </details>
  )
}

/** While the month turns no sentence has a number, since it might be of either month. */
export function howWords(month: MonthSnapshot, atMs: number): string[] {
  const { how, uncertain, resets, zone } = words().month
  const { suspected, limit, organization, may_have_reset: isTurning, resets_in_ms: ends } = month
  const { low, high } = usedOf(month)
  const isCertain = low === high || limit === undefined
  const why = organization ? uncertain.organization : uncertain.own(numberText(low), numberText(high))
  return [
    suspected ? text().reason.whyWeThinkSo(sentences(...suspected.reasons.map(reasonWords))) : '',
    sentences(isTurning ? '' : countWords(month), how.counted),
    isTurning || isCertain ? '' : why,
    sentences(isTurning ? '' : resets(resetWords(month, atMs)), ends.earliest === ends.latest ? '' : zone),
  ].filter(Boolean)
}

interface MonthPanelProps {
  /** The plan that the record names; absent for a watch link. */
  named?: PlanName | undefined
  chart: ReactNode
  /** Takes counts; absent for a watch link. */
  renderFoot?: (quota: ReceivedQuota) => ReactNode
}

/** What is left of the month, for a person who is signed in and for a watch link. */
export function MonthPanel({ named, ...props }: MonthPanelProps) {
  const quota = useQuota()
  const isStale = useStale()
  if (!quota) return null
  return (
    <section
      className="card"
      aria-labelledby="month"
      data-tone={monthVerdict(quota.snapshot.month, quota.wallMs).tone}
    >
      <div className="apart head">
        <h2 id="month">{words().month.heading}</h2>
        {isStale ? <Stale atMs={quota.atMs} /> : <PlanAndReset quota={quota} named={named} />}
      </div>
      <MonthContent {...props} quota={quota} />
    </section>
  )
}

function PlanAndReset({ quota, named }: Pick<MonthPanelProps, 'named'> & { quota: ReceivedQuota }) {
  const { month } = quota.snapshot
  const { month: t, organization } = words()
  const elapsedMs = useElapsed(quota.atMs)
  // The limits come first, since the record may be older than a change of the plan.
  const plan = month.plan ?? named
  const name = plan ? organization.plans[plan] : t.noPlan
  if (month.limit === undefined || month.may_have_reset) return <p className="quiet">{name}</p>
  const resetMs = resetOf(month, quota.wallMs)
  const wait = spanWords(Math.max(0, resetMs - quota.wallMs - elapsedMs))
  return (
    <p className="quiet">
      <Sentence of={(day) => t.planAndReset(name, day, wait)}>
        <time dateTime={new Date(resetMs).toISOString()} suppressHydrationWarning>
          {dayWords(resetMs)}
        </time>
      </Sentence>
    </p>
  )
}

function MonthContent({ quota, chart, renderFoot }: MonthPanelProps & { quota: ReceivedQuota }) {
  const { month } = quota.snapshot
  // While the month turns, every share and pace would be of two months.
  const limit = month.may_have_reset ? undefined : month.limit
  return (
    <>
      <div className={styles.body} data-chart={limit !== undefined || undefined}>
        <div className={styles.count}>
          <Verdict quota={quota} canEnter={renderFoot !== undefined} />
          {limit !== undefined && <MonthBar month={month} limit={limit} />}
        </div>
        {limit !== undefined && chart}
      </div>
      {renderFoot && <div className={styles.foot}>{renderFoot(quota)}</div>}
    </>
  )
}

/** What is left on one side, what was used on the other: by other apps, and by this one. */
export function MonthBar({ month, limit }: { month: MonthSnapshot; limit: number }) {
  const { own, others, uncertain, isRestUnknown } = segmentsOf(month, limit)
  const t = words().month.bar
  const left = leftOf(month, limit)
  const part = (kind: BarPart['kind'], requests: number) => ({ kind, share: requests / Math.max(1, limit) })
  const rest = limit - own - others - uncertain
  const spoken = isRestUnknown
    ? t.spokenAtMost(numberText(left.high), numberText(limit))
    : t.spoken(rangeText(left), numberText(limit))
  return (
    <div className={styles.bar}>
      <div
        // Screen readers treat <meter> worse than this: some do not read its label.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="meter"
        aria-label={t.label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={month.suspected ? 0 : left.low}
        aria-valuetext={spoken}
      >
        <Bar
          parts={[
            ...(isRestUnknown
              ? [part('unknown', rest + uncertain)]
              : [part('first', rest), part('unknown', uncertain)]),
            part('others', others),
            part('own', own),
          ]}
        />
      </div>
      <Legend month={month} limit={limit} />
    </div>
  )
}

function Legend({ month, limit }: { month: MonthSnapshot; limit: number }) {
  const t = words().month.bar
  const { uncertain, isRestUnknown } = segmentsOf(month, limit)
  const others = othersOf(month)
  const left = leftOf(month, limit)
  const items: [kind: BarPart['kind'], words: string][] = [
    isRestUnknown ? ['unknown', t.leftUnknown] : ['first', t.left(rangeText(left))],
    ...(others ? [['others', t.others(rangeText(others))] as [BarPart['kind'], string]] : []),
    ['own', t.own(rangeText(month))],
  ]
  if (uncertain > 0 && !isRestUnknown) items.push(['unknown', t.uncertain(numberText(uncertain))])
  return (
    <ul className={styles.legend}>
      {items.map(([kind, words]) => (
        <li key={kind}>
          <Bar parts={[{ kind, share: 1 }]} /> {words}
        </li>
      ))}
    </ul>
  )
}
