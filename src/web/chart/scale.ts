/** Places of the chart, in per cent of its width and height. */
import type { BurnDown, ChartPoint } from './burn-down.ts'

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
