import type { RequestClass } from '../../contract/rate-limit.ts'
import { Shape, type ShapeName } from '../components/icons.tsx'
import { countdownSeconds } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { GaugeState, GaugeValues } from './gauge.ts'
import styles from './minute.module.css'
import { ageWords, inFlightWords, middleWords, spokenWords, valueWords } from './words.ts'

/** States that a person must notice have a shape beside their words. */
const SHAPES: Partial<Record<GaugeState, ShapeName>> = { low: 'triangle', none: 'square' }

/** What is left of one class: a ring around the number, and a thin one that runs down to the reset. */
export function Ring({ of, minute }: { of: RequestClass; minute: GaugeValues }) {
  const shape = SHAPES[minute.state]
  return (
    <div className={styles.ring} data-tone={minute.isNew ? 'unknown' : minute.state}>
      <RingMeter of={of} minute={minute} />
      <div className={styles.words}>
        <h3>{words().minute.classes[of].name}</h3>
        <p className={styles.value}>
          {shape && <Shape of={shape} />} {valueWords(minute)}
        </p>
        <p className={styles.age}>
          {ageWords(minute)}
          {minute.inFlight > 0 && <span className={styles.flight}> · {inFlightWords(minute)}</span>}
        </p>
      </div>
    </div>
  )
}

function RingMeter({ of, minute }: { of: RequestClass; minute: GaugeValues }) {
  const { expected, limit } = minute
  const spoken = spokenWords(of, minute)
  const max = limit ?? Math.max(1, expected ?? 0)
  return (
    <div
      // Screen readers treat <meter> worse than this: some do not read its label.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={words().minute.classes[of].bar}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.max(0, expected ?? 0))}
      // Without the countdown, which ticks beside it.
      aria-valuetext={spoken}
    >
      <Drawing minute={minute} />
      <span className="unseen">{spoken}</span>
    </div>
  )
}

const RADIUS = 33
/** The round end of a line of 8, as a part of the circle. */
const CAP = 4 / (2 * Math.PI * RADIUS)
/** Begins at the top. */
function circleOf(radius: number) {
  const half = `a${radius} ${radius} 0 0 1 0`
  return { d: `M42 ${42 - radius}${half} ${2 * radius}${half} ${-2 * radius}`, pathLength: 1 }
}
const CIRCLE = circleOf(RADIUS)

const dashOf = (share: number): string => `${share} ${1 - share}`
/** Its round ends lie within its share of the circle. */
const roundDashOf = (share: number): string => dashOf(share >= 1 ? 1 : Math.max(0, share - 2 * CAP))

const MINUTE_SECONDS = 60

function Drawing({ minute }: { minute: GaugeValues }) {
  const { expected, limit, isNew, share, flightShare, countdownMs } = minute
  const isMeasured = expected !== undefined && limit !== undefined
  const middle = middleWords(minute)
  return (
    <svg viewBox="0 0 84 84" aria-hidden="true" focusable="false">
      <path {...CIRCLE} className={isMeasured || isNew ? styles.track : styles.unmeasured} />
      {isNew && <path {...CIRCLE} className={styles.refilled} />}
      {isMeasured && <Arc share={share + flightShare} className={styles.flying} />}
      {isMeasured && <Arc share={share} className={styles.left} />}
      {countdownMs !== undefined && (
        <path
          {...circleOf(40.5)}
          className={styles.countdown}
          strokeDasharray={dashOf(Math.min(1, countdownSeconds(countdownMs) / MINUTE_SECONDS))}
        />
      )}
      <text x="42" y="42" fontSize={middle.length > 4 ? 14 : 20}>
        {middle}
      </text>
    </svg>
  )
}

/** It stays while it has no length, so that it grows again from nothing. */
const Arc = ({ share, className }: { share: number; className: string | undefined }) => (
  <path
    {...CIRCLE}
    className={className}
    strokeDasharray={roundDashOf(share)}
    strokeDashoffset={-CAP}
    strokeOpacity={share > 0 ? undefined : 0}
  />
)
