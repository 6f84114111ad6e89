import { type CSSProperties, useState } from 'react'
import type { BurnDown, ChartPoint } from './burn-down.ts'
import styles from './chart.module.css'
import { placeLabels, type Size } from './labels.ts'
import { areaPath, type Scale, stepPath } from './scale.ts'
import { endWords } from './words.ts'
import { words } from '../text/text.ts'

export interface DrawingProps {
  burnDown: BurnDown
  scale: Scale
  reading: {
    /** Index of the point that is read; absent while nobody reads. */
    chosen: number | undefined
    choose: (at: number | undefined) => void
  }
}

export function Drawing({ burnDown, scale, reading }: DrawingProps) {
  const [size, setSize] = useState(USUAL_SIZE)
  const { points } = burnDown
  const present = points.at(-1)
  const chosen = reading.chosen === undefined ? undefined : points[reading.chosen]
  const labels = { pace: words().burnDown.evenPace, end: endWords(burnDown) }
  const places = placeLabels(burnDown, scale, labels, size)
  return (
    <>
      <Lines burnDown={burnDown} scale={scale} chosen={chosen} onSize={setSize} />
      {/* What the stretched drawing would distort is beside it. */}
      {points
        .filter(({ kind, atMs }) => kind === 'reading' && scale.x(burnDown.nowMs) - scale.x(atMs) > BELOW_DOT)
        .map((point) => (
          <i key={point.atMs} className={styles.diamond} style={placeOf(point, scale)} />
        ))}
      {present && <i className={styles.dot} style={placeOf(present, scale)} />}
      {chosen && <i className={styles.dot} data-chosen style={placeOf(chosen, scale)} />}
      {places.pace && (
        <span className={styles.pace} style={places.pace}>
          {labels.pace}
        </span>
      )}
      {labels.end !== '' && (
        <strong className={styles.end} style={places.end}>
          {labels.end}
        </strong>
      )}
    </>
  )
}

/** In per cent of the width. */
const BELOW_DOT = 0.5

const USUAL_SIZE: Size = { width: 28, height: 10 }

/** Reports the size of the drawing, now and when it changes. */
const watch =
  (onSize: (size: Size) => void) =>
  (drawing: SVGSVGElement): (() => void) => {
    const observer = new ResizeObserver(() => {
      const { width, height } = drawing.getBoundingClientRect()
      const em = Number.parseFloat(getComputedStyle(drawing).fontSize)
      if (width > 0 && em > 0) onSize({ width: width / em, height: height / em })
    })
    observer.observe(drawing)
    return () => observer.disconnect()
  }

interface LinesProps {
  burnDown: BurnDown
  scale: Scale
  chosen: ChartPoint | undefined
  onSize: (size: Size) => void
}

function Lines({ burnDown, scale, chosen, onSize }: LinesProps) {
  const [ref] = useState(() => watch(onSize))
  const { x, y } = scale
  const { points, limit, startMs, nowMs, reset, forecast } = burnDown
  const present = points.at(-1)
  return (
    <svg ref={ref} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {[limit, limit / 2, 0].map((count) => (
        <path key={count} className={styles.grid} d={`M0 ${y(count)}H100`} />
      ))}
      <path className={styles.area} d={areaPath(points, 'high', scale)} />
      <path className={styles.area} d={areaPath(points, 'low', scale)} />
      <path className={styles.even} d={`M${x(startMs)} ${y(limit)}L${x(reset.earliestMs)} 100`} />
      <path className={styles.left} d={stepPath(points, 'likely', scale)} />
      {present && forecast && (
        <path
          className={styles.forecast}
          d={`M${x(nowMs)} ${y(present.likely)}L${x(forecast.atMs)} ${y(forecast.left)}`}
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
