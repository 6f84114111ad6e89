import { type ReactNode, useId } from 'react'
import type { MonthUse } from '../../contract/months.ts'
import data from '../components/data.module.css'
import styles from '../ledger/ledger.module.css'
import { csvOf, saveCsv } from '../lib/csv.ts'
import { monthWords, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'
import { monthPlanWords } from './words.ts'

/** Names and values are those of `GET /bff/months` in every language, because programs read the file too. */
const CSV_COLUMNS = [
  ...(['month', 'low', 'high', 'others_low', 'others_high', 'others_read_on'] as const),
  ...(['plan', 'limit', 'ran_out_on'] as const),
] as const

const csvRow = ({ others, ...month }: MonthUse) => ({
  ...month,
  others_low: others?.low,
  others_high: others?.high,
  others_read_on: others?.read_on,
})

export function MonthList({ months }: { months: readonly MonthUse[] }) {
  const id = useId()
  const { months: t, ledger } = words()
  const most = Math.max(
    1,
    ...months.map(({ high, others, limit = 0 }) => Math.max(high + (others?.high ?? 0), limit)),
  )
  const save = () => saveCsv('plimsoll-months.csv', csvOf(CSV_COLUMNS, months.map(csvRow)))
  return (
    <section className={data.card} aria-labelledby={id}>
      <div className={data.top}>
        <h2 id={id}>{t.heading}</h2>
        <button type="button" onClick={save}>
          {ledger.download}
        </button>
      </div>
      <p className={data.quiet}>{t.utc}</p>
      <div className={styles.list}>
        <table className={styles.entries} aria-labelledby={id}>
          <colgroup span={3} />
          <col style={{ width: '35%' }} />
          <thead>
            <tr>
              <th scope="col">{t.month}</th>
              <th scope="col">{t.own}</th>
              <th scope="col">{t.others}</th>
              <th scope="col">{t.bar}</th>
              <th scope="col">{t.plan}</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <MonthRow key={month.month} month={month} most={most} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function MonthRow({ month, most }: { month: MonthUse; most: number }) {
  const { low, high, others } = month
  const t = words().months
  return (
    <tr>
      <MonthCell like="at">{monthWords(month.month)}</MonthCell>
      <td data-member="by" style={{ whiteSpace: 'nowrap' }}>
        {t.used(rangeText({ low, high }))}
      </td>
      <MonthCell like="outcome">{others ? t.byOthers(rangeText(others)) : t.noOthers}</MonthCell>
      <td data-member="kind" className={styles.bar} style={{ whiteSpace: 'nowrap' }} aria-hidden="true">
        <Part count={low} most={most} />
        <Part count={high - low} most={most} isUnclear />
        {others && <Part count={others.high} most={most} colour="var(--others)" />}
      </td>
      <MonthCell like="counts">{monthPlanWords(month)}</MonthCell>
    </tr>
  )
}

/** In a narrow window each row is laid out as one of the ledger, whose columns have these names. */
const MonthCell = ({ like, children }: { like: string; children: ReactNode }) => (
  <td data-member={like}>{children}</td>
)

interface PartProps {
  count: number
  most: number
  isUnclear?: boolean
  colour?: string
}

/** All bars have one scale. */
function Part({ count, most, isUnclear, colour }: PartProps) {
  if (count === 0) return null
  const own = colour && { background: colour, borderColor: colour, borderLeftColor: 'var(--card)' }
  return <span data-maybe={isUnclear} style={{ width: `${(count / most) * 100}%`, ...own }} />
}
