import type { ReactNode } from 'react'
import { monthState } from '../../contract/month-state.ts'
import { PATHS } from '../../contract/page.ts'
import { waitOf } from '../../contract/pause.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { followLink } from '../lib/router.ts'
import { useElapsed } from '../lib/clock.ts'
import {
  monthCountWords,
  outlookWords,
  reserveWords,
  resetSpan,
  resetWords,
  suspicionWords,
  uncertainWords,
} from '../quota/words.ts'
import { sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { useKnownPlan } from '../record/organization-name.ts'
import styles from './month.module.css'

/** Everything that stands behind the number and the verdict. */
export function How({ quota, session }: { quota: ReceivedQuota; session: SignedIn }) {
  const { snapshot, wallMs } = quota
  const { month } = snapshot
  const { plan: inferred } = month
  const { month: t, organization } = words()
  const named = useKnownPlan(session)
  const binding = bindingWords(snapshot, useElapsed(quota.atMs))
  const plan = inferred === undefined || named === inferred ? '' : t.how.plan(organization.plans[inferred])
  const reset = resetSpan(month, wallMs)
  const resets = month.may_have_reset ? '' : t.resets(resetWords(reset))
  return (
    <details className={styles.how}>
      <summary>{t.how.heading}</summary>
      <Words>{suspicionWords(month)}</Words>
      <Words>{sentences(monthCountWords(month), t.how.counted)}</Words>
      <Words>{uncertainWords(month)}</Words>
      <Words>{sentences(outlookWords(month, wallMs), reserveWords(month))}</Words>
      <Words>{sentences(binding, plan)}</Words>
      <Words>{sentences(resets, reset.low === reset.high ? '' : t.zone)}</Words>
      <p>
        <a href={PATHS.learnt} onClick={followLink}>
          {t.how.more}
        </a>
      </p>
    </details>
  )
}

const Words = ({ children }: { children: ReactNode }) => children !== '' && <p>{children}</p>

/** Says which limit is met first (8.2, 8.3); empty if neither is known. */
function bindingWords(snapshot: QuotaSnapshot, elapsedMs: number): string {
  const t = words().month.binding
  const { limit, plan } = snapshot.month
  if (limit === undefined) return plan === undefined ? '' : t.onlyMinute
  if (monthState(snapshot.month) === 'none') return ''
  const isMinuteUsedUp = waitOf(snapshot, 'read', elapsedMs)?.code === 'rate_limited'
  return isMinuteUsedUp ? t.minute : t.month
}
