import { type ChangeEvent, type CSSProperties, type PointerEvent, useId, useState } from 'react'
import { DAY_MS } from '../../contract/duration.ts'
import { numberText, dayWords, instantWords, rangeText, sentences, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { Table } from '../components/table.tsx'
import { type BurnDown, evenPaceAt, type ChartPoint, burnDownOf } from './burn-down.ts'
import styles from './chart.module.css'
import { Drawing, Legend, type Scale, scaleOf } from './drawing.tsx'
import { leftWords } from '../quota/words.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { Notice } from '../components/notice.tsx'
import { useMonthDays, useQuota } from '../quota/query.ts'
import { ChartPlaceholder } from './placeholder.tsx'

export interface ChartProps {
  burnDown: BurnDown
  /** Shows the sentence, a legend and a table too. */
  large?: boolean
  /** On a wall the chart fills its place, and nobody can move through it. */
  isStill?: boolean
}

/** A person moves through its points with the arrow keys, a finger or a mouse. */
export function Chart({ burnDown, large = false, isStill = false }: ChartProps) {
  const [chosenMs, choose] = useState<number>()
  const summary = useId()
  const scale = scaleOf(burnDown)
  const chosen = chosenMs === undefined ? undefined : nearest(burnDown, chosenMs)
  return (
    <figure className={styles.figure} data-still={isStill || undefined} aria-labelledby={summary}>
      <figcaption id={summary} className={large ? undefined : 'unseen'}>
        {summaryOf(burnDown)}
      </figcaption>
      <div
        className={styles.frame}
        data-large={large}
        style={{ '--today': `${scale.x(burnDown.nowMs)}%` } as CSSProperties}
      >
        <Head burnDown={burnDown} point={chosen && pointWords(burnDown, chosen)} />
        <span className={styles.space} />
        <Counts burnDown={burnDown} scale={scale} />
        <div className={styles.plot}>
          <Drawing burnDown={burnDown} scale={scale} chosen={chosen} />
          {!isStill && <Reader burnDown={burnDown} chosenMs={chosenMs} choose={choose} />}
        </div>
        <p className={styles.days} aria-hidden="true">
          <span className={styles.first}>{dayWords(burnDown.firstMs)}</span>
          <span className={styles.today}>{words().burnDown.today}</span>
          <span className={styles.last}>{dayWords(burnDown.resetMs)}</span>
        </p>
      </div>
      {large && <Legend burnDown={burnDown} scale={scale} />}
      {large && <Points burnDown={burnDown} />}
    </figure>
  )
}

/** The same numbers as a table, for people who cannot read the drawing. */
function Points({ burnDown }: { burnDown: BurnDown }) {
  const id = useId()
  const { table, at, left, even } = words().ledger.points
  return (
    <details>
      <summary id={id}>{table}</summary>
      <Table
        labelledBy={id}
        columns={[
          { name: at, of: (point) => whenWords(burnDown, point) },
          { name: left, of: (point) => pointLeftWords(burnDown, point), as: 'number' },
          { name: even, of: ({ atMs }) => numberText(evenPaceAt(burnDown, atMs)), as: 'number' },
        ]}
        rows={burnDown.points}
        // Two readings may be of the same instant.
        keyOf={({ atMs, kind }, nth) => `${atMs} ${kind} ${nth}`}
      />
    </details>
  )
}

function nearest({ points }: BurnDown, atMs: number) {
  const distances = points.map((point) => Math.abs(point.atMs - atMs))
  return points[distances.lastIndexOf(Math.min(...distances))]
}

/** @param props.point the words of the chosen point */
function Head({ burnDown, point }: { burnDown: BurnDown; point: string | undefined }) {
  const { caption, captionAtMost } = words().burnDown
  return (
    <div className={styles.head}>
      <p data-reads={point !== undefined}>{point ?? (burnDown.isWhole ? caption : captionAtMost)}</p>
      {burnDown.forecast && <strong>{endWords(burnDown)}</strong>}
    </div>
  )
}

function Counts({ burnDown: { limit }, scale }: { burnDown: BurnDown; scale: Scale }) {
  const counts = limit < 2 ? [0, limit] : [0, Math.round(limit / 2), limit]
  return (
    <div className={styles.counts} aria-hidden="true">
      {[...new Set(counts)].map((count) => (
        <span key={count} style={{ top: `${scale.y(count)}%` }}>
          {numberText(count)}
        </span>
      ))}
      <span className={styles.widest}>{numberText(limit)}</span>
    </div>
  )
}

interface ReaderProps {
  burnDown: BurnDown
  chosenMs: number | undefined
  choose: (atMs: number | undefined) => void
}

/** An invisible slider over the whole drawing. */
function Reader({ burnDown, chosenMs, choose }: ReaderProps) {
  const { firstMs, resetMs, nowMs } = burnDown
  const atMs = chosenMs ?? nowMs
  const point = nearest(burnDown, atMs)
  const read = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(firstMs + ((clientX - left) / Math.max(1, width)) * (resetMs - firstMs))
  }
  return (
    <input
      type="range"
      aria-label={words().burnDown.caption}
      min={firstMs}
      max={resetMs}
      step={DAY_MS}
      value={atMs}
      aria-valuetext={point && pointWords(burnDown, point)}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) => choose(Math.min(nowMs, target.valueAsNumber))}
      onPointerMove={read}
      onPointerLeave={() => choose(undefined)}
      onBlur={() => choose(undefined)}
    />
  )
}

