import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { PATHS } from '../../contract/page.ts'
import type { BurnDown } from './burn-down.ts'
import styles from './chart.module.css'
import { ChartDetails } from './details.tsx'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { type Scale, scaleOf } from './scale.ts'
import { endWords, pointWords, summaryOf } from './words.ts'
import { followLink } from '../lib/router.ts'
import { dayWords, numberText } from '../text/format.ts'
import { words } from '../text/text.ts'

export interface ChartProps {
  burnDown: BurnDown
  /** With a legend and a table. */
  large?: boolean
  /** A link to the ledger, a slider through the points, or nothing that takes the keyboard. */
  plot?: 'link' | 'slider' | 'still'
}

export function Chart({ burnDown, large = false, plot = large ? 'slider' : 'link' }: ChartProps) {
  const [chosen, choose] = useState<number>()
  const summary = useId()
  const t = words().burnDown
  const scale = scaleOf(burnDown)
  const last = burnDown.points.length - 1
  const point = burnDown.points[Math.min(chosen ?? last, last)]
  const pointText = point && pointWords(burnDown, point)
  const props = { burnDown, scale, reading: { chosen, choose } }
  return (
    <figure className={styles.figure} data-plot={plot} aria-labelledby={summary}>
      <figcaption id={summary} className={large ? undefined : 'unseen'}>
        {summaryOf(burnDown)}
      </figcaption>
      <div
        className={styles.frame}
        data-large={large}
        style={{ '--today': `${scale.x(burnDown.nowMs)}%` } as CSSProperties}
      >
        <Head
          {...{ burnDown, plot }}
          isRead={chosen !== undefined}
          point={large || chosen !== undefined ? pointText : undefined}
        />
        <span className={styles.space} />
        <Counts burnDown={burnDown} scale={scale} />
        <Plot {...props} of={plot} point={pointText} describedBy={summary} />
        <p className={styles.days} aria-hidden="true">
          <span className={styles.first}>{dayWords(burnDown.firstMs)}</span>
          <span className={styles.today}>{t.today}</span>
          <span className={styles.last}>{dayWords(burnDown.resetMs)}</span>
        </p>
      </div>
      {large && <ChartDetails burnDown={burnDown} scale={scale} />}
    </figure>
  )
}

interface HeadProps extends Required<Pick<ChartProps, 'burnDown' | 'plot'>> {
  isRead: boolean
  /** The words of the point that is read; absent: what the chart shows. */
  point: string | undefined
}

function Head({ burnDown, plot, isRead, point }: HeadProps) {
  const { caption, captionAtMost } = words().burnDown
  return (
    <div className={styles.head}>
      <p className={styles.caption} data-reads={isRead} aria-live={plot === 'link' ? 'polite' : 'off'}>
        {point ?? (burnDown.isWhole ? caption : captionAtMost)}
      </p>
      {burnDown.forecast && <strong>{endWords(burnDown)}</strong>}
    </div>
  )
}

interface PlotProps extends DrawingProps {
  of: NonNullable<ChartProps['plot']>
  point: string | undefined
  describedBy: string
}

function Plot({ of, point, describedBy, ...props }: PlotProps) {
  if (of === 'slider') return <SliderPlot {...props} point={point} />
  if (of === 'link') return <LinkPlot {...props} describedBy={describedBy} />
  return (
    <div className={styles.plot}>
      <Drawing {...props} />
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

/** A mouse reads the point below it, as long as it is there; a finger the last one that it touched. */
function pointerProps({ burnDown: { points }, scale, reading: { choose } }: DrawingProps) {
  const read = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = ((clientX - left) / Math.max(1, width)) * 100
    const distances = points.map(({ atMs }) => Math.abs(scale.x(atMs) - at))
    choose(distances.lastIndexOf(Math.min(...distances)))
  }
  return {
    className: styles.plot,
    onPointerEnter: read,
    onPointerMove: read,
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'touch' || choose(undefined),
    onBlur: () => choose(undefined),
  }
}

function SliderPlot({ point, ...props }: DrawingProps & { point: string | undefined }) {
  const { burnDown, reading } = props
  const last = burnDown.points.length - 1
  return (
    <div {...pointerProps(props)}>
      <input
        type="range"
        aria-label={words().burnDown.caption}
        max={last}
        value={reading.chosen ?? last}
        aria-valuetext={point}
        onChange={({ target }) => reading.choose(target.valueAsNumber)}
      />
      <Drawing {...props} />
    </div>
  )
}

function LinkPlot({ describedBy, ...props }: DrawingProps & { describedBy: string }) {
  const { burnDown, reading } = props
  const last = burnDown.points.length - 1
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    reading.choose(Math.min(last, Math.max(0, (reading.chosen ?? last) + step)))
  }
  return (
    <a
      href={PATHS.ledger}
      onClick={followLink}
      aria-label={words().burnDown.open}
      aria-describedby={describedBy}
      onKeyDown={onKeyDown}
      {...pointerProps(props)}
    >
      <Drawing {...props} />
    </a>
  )
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }
