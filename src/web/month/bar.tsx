import { leftOf, othersOf, segmentsOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { spokenSpanOf } from '../quota/words.ts'
import { numberText, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './bar.module.css'

/** What is left on one side, what was used on the other: by other apps, and by this one. */
export function MonthBar({ month, limit }: { month: MonthSnapshot; limit: number }) {
  const { own, others, uncertain, isRestUnknown } = segmentsOf(month, limit)
  const t = words().month.bar
  const left = leftOf(month, limit)
  const width = (requests: number) => ({ width: `${limit === 0 ? 0 : (requests * 100) / limit}%` })
  const spoken = isRestUnknown
    ? t.spokenAtMost(numberText(left.high), numberText(limit))
    : t.spoken(spokenSpanOf(left), numberText(limit))
  return (
    <div className={styles.month}>
      <div
        // Screen readers treat <meter> worse than this: some do not read its label.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="meter"
        aria-label={t.label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={month.suspected ? 0 : left.low}
        aria-valuetext={spoken}
        className={styles.bar}
      >
        <span
          className={isRestUnknown ? styles.unknown : styles.left}
          style={width(limit - own - others - uncertain)}
        />
        <span className={styles.unknown} style={width(uncertain)} />
        <span className={styles.others} style={width(others)} />
        <span className={styles.own} style={width(own)} />
      </div>
      <Legend month={month} limit={limit} uncertain={uncertain} isRestUnknown={isRestUnknown} />
    </div>
  )
}

interface LegendProps {
  month: MonthSnapshot
  limit: number
  uncertain: number
  isRestUnknown: boolean
}

function Legend({ month, limit, uncertain, isRestUnknown }: LegendProps) {
  const t = words().month.bar
  const others = othersOf(month)
  const left = leftOf(month, limit)
  const items: [style: string | undefined, words: string][] = [
    isRestUnknown ? [styles.unknown, t.leftUnknown] : [styles.left, t.left(rangeText(left))],
    ...(others === undefined ? [] : [[styles.others, t.others(rangeText(others))] as [string, string]]),
    [styles.own, t.own(rangeText(month))],
    ...(uncertain > 0 && !isRestUnknown
      ? [[styles.unknown, t.uncertain(numberText(uncertain))] as [string, string]]
      : []),
  ]
  const kept = month.reserve?.sign_in ?? 0
  return (
    <ul className={styles.legend}>
      {items.map(([style, words]) => (
        <li key={words}>
          <span className={style} /> {words}
        </li>
      ))}
      {left.high > 0 && left.low <= (month.reserve?.person ?? 0) && kept > 0 && (
        <li>{t.kept(numberText(kept))}</li>
      )}
    </ul>
  )
}
