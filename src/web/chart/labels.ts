/** Places for the labels of the chart, on which no line and no other label lies. */
import type { CSSProperties } from 'react'
import type { BurnDown } from './burn-down.ts'
import type { Scale } from './scale.ts'

/** Of the drawing, in widths of a letter M. */
export interface Size {
  width: number
  height: number
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

interface Place {
  box: Box
  style: CSSProperties
}

export interface Places {
  pace: CSSProperties | undefined
  end: CSSProperties
  /** In per cent of the drawing, for tests. */
  boxes: Box[]
}

/** In Japanese each letter is as wide as an M. */
const widthOf = (words: string): number =>
  Array.from(words).reduce((sum, letter) => sum + (letter > '\u2fff' ? 1 : 0.65), 1)
const HEIGHTS = { pace: 1.6, end: 2 }

export function placeLabels(
  burnDown: BurnDown,
  scale: Scale,
  words: { pace: string; end: string },
  { width, height }: Size,
): Places {
  const share = (text: string, high: number): Share => ({
    wide: Math.min(100, (widthOf(text) * 100) / width),
    high: Math.min(45, (high * 100) / height),
  })
  const heightAt = lineOf(burnDown, scale)
  const isFree = ({ box }: Place): boolean => !isCrossed(box, heightAt)
  const ends = endPlaces(scale.y(burnDown.forecast?.left ?? 0), share(words.end, HEIGHTS.end))
  const end = words.end === '' ? undefined : (ends.find(isFree) ?? ends.at(-1))
  const pace = pacePlaces(scale.x(burnDown.reset.earliestMs) / 100, share(words.pace, HEIGHTS.pace)).find(
    (place) => isFree(place) && !(end && isOver(place.box, end.box)),
  )
  return {
    pace: pace?.style,
    end: end?.style ?? {},
    boxes: [pace, end].flatMap((place) => (place ? [place.box] : [])),
  }
}

interface Share {
  wide: number
  high: number
}

/** At the right edge: above the end of the forecast, not far above it, below it, or high above it. */
function endPlaces(end: number, { wide, high }: Share): Place[] {
  const at = (top: number, style: CSSProperties): Place => ({
    box: { left: 100 - wide, right: 100, top, bottom: top + high },
    style,
  })
  const above = Array.from({ length: 25 }, (_, step) => end - 4 * step)
    .filter((bottom) => bottom >= high)
    .map((bottom) => at(bottom - high, { bottom: `${100 - bottom}%` }))
  const below = end + high <= 100 ? [at(end, { top: `${end}%` })] : []
  return [...above.slice(0, NEAR), ...below, ...above.slice(NEAR)]
}

const NEAR = 8

/** Beside the line of the even pace, which falls from corner to corner: below it, or above it. */
function pacePlaces(end: number, { wide, high }: Share): Place[] {
  const below = (at: number): Place => {
    const right = at * end
    return {
      box: { left: right - wide, right, top: at, bottom: at + high },
      style: { right: `${100 - right}%`, top: `${at}%` },
    }
  }
  const above = (at: number): Place => {
    const left = at * end
    return {
      box: { left, right: left + wide, top: at - high, bottom: at },
      style: { left: `${left}%`, bottom: `${100 - at}%` },
    }
  }
  return [...[42, 34, 50, 60, 70].map(below), ...[34, 26, 45, 55, 65].map(above)].filter(
    ({ box }) => box.left >= 0 && box.top >= 0 && box.right <= 100 && box.bottom <= 100,
  )
}

/** The line of what is left and of the forecast, as heights from the top; `undefined` beside it. */
function lineOf({ points, nowMs, forecast }: BurnDown, { x, y }: Scale): (at: number) => number | undefined {
  const today = x(nowMs)
  const present = y(points.at(-1)?.likely ?? 0)
  return (at) => {
    const point = points.findLast(({ atMs }) => x(atMs) <= at)
    if (at <= today) return point && y(point.likely)
    if (forecast === undefined) return undefined
    const share = (at - today) / Math.max(0.01, x(forecast.atMs) - today)
    return share > 1 ? undefined : present + (y(forecast.left) - present) * share
  }
}

function isCrossed({ left, right, top, bottom }: Box, heightAt: ReturnType<typeof lineOf>): boolean {
  let before: number | undefined
  for (let at = left; at <= right; at += 1) {
    const height = heightAt(at)
    if (height !== undefined) {
      const from = before ?? height
      if (Math.min(from, height) < bottom && Math.max(from, height) > top) return true
    }
    before = height
  }
  return false
}

const isOver = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
