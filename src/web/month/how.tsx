import type { ReactNode } from 'react'
import { isUsedUp, leftOf, usedOf } from '../../contract/month-state.ts'
import { PATHS } from '../../contract/page.ts'
import { waitOf } from '../../contract/pause.ts'
import type { MonthSnapshot, QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { useElapsed } from '../lib/clock.ts'
import { reasonWords } from '../lib/reason-words.ts'
import { followLink } from '../lib/router.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { countWords, resetWords } from '../quota/words.ts'
import { useKnownPlan } from '../organization/name.ts'
import { dayWords, numberText, sentences } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import styles from './month.module.css'

/** Everything that stands behind the number and the verdict. */
export function How({
  quota: { snapshot, atMs, wallMs },
  session,
}: {
  quota: ReceivedQuota
  session: SignedIn
}) {
  const { month } = snapshot
  const { month: t, organization } = words()
  const elapsedMs = useElapsed(atMs)
  const known = useKnownPlan(session)
  const { plan, suspected, may_have_reset: isTurning, resets_in_ms: ends } = month
  const why = suspected && text().reason.whyWeThinkSo(sentences(...suspected.reasons.map(reasonWords)))
  const inferred = plan === undefined || known === plan ? '' : t.how.plan(organization.plans[plan])
  const zone = ends.earliest === ends.latest ? '' : t.zone
  return (
    <details className={styles.how}>
      <summary>{t.how.heading}</summary>
      <Words>{why ?? ''}</Words>
      <Words>{sentences(isTurning ? '' : countWords(month), t.how.counted)}</Words>
      {!isTurning && <Words>{uncertainWords(month)}</Words>}
      {!isTurning && !isUsedUp(month) && (
        <Words>{sentences(paceWords(month, wallMs), reserveWords(month))}</Words>
      )}
      <Words>{sentences(bindingWords(snapshot, elapsedMs), inferred)}</Words>
      <Words>{sentences(isTurning ? '' : t.resets(resetWords(month, wallMs)), zone)}</Words>
      <p>
        <a href={PATHS.learnt} onClick={followLink}>
          {t.how.more}
        </a>
      </p>
    </details>
  )
}

/** Browsers write dates in other ways than the server does. */
const Words = ({ children }: { children: ReactNode }) =>
  children !== '' && <p suppressHydrationWarning>{children}</p>

/** Empty if the count is a single number. */
function uncertainWords(month: MonthSnapshot): string {
  const t = words().month.uncertain
  const { low, high } = usedOf(month)
  if (low === high || month.limit === undefined) return ''
  if (month.organization) return t.organization
  return (high - low === 1 ? t.own : t.span)(numberText(low), numberText(high))
}

/** For whom the last requests are, once they are near; else empty. */
function reserveWords(month: MonthSnapshot): string {
  const { limit, reserve } = month
  if (limit === undefined || !reserve || leftOf(month, limit).low > reserve.person) return ''
  return words().month.reserve(numberText(reserve.person), numberText(reserve.sign_in))
}

/** Where the pace of the organization leads; empty while that is not known. */
function paceWords({ forecast, organization, reserve }: MonthSnapshot, atMs: number): string {
  const t = words().month
  if (!forecast || !organization) return ''
  const { state, early, difference = 0, runs_out_in_ms: inMs = 0 } = forecast
  const ends: Partial<Record<typeof state, string>> = {
    on_pace: t.forecast.onPace,
    under: t.forecast.under(difference + (reserve?.sign_in ?? 0)),
    over: t.forecast.over(difference),
    runs_out: t.forecast.runsOut(dayWords(atMs + inMs)),
  }
  const end = ends[state]
  if (end === undefined) return state === 'too_early' ? t.forecast.tooEarly : ''
  return t.forecast.pace(early ? t.forecast.early(end) : end)
}

/** Says which limit is met first (8.2, 8.3); empty if neither is known. */
function bindingWords(snapshot: QuotaSnapshot, elapsedMs: number): string {
  const t = words().month.binding
  const { limit, plan } = snapshot.month
  if (limit === undefined) return plan === undefined ? '' : t.onlyMinute
  if (isUsedUp(snapshot.month)) return ''
  return waitOf(snapshot, 'read', elapsedMs)?.code === 'rate_limited' ? t.minute : t.month
}