/** A day of UTC has its own name, though it ends on another one for most readers. */
export function whenWords({ firstMs }: BurnDown, { atMs, kind }: ChartPoint): string {
  if (kind === 'start') return dayWords(firstMs)
  return kind === 'day' ? utcDayWords(atMs - 1) : instantWords(atMs)
}

export const pointLeftWords = ({ isWhole }: BurnDown, point: ChartPoint): string =>
  leftWords(point, isWhole, words().burnDown.atMost)

export const pointWords = (burnDown: BurnDown, point: ChartPoint): string =>
  words().burnDown.point(whenWords(burnDown, point), pointLeftWords(burnDown, point))

/** Where the present pace leads; empty without a forecast. */
export function endWords({ forecast }: BurnDown): string {
  if (forecast === undefined) return ''
  const { end } = words().burnDown
  const { left, atMs, runsOut, early } = forecast
  const said = runsOut ? end.runsOut(dayWords(atMs)) : end.left(numberText(left))
  return early ? end.early(said) : said
}

export function summaryOf(burnDown: BurnDown): string {
  const { isWhole, limit, nowMs, points } = burnDown
  const t = words().burnDown
  const present = points.at(-1)
  if (present === undefined) return ''
  const { low, high } = present
  const end = endWords(burnDown)
  return sentences(
    isWhole
      ? t.summary(rangeText({ low, high }), numberText(limit))
      : t.summaryAtMost(numberText(high), numberText(limit)),
    t.even(numberText(evenPaceAt(burnDown, nowMs))),
    end && t.forecast(end),
  )
}

export interface MonthChartProps extends Omit<ChartProps, 'burnDown'> {
  /** Of the days. */
  path: string
}

/** Draws nothing for a plan without a limit, while the month turns, and before the past is known. */
export function MonthChart({ path, ...looks }: MonthChartProps) {
  const { data: history, error, refetch } = useMonthDays(path)
  const quota = useQuota()
  const month = quota?.snapshot.month
  if (month && !isDrawn(month)) return null
  if (!history && error) return <Notice problem={error} again={() => void refetch()} />
  if (!month || !history) return <ChartPlaceholder large={looks.large} />
  const readings = history.readings.map(({ count, read_at }) => ({ count, atMs: Date.parse(read_at) }))
  return <Chart burnDown={burnDownOf({ nowMs: quota.wallMs, month, ...history, readings })} {...looks} />
}

const isDrawn = (month: MonthSnapshot): month is MonthSnapshot & { limit: number } =>
  month.limit !== undefined && !month.may_have_reset
