import { PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import styles from '../components/gauge.module.css'
import { Meter } from '../components/meter.tsx'
import { type GaugeState, type GaugeValues, gaugeValues, LOW_REMAINING_SHARE } from './gauge.ts'
import { gaugeStateWords, leftWords, longestRemarks, ofLimitWords, quietWords, remarks } from './words.ts'
import { checkLimits } from '../spend/paid-read.ts'
import { pauseOf } from '../quota/pause.ts'
import { readQuota } from '../quota/quota.ts'
import { UNSEEN_WINDOW } from '../quota/skeleton.ts'
import { Shape, type ShapeName } from '../components/icons.tsx'
import { Room } from '../components/room.tsx'
import { SpendButton, SpendNotice, useSpend } from '../spend/button.tsx'
import { Stale, staleWords, useStale } from '../quota/stale.tsx'
import { numberText } from '../text/language.ts'
import { signedInText, text } from '../text/text.ts'
import { countdownWords, useElapsed } from '../lib/time.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

const GAUGE_SHAPES: Record<GaugeState, ShapeName> = {
  plenty: 'circle',
  low: 'triangle',
  none: 'square',
  reset: 'diamond',
  unreported: 'diamond',
  unseen: 'diamond',
}

export function MinuteCard() {
  const t = signedInText().minute
  const limits = useSpend('check', checkLimits)
  const quota = useUi((ui) => ui.quota)
  return (
    <section className={styles.card} aria-labelledby="minute">
      <div className={styles.head}>
        <h2 id="minute">{t.heading}</h2>
        <Aside quota={quota} />
      </div>
      {quota ? <ReceivedGauges quota={quota} /> : <Unread />}
      <div className={styles.press}>
        <SpendButton label={t.check} anyway={t.checkAnyway} spend={limits} />
      </div>
      <SpendNotice spend={limits} again={t.checkAgain} />
    </section>
  )
}

/** Says that the values are not the newest, or that nothing is sent for a while. */
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

/** Shown before the first snapshot, in the space of the gauges, so that nothing moves. */
function Unread() {
  const t = signedInText().minute
  const problem = useUi((ui) => ui.quotaProblem)
  return (
    <div className={styles.minute}>
      <GaugePair read={NOTHING} update={NOTHING} isHidden />
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

const NOTHING = gaugeValues(UNSEEN_WINDOW, 0)

function ReceivedGauges({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  const sending = useUi((ui) => ui.sending)
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const of = (name: RequestClass, sent: number): GaugeValues =>
    gaugeValues(snapshot[name], elapsedMs, { limit: plan?.[`${name}_per_minute`], sending: sent })
  const [read, update] = [of('read', sending), of('update', 0)]
  const isPaused = snapshot.pauses.some((pause) => pause.class && pause.ends_in_ms > elapsedMs)
  const isQuiet = read.isIdle && update.isIdle && !isPaused
  return (
    <div className={styles.minute}>
      <GaugePair read={read} update={update} isHidden={isQuiet} />
      {isQuiet && <p className={styles.calm}>{quietWords(read, update)}</p>}
    </div>
  )
}

/** Hidden while nothing runs. They keep their space, so that nothing moves. */
function GaugePair({
  read,
  update,
  isHidden,
}: {
  read: GaugeValues
  update: GaugeValues
  isHidden: boolean
}) {
  return (
    <div className={styles.bars} style={{ visibility: isHidden ? 'hidden' : 'visible' }}>
      <ClassGauge of="read" minute={read} />
      <ClassGauge of="update" minute={update} />
    </div>
  )
}

function ClassGauge({ of, minute }: { of: RequestClass; minute: GaugeValues }) {
  return (
    <div className={styles.gauge} data-state={minute.state}>
      <div className={styles.line}>
        <h3>{signedInText().minute.classes[of].name}</h3>
        <p className={styles.number}>{leftWords(minute)}</p>
      </div>
      <GaugeMeter of={of} minute={minute} />
      <div className={styles.line}>
        <p className={styles.state}>
          <Shape of={GAUGE_SHAPES[minute.state]} /> {gaugeStateWords(minute)}
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

function Remarks({ minute }: { minute: GaugeValues }) {
  const { inFlight } = minute
  const t = signedInText().minute
  return (
    <Room className={styles.quiet} others={longestRemarks()}>
      {remarks(minute).join(' · ')}
      {inFlight > 0 && <span className={styles.flight}> · {t.inFlight(numberText(inFlight))}</span>}
    </Room>
  )
}

function GaugeMeter({ of, minute }: { of: RequestClass; minute: GaugeValues }) {
  const t = signedInText().minute.classes[of]
  const { expected, limit, share, flightShare } = minute
  const isMeasured = expected !== undefined && limit !== undefined
  return (
    <Meter
      label={t.bar}
      max={limit ?? Math.max(1, expected ?? 0)}
      now={expected ?? 0}
      // Without the countdown, which ticks beside it.
      spoken={
        expected === undefined ? t.spokenState(gaugeStateWords(minute)) : t.spoken(ofLimitWords(minute))
      }
      mark={LOW_REMAINING_SHARE}
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
