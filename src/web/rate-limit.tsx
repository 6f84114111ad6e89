import { useEffect, useState } from 'react'
import { PLANS } from '../contract/plan.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import type { RateNote } from '../contract/rate-note.ts'
import styles from './gauge.module.css'
import { Meter } from './meter.tsx'
import { type Minute, type MinuteState, readMinute } from './minute.ts'
import { checkLimits } from './paid-read.ts'
import { readQuota } from './quota.ts'
import { SpendButton, SpendNotice, useSpend } from './spend-button.tsx'
import { agoWords, countdownWords, useElapsed } from './time.ts'
import { type ReceivedQuota, useUi } from './ui.ts'

const CLASSES = {
  read: { name: 'Read', noun: 'reads' },
  update: { name: 'Update', noun: 'updates' },
} as const

const STATES: Record<MinuteState, readonly [shape: string, word: string]> = {
  plenty: ['●', 'plenty'],
  low: ['▲', 'low'],
  none: ['■', 'none left'],
  reset: ['◇', 'window has reset, not yet confirmed'],
  unreported: ['◇', 'the service did not say how many are left'],
  unseen: ['◇', 'not yet seen'],
}

const NOTES: Record<RateNote, string> = {
  reset_in_milliseconds: 'the reset came in milliseconds',
  reset_as_delay: 'the reset came as a delay',
  reset_far: 'the reset is further away than any minute',
  reset_unreadable: 'the reset came in a form that cannot be read',
  long_window: 'the window is longer than a minute',
  sliding: 'the window slides, so requests come back one by one',
  others_on_token: 'others on this token',
  not_reported: 'the service stopped reporting',
}

export function Gauges() {
  const limits = useSpend(checkLimits)
  const quota = useUi((ui) => ui.quota)
  const problem = useUi((ui) => ui.quotaProblem)
  return (
    <section className={styles.card} aria-labelledby="minute">
      <h2 id="minute">This minute</h2>
      {quota ? (
        <Minutes quota={quota} />
      ) : (
        !problem && <p className={styles.quiet}>Reading what is known, free…</p>
      )}
      {problem && (
        <p className={styles.quiet}>
          Not read{quota ? ' again' : ''}: {problem.message}.{' '}
          <button type="button" data-kind="quiet" onClick={() => void readQuota()}>
            Read · free
          </button>
        </p>
      )}
      <div className={styles.press}>
        <SpendButton label="Check the limits" anyway="Check the limits anyway" spend={limits} />
      </div>
      <SpendNotice spend={limits} again="Check again" />
    </section>
  )
}

