import { PLANS } from '../contract/plan.ts'
import type { RateNote, RequestClass } from '../contract/rate-limit.ts'
import { checkLimits } from './api.ts'
import styles from './gauge.module.css'
import { Meter } from './meter.tsx'
import { type Minute, type MinuteState, readMinute } from './minute.ts'
import { readQuota } from './quota.ts'
import { SpendButton, SpendNotice, useSpend } from './spend-button.tsx'
import { agoWords, countdownWords, secondsWords, useElapsed } from './time.ts'
import { type ReceivedQuota, useUi } from './ui.ts'

const CLASSES = {
  read: { name: 'Read', noun: 'reads' },
  update: { name: 'Update', noun: 'updates' },
} as const

export const STATES: Record<MinuteState, readonly [shape: string, word: string]> = {
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
  long_window: 'the window is longer than a minute',
}

export function Gauges() {
  const limits = useSpend(checkLimits)
  const quota = useUi((ui) => ui.quota)
  const problem = useUi((ui) => ui.quotaProblem)
  return (
    <section className={styles.card} aria-labelledby="minute">
      <h2 id="minute">This minute</h2>
      {quota ? (
        <>
          <Gauge of="read" quota={quota} />
          <Gauge of="update" quota={quota} />
        </>
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
      <SpendButton label="Check the limits" anyway="Check the limits anyway" spend={limits} />
      <SpendNotice spend={limits} again="Check again" />
    </section>
  )
}

function Gauge({ of, quota }: { of: RequestClass; quota: ReceivedQuota }) {
  const { snapshot, atMs } = quota
  const elapsedMs = useElapsed(atMs)
  const sending = useUi((ui) => (of === 'read' ? ui.sending : 0))
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const known = { limit: plan?.[`${of}_per_minute`], sending }
  const minute = readMinute(snapshot[of], elapsedMs, known)
  const [shape, word] = STATES[minute.state]
  return (
    <div className={styles.gauge} data-state={minute.state}>
      <div className={styles.line}>
        <h3>{CLASSES[of].name}</h3>
        <p className={styles.number}>{numberWords(minute)}</p>
      </div>
      <Bar of={of} minute={minute} spoken={spokenWords(of, readMinute(snapshot[of], 0, known), minute)} />
      <div className={styles.line}>
        <p className={styles.state}>
          <span aria-hidden="true">{shape}</span> {word}
        </p>
        {minute.resetInMs !== undefined && <Countdown resetInMs={minute.resetInMs} />}
      </div>
      <Remarks minute={minute} />
    </div>
  )
}

function Countdown({ resetInMs }: { resetInMs: number }) {
  const drifted = useUi((ui) => ui.drifted)
  return (
    <p className={styles.quiet} role="timer">
      {drifted ? 'the computer slept, asking again' : `resets in ${countdownWords(resetInMs)}`}
    </p>
  )
}

function Remarks({ minute: { ageMs, assumed, overBy, inconsistent, notes, inFlight } }: { minute: Minute }) {
  const remarks = [
    ageMs === undefined ? 'no answer has reported it yet' : `as of ${agoWords(ageMs)}`,
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

function Bar({ of, minute, spoken }: { of: RequestClass; minute: Minute; spoken: string }) {
  const { remaining, limit, share } = minute
  return (
    <Meter
      label={`${CLASSES[of].name} requests left this minute`}
      max={limit ?? Math.max(1, remaining ?? 0)}
      now={remaining ?? 0}
      spoken={spoken}
      mark={0.2}
      hatched={remaining === undefined || limit === undefined}
    >
      {remaining !== undefined && limit !== undefined && (
        <span className={styles.fill} style={{ width: `${share * 100}%` }} />
      )}
    </Meter>
  )
}

function numberWords({ remaining, limit, state }: Minute): string {
  if (remaining !== undefined)
    return limit === undefined ? `${remaining} left` : `${remaining} of ${limit} left`
  if (limit === undefined) return '–'
  return state === 'unseen' || state === 'reset' ? `up to ${limit}` : `? of ${limit}`
}

/** Changes when a number or a state does, and not as the seconds pass: the countdown beside it ticks for itself. */
function spokenWords(of: RequestClass, received: Minute, now: Minute): string {
  const { noun } = CLASSES[of]
  if (now.remaining === undefined) return `${noun}: ${STATES[now.state][1]}`
  const left = `${now.remaining}${now.limit === undefined ? '' : ` of ${now.limit}`} ${noun} left`
  return received.resetInMs === undefined ? left : `${left}, resets in ${secondsWords(received.resetInMs)}`
}
