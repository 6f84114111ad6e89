import { useEffect, useRef, useState } from 'react'
import type { QuotaSnapshot } from '../contract/quota.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import { type MinuteState, readMinute } from './minute.ts'
import { type MonthState, monthState } from './month-state.ts'
import { waitOf } from './pause.ts'
import { useElapsed } from './time.ts'
import { useUi } from './ui.ts'

export interface LimitStates {
  read: MinuteState
  update: MinuteState
  month: MonthState
  limits: string
  blocked: boolean
}

export function limitStatesOf(snapshot: QuotaSnapshot, elapsedMs: number): LimitStates {
  const { read, update } = snapshot
  return {
    read: readMinute(read, elapsedMs).state,
    update: readMinute(update, elapsedMs).state,
    month: monthState(snapshot.month),
    limits: [read.limit, update.limit].join(' '),
    blocked: waitOf(snapshot, 'read', elapsedMs) !== undefined,
  }
}

const CLASSES = [
  ['read', 'Read'],
  ['update', 'Update'],
] as const

/** What is announced to a person who does not see the gauges: changes of state, and nothing while things stay as they are. */
export function sentencesFor(before: LimitStates, now: LimitStates): string[] {
  const hadLimits = !before.limits.split(' ').includes('')
  return [
    ...(now.blocked && !before.blocked ? ['Requests are held back: a limit is reached.'] : []),
    ...(!now.blocked && before.blocked ? ['Requests are possible again.'] : []),
    ...CLASSES.flatMap(([of, name]) => minuteSentence(of, name, before[of], now[of])),
    ...monthSentence(before.month, now.month),
    ...(hadLimits && now.limits !== before.limits ? ['The limits of the minute have changed.'] : []),
  ]
}

function minuteSentence(of: RequestClass, name: string, before: MinuteState, now: MinuteState): string[] {
  if (now === before) return []
  if (now === 'low') return [`${name} requests are running low this minute.`]
  if (now === 'none') return [`No ${of} requests are left this minute.`]
  return now === 'reset' && before === 'none' ? [`The ${of} window has reset.`] : []
}

const MONTH_SENTENCES: { [State in MonthState]?: string } = {
  low: 'Requests are running low this month.',
  none: 'No requests are left this month.',
  suspected: 'The requests of this month are probably used up.',
}

function monthSentence(before: MonthState, now: MonthState): string[] {
  if (now === before) return []
  const sentence = MONTH_SENTENCES[now]
  if (sentence !== undefined) return [sentence]
  const wasOver = before === 'none' || before === 'suspected'
  return wasOver ? ['Requests of this month are available again.'] : []
}

const QUIET_MS = 10_000

/** The only live region of the page: at most one sentence in ten seconds. */
export function Status() {
  const quota = useUi((ui) => ui.quota)
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
