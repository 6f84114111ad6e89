import { words } from '../text/text.ts'
import type { BurnDown, ChartPoint } from './burn-down.ts'
import styles from './chart.module.css'

interface DrawingProps {
  burnDown: BurnDown
  scale: Scale
  /** The point that a person is reading. */
  chosen: ChartPoint | undefined
}

/** Dots and words stand beside the lines, which are stretched and would distort them. */
export function Drawing({ burnDown, scale, chosen }: DrawingProps) {
  const { points, nowMs } = burnDown
  const present = points.at(-1)
  const isBesideDot = ({ atMs }: ChartPoint) => scale.x(nowMs) - scale.x(atMs) > BELOW_DOT
  return (
    <>
      <Lines burnDown={burnDown} scale={scale} chosen={chosen} />
      {points
        .filter((point) => point.kind === 'reading' && isBesideDot(point))
        .map((point) => (
          <Dot key={point.atMs} kind="reading" point={point} scale={scale} />
        ))}
      {present && <Dot kind="now" point={present} scale={scale} />}
      {chosen && <Dot kind="chosen" point={chosen} scale={scale} />}
      <span className={styles.pace}>{words().burnDown.evenPace}</span>
    </>
  )
}

/** In per cent of the width. */
const BELOW_DOT = 0.5

function Lines({ burnDown, scale, chosen }: DrawingProps) {
  const { x, y } = scale
  const { points, limit, startMs, nowMs, resetMs, forecast } = burnDown
  const present = y(points.at(-1)?.likely ?? 0)
  const { steps, straight } = linesOf(burnDown, scale)
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.grid} d={[limit, limit / 2, 0].map((count) => `M0 ${y(count)}H100`).join('')} />
      <path className={styles.area} d={areaPath(points, 'high', scale)} />
      <path className={styles.area} d={areaPath(points, 'low', scale)} />
      <path className={styles.even} d={`M${x(startMs)} ${y(limit)}L${x(resetMs)} 100`} />
      <path className={styles.between} d={straight} />
      <path className={styles.left} d={steps} />
      {forecast && (
        <path
          className={styles.forecast}
          d={`M${x(nowMs)} ${present}L${x(forecast.atMs)} ${y(forecast.left)}`}
        />
      )}
      {chosen && <path className={styles.chosen} d={`M${x(chosen.atMs)} 0V100`} />}
    </svg>
  )
}

interface DotProps {
  kind: string
  point: ChartPoint
  scale: Scale
}

const Dot = ({ kind, point: { atMs, likely }, scale: { x, y } }: DotProps) => (
  <i className={styles.dot} data-kind={kind} style={{ left: `${x(atMs)}%`, top: `${y(likely)}%` }} />
)

const LINE = 'M0 6H24'

export function Legend({ burnDown, scale }: { burnDown: BurnDown; scale: Scale }) {
  const { points, isWhole, forecast } = burnDown
  const t = words().ledger.legend
  const items: [name: string, words: string, drawing: string, isDrawn?: boolean][] = [
    ['left', isWhole ? t.left : t.atMost, LINE],
    ['between', t.between, LINE, linesOf(burnDown, scale).straight !== ''],
    ['area', t.area, 'M0 0H24V12H0Z'],
    ['even', t.even, LINE],
    ['forecast', t.forecast, LINE, forecast !== undefined],
    ['reading', t.reading, 'M12 1l5 5l-5 5l-5 -5Z', points.some(({ kind }) => kind === 'reading')],
  ]
  return (
    <ul className={styles.legend}>
      {items
        .filter(([, , , isDrawn = true]) => isDrawn)
        .map(([name, words, drawing]) => (
          <li key={name}>
            <svg viewBox="0 0 24 12" aria-hidden="true">
              <path className={styles[name]} d={drawing} />
            </svg>
            {words}
          </li>
        ))}
    </ul>
  )
}

export interface Scale {
  x: (atMs: number) => number
  /** From the top. */
  y: (left: number) => number
}

export function scaleOf({ firstMs, resetMs, limit }: BurnDown): Scale {
  const spanMs = Math.max(1, resetMs - firstMs)
  const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 100
  return {
    x: (atMs) => percent((atMs - firstMs) / spanMs),
    y: (left) => percent(1 - (limit === 0 ? 0 : left / limit)),
  }
}

/**
 * The line of what is left. Where each day is known it holds a value until the next instant. Where only a sum
 * of days is known it runs straight.
 */
export function linesOf({ points, isWhole }: BurnDown, { x, y }: Scale): { steps: string; straight: string } {
  const lines = { steps: '', straight: '' }
  let from = { at: '', isKnown: true }
  for (const { atMs, kind, low, high, likely } of points) {
    if (isWhole && kind === 'day' && low !== high) {
      from.isKnown = false
      continue
    }
    const at = `${x(atMs)} ${y(likely)}`
    if (from.at === '' || !from.isKnown) lines.steps += `M${at}`
    else lines.steps += `H${x(atMs)}V${y(likely)}`
    if (!from.isKnown) lines.straight += `M${from.at}L${at}`
    from = { at, isKnown: true }
  }
  return lines
}

/** The area below the steps of a bound. */
export function areaPath(points: readonly ChartPoint[], bound: 'low' | 'high', { x, y }: Scale): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return ''
  const steps = points.slice(1).map((point) => `H${x(point.atMs)}V${y(point[bound])}`)
  const start = x(first.atMs)
  return `M${start} ${y(first[bound])}${steps.join('')}L${x(last.atMs)} 100H${start}Z`
}
