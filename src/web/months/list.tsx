import { useId } from 'react'
import { BFF } from '../../contract/api.ts'
import { type MonthUse, sumOf } from '../../contract/months.ts'
import { PLANS } from '../../contract/plan.ts'
import data from '../components/data.module.css'
import { Bar } from '../components/bar.tsx'
import { type Column, Download, Table } from '../components/table.tsx'
import { monthWords, numberText, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './months.module.css'
import { monthPlanWords } from './words.ts'

/** The bars have a line here. */
const MARK = PLANS.standard.per_month

export function MonthList({ months }: { months: readonly MonthUse[] }) {
  const id = useId()
  const t = words().months
  return (
    <section className={data.card} aria-labelledby={id}>
      <div className={data.top}>
        <h2 id={id}>{t.heading}</h2>
        <Download path={`${BFF.months}?format=csv`} name="plimsoll-months.csv" />
      </div>
      <p className={data.quiet}>{t.utc(numberText(MARK))}</p>
      <Table labelledBy={id} columns={columnsOf(months)} rows={months} keyOf={({ month }) => month} />
    </section>
  )
}

function columnsOf(months: readonly MonthUse[]): Column<MonthUse>[] {
  const t = words().months
  const most = Math.max(MARK, ...months.map((month) => sumOf(month).high))
  return [
    { name: t.month, as: 'short', of: (month) => drawName(month, month === months[0]) },
    { name: t.own, as: 'number', of: rangeText },
    { name: t.others, as: 'number', of: ({ others }) => (others ? rangeText(others) : t.noOthers) },
    { name: t.sum, as: 'long-number', of: (month) => drawSum(month, most) },
    { name: t.plan, as: 'long', of: monthPlanWords },
  ]
}

function drawName({ month }: MonthUse, isRunning: boolean) {
  return (
    <>
      {monthWords(month)} {isRunning && <span className={data.changed}>{words().months.soFar}</span>}
    </>
  )
}

/** All bars have one scale. The requests of unknown others may be as many as the plan allows. */
function drawSum(month: MonthUse, most: number) {
  const { low: own, others } = month
  const { low, high } = sumOf(month)
  const unknown = Math.max(high, others ? high : MARK) - low
  return (
    <div className={styles.sum}>
      <span>{others ? rangeText({ low, high }) : words().months.atLeast(numberText(low))}</span>
      <Bar
        isRow
        parts={[
          { kind: 'first', share: own / most },
          { kind: 'others', share: (others?.low ?? 0) / most },
          { kind: 'unknown', share: unknown / most },
        ]}
        mark={MARK / most}
      />
    </div>
  )
}
