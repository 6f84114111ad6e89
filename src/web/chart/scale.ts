/** Places of the chart, in per cent of its width and height. */
import type { BurnDown, ChartPoint } from './burn-down.ts'

export interface Scale {
  x: (atMs: number) => number
  /** From the top. */
  y: (left: number) => number
}

export function scaleOf({ firstMs, reset, limit }: BurnDown): Scale {
  const spanMs = Math.max(1, reset.latestMs - firstMs)
  const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 100
  return {
    x: (atMs) => percent((atMs - firstMs) / spanMs),
    y: (left) => percent(1 - (limit === 0 ? 0 : left / limit)),
  }
}

type Value = 'low' | 'high' | 'likely'

/** A line that holds each value until the next instant. */
export function stepPath(points: readonly ChartPoint[], value: Value, { x, y }: Scale): string {
  return points
    .map((point, at) =>
      at === 0 ? `M${x(point.atMs)} ${y(point[value])}` : `H${x(point.atMs)}V${y(point[value])}`,
    )
    .join('')
}

/** The area below a line. */
export function areaPath(points: readonly ChartPoint[], value: Value, scale: Scale): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return ''
  return `${stepPath(points, value, scale)}L${scale.x(last.atMs)} 100H${scale.x(first.atMs)}Z`
}
