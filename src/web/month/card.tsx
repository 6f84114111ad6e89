import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { useKnownPlan } from '../organization/name.ts'
import { ReadingRow } from '../readings/row.tsx'
import { MonthPanel } from './panel.tsx'
import { usedOf } from '../../contract/month-state.ts'
import { PATHS } from '../../contract/page.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { reasonWords } from '../lib/words.ts'
import { followLink } from '../lib/router.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { countWords, resetWords } from '../quota/words.ts'
import { numberText, sentences } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import styles from './month.module.css'

export function MonthCard({ session }: { session: SignedIn }) {
  return (
    <MonthPanel
      named={useKnownPlan(session)}
      chart={<MonthChart session={session} />}
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
