import type { CSSProperties } from 'react'
import { words } from '../text/text.ts'
import type { BurnDown, ChartPoint } from './burn-down.ts'
import styles from './chart.module.css'
import { areaPath, linesOf, type Scale } from './scale.ts'

export interface DrawingProps {
  burnDown: BurnDown
  scale: Scale
  reading: {
    /** Index of the point that is read; absent while nobody reads. */
    chosen: number | undefined
    choose: (at: number | undefined) => void
  }
}

/** What the stretched lines would distort is beside them. */
export function Drawing({ burnDown, scale, reading }: DrawingProps) {
  const { points, nowMs } = burnDown
  const present = points.at(-1)
  const chosen = reading.chosen === undefined ? undefined : points[reading.chosen]
  const isBesideDot = ({ atMs }: ChartPoint) => scale.x(nowMs) - scale.x(atMs) > BELOW_DOT
  return (
    <>
      <Lines burnDown={burnDown} scale={scale} chosen={chosen} />
      {points
        .filter((point) => point.kind === 'reading' && isBesideDot(point))
        .map((point) => (
          <i key={point.atMs} className={styles.diamond} style={placeOf(point, scale)} />
        ))}
      {present && <i className={styles.dot} style={placeOf(present, scale)} />}
      {chosen && <i className={styles.dot} data-chosen style={placeOf(chosen, scale)} />}
      <span className={styles.pace}>{words().burnDown.evenPace}</span>
    </>
  )
}

/** In per cent of the width. */
const BELOW_DOT = 0.5

interface LinesProps {
  burnDown: BurnDown
  scale: Scale
  chosen: ChartPoint | undefined
}

function Lines({ burnDown, scale, chosen }: LinesProps) {
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

const placeOf = ({ atMs, likely }: ChartPoint, { x, y }: Scale): CSSProperties => ({
  left: `${x(atMs)}%`,
  top: `${y(likely)}%`,
})
