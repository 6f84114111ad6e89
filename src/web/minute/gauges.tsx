import { PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import styles from '../components/gauge.module.css'
import { Meter } from '../components/meter.tsx'
import { type Minute, type MinuteState, readMinute } from './minute.ts'
import { countWords, longestRemarks, minuteRemarks, numberWords, quietWords, stateWords } from './words.ts'
import { checkLimits } from '../spend/paid-read.ts'
import { pauseOf } from '../quota/pause.ts'
import { readQuota } from '../quota/quota.ts'
import { UNSEEN } from '../quota/skeleton.ts'
import { Shape, type ShapeName } from '../components/shape.tsx'
import { Room } from '../components/room.tsx'
import { SpendButton, SpendNotice, useSpend } from '../spend/button.tsx'
import { Stale, staleWords, useStale } from '../quota/stale.tsx'
import { numberText } from '../text/language.ts'
import { signedInText, text } from '../text/text.ts'
import { countdownWords, useElapsed } from '../lib/time.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

const SHAPES: Record<MinuteState, ShapeName> = {
  plenty: 'circle',
  low: 'triangle',
  none: 'square',
  reset: 'diamond',
  unreported: 'diamond',
  unseen: 'diamond',
}

export function Gauges() {
  const t = signedInText().minute
  const limits = useSpend(checkLimits)
  const quota = useUi((ui) => ui.quota)
  return (
    <section className={styles.card} aria-labelledby="minute">
      <div className={styles.head}>
        <h2 id="minute">{t.heading}</h2>
        <Aside quota={quota} />
      </div>
      {quota ? <Minutes quota={quota} /> : <Unread />}
      <div className={styles.press}>
        <SpendButton label={t.check} anyway={t.checkAnyway} spend={limits} />
      </div>
      <SpendNotice spend={limits} again={t.checkAgain} />
    </section>
  )
}

/** That the values are not the newest, or that nothing is sent for a while. */
function Aside({ quota }: { quota: ReceivedQuota | undefined }) {
  return (
    <Room as="div" className={styles.quiet} others={[staleWords()]}>
      {quota && <Paused quota={quota} />}
    </Room>
  )
}

function Paused({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  const isStale = useStale()
  const pausedMs = pauseOf(snapshot, elapsedMs)
  if (pausedMs === undefined) return isStale && <Stale atMs={atMs} />
  return (
    <p className={styles.paused}>
      <Shape of="square" /> {signedInText().minute.paused(countdownWords(pausedMs))}
    </p>
  )
}

/** Before the first snapshot: in the space of the bars, so that nothing moves when it comes. */
function Unread() {
  const t = signedInText().minute
  const problem = useUi((ui) => ui.quotaProblem)
  return (
    <div className={styles.minute}>
      <Bars read={NOTHING} update={NOTHING} isHidden />
      {problem ? (
        <p className={styles.calm}>
          {t.notRead(text().problem[problem.code].title)}{' '}
          <button type="button" data-kind="quiet" onClick={() => void readQuota()}>
            {t.readFree}
          </button>
        </p>
      ) : (
        <p className={styles.loading}>{t.loading}</p>
      )}
    </div>
  )
}

const NOTHING = readMinute(UNSEEN, 0)

function Minutes({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  const sending = useUi((ui) => ui.sending)
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const of = (name: RequestClass, sent: number): Minute =>
    readMinute(snapshot[name], elapsedMs, { limit: plan?.[`${name}_per_minute`], sending: sent })
  const [read, update] = [of('read', sending), of('update', 0)]
  const isPaused = snapshot.pauses.some((pause) => pause.class && pause.ends_in_ms > elapsedMs)
  const isQuiet = read.isIdle && update.isIdle && !isPaused
  return (
    <div className={styles.minute}>
      <Bars read={read} update={update} isHidden={isQuiet} />
      {isQuiet && <p className={styles.calm}>{quietWords(read, update)}</p>}
    </div>
  )
}

/** While nothing runs they are hidden and hold their space, so that nothing moves when something does. */
function Bars({ read, update, isHidden }: { read: Minute; update: Minute; isHidden: boolean }) {
  return (
    <div className={styles.bars} style={{ visibility: isHidden ? 'hidden' : 'visible' }}>
      <Gauge of="read" minute={read} />
      <Gauge of="update" minute={update} />
    </div>
  )
}

function Gauge({ of, minute }: { of: RequestClass; minute: Minute }) {
  return (
    <div className={styles.gauge} data-state={minute.state}>
      <div className={styles.line}>
        <h3>{signedInText().minute.classes[of].name}</h3>
        <p className={styles.number}>{numberWords(minute)}</p>
      </div>
      <Bar of={of} minute={minute} />
      <div className={styles.line}>
        <p className={styles.state}>
          <Shape of={SHAPES[minute.state]} /> {stateWords(minute)}
        </p>
        {minute.countdownMs !== undefined && <Countdown inMs={minute.countdownMs} />}
      </div>
      <Remarks minute={minute} />
    </div>
  )
}

function Countdown({ inMs }: { inMs: number }) {
  const t = signedInText().minute
  const drifted = useUi((ui) => ui.drifted)
  return (
    <p className={styles.quiet} role="timer">
      {drifted ? t.slept : t.resetsIn(countdownWords(inMs))}
    </p>
  )
}

function Remarks({ minute }: { minute: Minute }) {
  const { inFlight } = minute
  const t = signedInText().minute
  return (
    <Room className={styles.quiet} others={longestRemarks()}>
      {minuteRemarks(minute).join(' · ')}
      {inFlight > 0 && <span className={styles.flight}> · {t.inFlight(numberText(inFlight))}</span>}
    </Room>
  )
}

function Bar({ of, minute }: { of: RequestClass; minute: Minute }) {
  const t = signedInText().minute.classes[of]
  const { expected, limit, share, flightShare } = minute
  const isMeasured = expected !== undefined && limit !== undefined
  return (
    <Meter
      label={t.bar}
      max={limit ?? Math.max(1, expected ?? 0)}
      now={expected ?? 0}
      // Without the countdown, which ticks beside it.
      spoken={expected === undefined ? t.spokenState(stateWords(minute)) : t.spoken(countWords(minute))}
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
