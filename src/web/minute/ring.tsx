import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { windowEndsInMs } from '../../contract/gauge.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { Shape, type ShapeName } from '../components/icons.tsx'
import { countdownSeconds, countdownWords, numberText, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './minute.module.css'
import type { WindowSnapshot } from '../../contract/quota.ts'

/** States that a person must notice have a shape beside their words. */
const SHAPES: Partial<Record<Gauge['state'], ShapeName>> = { low: 'triangle', none: 'square' }

/** What is left of one class: a ring around the number, and a thin one that runs down to the reset. */
export function Ring({ of, gauge }: { of: RequestClass; gauge: Gauge }) {
  const { state, left = 0, limit, countdownMs } = gauge
  const t = words().minute
  const shape = SHAPES[state]
  const said = valueWords(gauge)
  const spoken = spokenWords({ of, gauge })
  const isMeasured = state !== 'new' && state !== 'unknown'
  return (
    <div className={styles.ring} data-tone={state}>
      <div
        // Screen readers treat <meter> worse than this: some do not read its label.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="meter"
        aria-label={t.classes[of].bar}
        aria-valuemin={0}
        aria-valuemax={limit ?? Math.max(1, left)}
        aria-valuenow={isMeasured ? Math.min(left, limit ?? left) : 0}
        // It leaves out the countdown, which ticks beside it.
        aria-valuetext={spoken}
      >
        <Drawing gauge={gauge} />
        <span className="unseen">{spoken}</span>
      </div>
      <div>
        <h3>{t.classes[of].name}</h3>
        <p className={styles.value}>
          {shape && <Shape of={shape} />} {said}
        </p>
        {countdownMs === undefined ? (
          <p className="quiet">{isMeasured ? '\u00a0' : t[state]}</p>
        ) : (
          <p className="quiet" role="timer" suppressHydrationWarning>
            {t.refillsIn(countdownWords(countdownMs))}
          </p>
        )}
      </div>
    </div>
  )
}

/** "Reads 37 of 60 left". */
export const spokenWords = ({ of, gauge }: { of: RequestClass; gauge: Gauge }): string =>
  sentences(words().minute.classes[of].name, valueWords(gauge))

/** "37 of 60 left", "Low: 9 of 60 left"; "60 a minute" while nothing is measured. */
export function valueWords({ state, left, limit }: Gauge): string {
  const t = words().minute
  if (left === undefined) return t.noLimit
  const count = numberText(left)
  if (state === 'new') return t.left(count)
  if (state === 'unknown') return t.perMinute(count)
  const ofLimit = limit === undefined ? count : t.ofLimit(count, numberText(limit))
  return state === 'low' ? t.low(ofLimit) : t.left(ofLimit)
}

const RADIUS = 33
/** The round end of a line of 8, as a part of the circle. */
const CAP = 4 / (2 * Math.PI * RADIUS)
/** Begins at the top. */
function circleOf(radius: number) {
  const half = `a${radius} ${radius} 0 0 1 0`
  return { d: `M42 ${42 - radius}${half} ${2 * radius}${half} ${-2 * radius}`, pathLength: 1 }
}

const dashOf = (share: number): string => `${share} ${1 - share}`

function Drawing({ gauge: { state, left, share, countdownMs } }: { gauge: Gauge }) {
  const middle = left === undefined ? '' : numberText(left)
  // The round ends are part of the share.
  const length = share >= 1 ? 1 : Math.max(0, share - 2 * CAP)
  const seconds = countdownMs === undefined ? 0 : countdownSeconds(countdownMs)
  return (
    <svg viewBox="0 0 84 84" aria-hidden="true" focusable="false">
      <path {...circleOf(RADIUS)} className={styles.track} />
      {/* An arc without a length stays, so that it can grow again from nothing. */}
      <path
        {...circleOf(RADIUS)}
        className={styles.left}
        strokeDasharray={dashOf(state === 'new' ? 1 : length)}
        strokeDashoffset={-CAP}
        strokeOpacity={share > 0 ? undefined : state === 'new' ? 0.4 : 0}
      />
      {seconds > 0 && (
        <path
          {...circleOf(40.5)}
          className={styles.countdown}
          strokeDasharray={dashOf((seconds * SECOND_MS) / MINUTE_MS)}
        />
      )}
      <text x="42" y="42" fontSize={middle.length > 4 ? 14 : 20}>
        {middle}
      </text>
    </svg>
  )
}

export interface Gauge {
  /** `new`: the window is over, and no answer has come since. `unknown`: nothing was measured. */
  state: 'plenty' | 'low' | 'none' | 'new' | 'unknown'
  /** As the service reported it, but never below zero. Without a measurement all of the limit, if known. */
  left: number | undefined
  limit: number | undefined
  /** The part of the limit that is left, from 0 to 1; 0 without a measurement. */
  share: number
  /** The time until the reset; absent if that would give nothing back, or is not known. */
  countdownMs: number | undefined
}

/** The minute is low when no more than this part of the limit is left. */
const LOW_SHARE = 0.2

/** @param elapsedMs since the snapshot came @param planLimit for a snapshot without a limit */
export function gaugeOf(window: WindowSnapshot, elapsedMs: number, planLimit?: number): Gauge {
  const { known, remaining, reset_in_ms: delayMs, limit = planLimit } = window
  const isOpen = known === 'measured' && windowEndsInMs(window) > elapsedMs
  if (!isOpen || remaining === undefined) {
    const isNew = !isOpen && known !== 'unseen' && limit !== undefined
    return { state: isNew ? 'new' : 'unknown', left: limit, limit, share: 0, countdownMs: undefined }
  }
  const countdownMs = delayMs === undefined ? undefined : countdownOf(remaining, delayMs - elapsedMs, limit)
  return { ...measured(Math.max(0, remaining), limit), countdownMs }
}

function measured(left: number, limit: number | undefined): Omit<Gauge, 'countdownMs'> {
  const isLow = limit !== undefined && left <= limit * LOW_SHARE
  const share = limit ? Math.min(1, left / limit) : 0
  return { state: left === 0 ? 'none' : isLow ? 'low' : 'plenty', left, limit, share }
}

/** The service tells resets in whole seconds. A snapshot adds one to be sure; the countdown does not. */
function countdownOf(left: number, resetInMs: number, limit = Infinity): number | undefined {
  if (left >= limit) return undefined
  return Math.min(MINUTE_MS, Math.max(0, resetInMs - SECOND_MS))
}