function Minutes({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  const sending = useUi((ui) => ui.sending)
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const of = (name: RequestClass, sent: number): Minute =>
    readMinute(snapshot[name], elapsedMs, { limit: plan?.[`${name}_per_minute`], sending: sent })
  const [read, update] = [of('read', sending), of('update', 0)]
  const isPaused = snapshot.pauses.some((pause) => pause.class && pause.ends_in_ms > elapsedMs)
  const isQuiet = read.isIdle && update.isIdle && !isPaused
  const hasSpace = useSpace(!isQuiet)
  return (
    <div className={styles.minute}>
      {isQuiet && <p>{quietWords(read, update)}</p>}
      {hasSpace && (
        <div className={styles.bars} style={{ visibility: isQuiet ? 'hidden' : 'visible' }}>
          <Gauge of="read" minute={read} />
          <Gauge of="update" minute={update} />
        </div>
      )}
    </div>
  )
}

/** Whether there is space for the bars: once it was needed, until the page is hidden, so that nothing moves while a person reads. */
function useSpace(isNeeded: boolean): boolean {
  const [wasNeeded, setWasNeeded] = useState(isNeeded)
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  useEffect(() => {
    const onHide = (): void => {
      if (document.hidden) setWasNeeded(false)
    }
    document.addEventListener('visibilitychange', onHide)
    return () => document.removeEventListener('visibilitychange', onHide)
  }, [])
  return isNeeded || wasNeeded
}

function quietWords(read: Minute, update: Minute): string {
  const limits = [
    ...(read.limit === undefined ? [] : [`${read.limit} reads`]),
    ...(update.limit === undefined ? [] : [`${update.limit} updates`]),
  ]
  const known =
    limits.length > 0 ? `${limits.join(' and ')} a minute` : 'The limits of a minute are not yet seen'
  const isSilent = [read, update].some(({ notes }) => notes.includes('not_reported'))
  return `${known}; none used in the last minute that we know of.${isSilent ? ' The service stopped reporting.' : ''}`
}

function Gauge({ of, minute }: { of: RequestClass; minute: Minute }) {
  const [shape, word] = STATES[minute.state]
  return (
    <div className={styles.gauge} data-state={minute.state}>
      <div className={styles.line}>
        <h3>{CLASSES[of].name}</h3>
        <p className={styles.number}>{numberWords(minute)}</p>
      </div>
      <Bar of={of} minute={minute} />
      <div className={styles.line}>
        <p className={styles.state}>
          <span aria-hidden="true">{shape}</span> {word}
        </p>
        {minute.countdownMs !== undefined && <Countdown inMs={minute.countdownMs} />}
      </div>
      <Remarks minute={minute} />
    </div>
  )
}

function Countdown({ inMs }: { inMs: number }) {
  const drifted = useUi((ui) => ui.drifted)
  return (
    <p className={styles.quiet} role="timer">
      {drifted ? 'the computer slept, asking again' : `resets in ${countdownWords(inMs)}`}
    </p>
  )
}

function Remarks({ minute }: { minute: Minute }) {
  const { ageMs, assumed, overBy, inconsistent, limit, limitBefore, notes, inFlight } = minute
  const remarks = [
    ageMs === undefined ? 'no answer has reported it yet' : `as of ${agoWords(ageMs)}`,
    ...(limitBefore === undefined ? [] : [`limit ${limitBefore} → ${limit}`]),
    ...(assumed ? ['class assumed'] : []),
    ...(overBy > 0 ? [`over by ${overBy}`] : []),
    ...(inconsistent ? ['more than the limit, so not believed'] : []),
    ...notes.map((note) => NOTES[note]),
  ]
  return (
    <p className={styles.quiet}>
      {remarks.join(' · ')}
      {inFlight > 0 && <span className={styles.flight}> · {inFlight} in flight</span>}
    </p>
  )
}

function Bar({ of, minute }: { of: RequestClass; minute: Minute }) {
  const { expected, limit, share, flightShare, state } = minute
  const isMeasured = expected !== undefined && limit !== undefined
  return (
    <Meter
      label={`${CLASSES[of].name} requests left this minute`}
      max={limit ?? Math.max(1, expected ?? 0)}
      now={expected ?? 0}
      // Without the countdown, which ticks beside it.
      spoken={
        expected === undefined
          ? `${CLASSES[of].noun}: ${STATES[state][1]}`
          : numberWords(minute, CLASSES[of].noun)
      }
      mark={0.2}
      hatched={!isMeasured}
    >
      {isMeasured && (
        <>
          <span className={styles.fill} style={{ width: `${share * 100}%` }} />
          <span className={styles.flying} style={{ width: `${flightShare * 100}%` }} />
        </>
      )}
    </Meter>
  )
}

/** "37 of 60 left"; with requests in flight "about 36 of 60 left". */
function numberWords({ expected, limit, state, inFlight }: Minute, noun = ''): string {
  if (expected !== undefined) {
    const about = inFlight > 0 ? 'about ' : ''
    return [`${about}${expected}`, limit === undefined ? '' : `of ${limit}`, noun, 'left']
      .filter(Boolean)
      .join(' ')
  }
  if (limit === undefined) return '–'
  return state === 'unseen' || state === 'reset' ? `up to ${limit}` : `? of ${limit}`
}
