import type { MonthSnapshot } from '../../contract/quota.ts'
import { Meter } from '../components/meter.tsx'
import styles from './month.module.css'
import { LOW_USED_SHARE, othersOf, segmentsOf, usedOf } from '../quota/month-state.ts'
import { spanOf, spokenCount } from '../quota/month-words.ts'
import { numberText } from '../text/language.ts'
import { signedInText } from '../text/text.ts'

/** This app, others by the reading, and the uncertain part hatched. */
export function MonthBar({ month, limit }: { month: MonthSnapshot; limit: number }) {
  const { own, others, uncertain, isRestUnknown } = segmentsOf(month, limit)
  const width = (requests: number) => ({ width: `${limit === 0 ? 0 : (requests * 100) / limit}%` })
  return (
    <div className={styles.bar}>
      <Meter
        label={signedInText().month.bar.label}
        max={limit}
        now={usedOf(month).low}
        spoken={spokenCount(month, limit)}
        mark={LOW_USED_SHARE}
      >
        <span className={styles.own} style={width(own)} />
        <span className={styles.others} style={width(others)} />
        <span className={styles.uncertain} style={width(uncertain)} />
        {isRestUnknown && <span className={styles.unknown} />}
      </Meter>
      <Legend month={month} uncertain={uncertain} />
    </div>
  )
}

function Legend({ month, uncertain }: { month: MonthSnapshot; uncertain: number }) {
  const t = signedInText().month.bar
  const others = othersOf(month)
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.own} /> {t.own(spanOf(month))}
      </li>
      <li>
        <span className={others ? styles.others : styles.unknown} />{' '}
        {others ? t.others(spanOf(others)) : t.othersNotKnown}
      </li>
      {uncertain > 0 ? (
        <li>
          <span className={styles.uncertain} /> {t.uncertain(numberText(uncertain))}
        </li>
      ) : (
        <li data-words={t.uncertain(numberText(1))} aria-hidden="true">
          <span />
        </li>
      )}
    </ul>
  )
}
