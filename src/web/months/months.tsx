import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { BFF } from '../../contract/api.ts'
import { type MonthUse, type Months, sufficiencyOf, sumOf } from '../../contract/months.ts'
import { PLANS } from '../../contract/plan.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Bar } from '../components/bar.tsx'
import { type Column, Download, Table } from '../components/table.tsx'
import { SidePage } from '../layout/side-page.tsx'
import { listQuery } from '../lib/query.ts'
import { listText, monthWords, numberText, rangeText, sentences, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'

export function LastMonths({ session }: { session: SignedIn }) {
  const asked = useQuery(listQuery('months', session, BFF.months, ({ months }: Months) => months))
  const t = words().months
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead]}
      asked={{ ...asked, loading: t.loading }}
      below={asked.data && <MonthList months={asked.data} />}
    >
      {asked.data && <Plans months={asked.data} />}
    </SidePage>
  )
}

function Plans({ months }: { months: readonly MonthUse[] }) {
  const t = words().months
  if (months.length === 1) return <p className="card">{t.first}</p>
  return (
    <div className="card">
      <h2>{t.plans}</h2>
      {planSentences(months).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="quiet">{t.known}</p>
    </div>
  )
}

/** The bars have a line here. */
const MARK = PLANS.standard.per_month

export function MonthList({ months }: { months: readonly MonthUse[] }) {
  const id = useId()
  const t = words().months
  return (
    <section className="card" aria-labelledby={id}>
      <div className="apart">
        <h2 id={id}>{t.heading}</h2>
        <Download path={`${BFF.months}?format=csv`} name="plimsoll-months.csv" />
      </div>
      <p className="quiet">{t.utc(numberText(MARK))}</p>
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
      {monthWords(month)} {isRunning && <span className="tag">{words().months.soFar}</span>}
    </>
  )
}

/** All bars have one scale. The requests of unknown others may be as many as the plan allows. */
function drawSum(month: MonthUse, most: number) {
  const { low: own, others } = month
  const { low, high } = sumOf(month)
  const unknown = Math.max(high, others ? high : MARK) - low
  return (
    <div className="sum">
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

/** Says for each plan in how many months it would have been enough, in which not, and what is not certain. */
export function planSentences(months: readonly MonthUse[]): string[] {
  const t = words().months
  const { plans } = words().organization
  const { standard } = PLANS
  const those = (wanted: string) =>
    months.filter((month, nth) => sufficiencyOf(standard, month, nth === 0) === wanted)
  const others = Object.entries(t.notEnough).map(([why, sentence]) => {
    const list = listText(those(why).map(({ month }) => monthWords(month)))
    return list && sentence(list)
  })
  const enough = those('enough').length
  return [
    sentences(
      t.enough(plans.standard, numberText(standard.per_month), numberText(enough), numberText(months.length)),
      ...others,
    ),
    t.unlimited(plans.business),
  ]
}

/** "Standard, 100 a month · ran out on 21 Nov". */
function monthPlanWords({ plan, limit, ran_out_on: day }: MonthUse): string {
  const t = words().months
  const name = plan ? words().organization.plans[plan] : t.noPlan
  const limited = limit === undefined ? name : t.limited(name, numberText(limit))
  return day === undefined ? limited : t.ranOut(limited, utcDayWords(day))
}
