import { leftOf, othersOf, segmentsOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { Bar, type BarPart } from '../components/bar.tsx'
import { numberText, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './month.module.css'

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
