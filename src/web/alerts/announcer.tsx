import { useEffect, useRef, useState } from 'react'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { type GaugeState, gaugeValues } from '../minute/gauge.ts'
import type { Tone } from '../../contract/say.ts'
import { monthVerdict } from '../../contract/verdict.ts'
import { waitOf } from '../../contract/pause.ts'
import { useElapsed } from '../lib/clock.ts'
import { words } from '../text/text.ts'
import { useQuota } from '../quota/query.ts'

export interface LimitStates {
  read: GaugeState
  update: GaugeState
  month: Tone
  limits: string
  blocked: boolean
}

export function limitStatesOf(snapshot: QuotaSnapshot, elapsedMs: number): LimitStates {
  const { read, update } = snapshot
  return {
    read: gaugeValues(read, elapsedMs).state,
    update: gaugeValues(update, elapsedMs).state,
    month: monthVerdict(snapshot.month, 0).tone,
    limits: [read.limit, update.limit].join(' '),
    blocked: waitOf(snapshot, 'read', elapsedMs) !== undefined,
  }
}

const CLASSES = ['read', 'update'] as const

/** For a person who does not see the gauges: one sentence for each change of state. */
export function sentencesFor(before: LimitStates, now: LimitStates): string[] {
  const t = words().status
  const hadLimits = !before.limits.split(' ').includes('')
  const changes = [
    ...CLASSES.flatMap((of) => minuteSentence(of, before[of], now)),
    ...monthSentence(before.month, now.month),
  ]
  const isOtherwise = now.blocked !== before.blocked && changes.length === 0
  return [
    ...(isOtherwise ? [now.blocked ? t.blocked : t.possible] : []),
    ...changes,
    ...(hadLimits && now.limits !== before.limits ? [t.limits] : []),
  ]
}

function minuteSentence(of: RequestClass, before: GaugeState, states: LimitStates): string[] {
  const t = words().status
  const now = states[of]
  if (now === before) return []
  if (now === 'low' || now === 'none') return [t[now][of]]
  // A pause may outlast the minute.
  const isBack = now === 'plenty' && before === 'none' && !states.blocked
  return isBack ? [t.available[of]] : []
}

function monthSentence(before: Tone, now: Tone): string[] {
  const t = words().status.month
  if (now === before) return []
  if (now === 'low' || now === 'none') return [t[now]]
  return before === 'none' ? [t.available] : []
}

const QUIET_MS = 10_000

/** The only live region for changes that no press has caused: at most one sentence in ten seconds. */
export function Announcer() {
  const quota = useQuota()
  const atMs = quota?.atMs ?? 0
  const nowMs = atMs + useElapsed(atMs)
  const states = JSON.stringify(quota && limitStatesOf(quota.snapshot, nowMs - atMs))
  const pending = useRef<{ before?: LimitStates; queue: string[]; quietUntilMs: number }>({
    queue: [],
    quietUntilMs: 0,
  })
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    const { before, queue, quietUntilMs } = pending.current
    const now = states === undefined ? undefined : (JSON.parse(states) as LimitStates)
    if (before && now) queue.push(...sentencesFor(before, now))
    if (now) pending.current.before = now
    if (queue.length === 0 || nowMs < quietUntilMs) return
    pending.current.quietUntilMs = nowMs + QUIET_MS
    setSentence(queue.shift() ?? '')
  }, [states, nowMs])
  return <output className="unseen">{sentence}</output>
}
