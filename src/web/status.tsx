import { useEffect, useRef, useState } from 'react'
import type { QuotaSnapshot } from '../contract/quota.ts'
import { type MinuteState, readMinute } from './minute.ts'
import { type MonthState, readMonth } from './month.tsx'
import { waitOf } from './pause.ts'
import { useElapsed } from './time.ts'
import { useUi } from './ui.ts'

export interface Standing {
  read: MinuteState
  update: MinuteState
  month: MonthState
  limits: string
  blocked: boolean
}

export function standingOf(snapshot: QuotaSnapshot, elapsedMs: number): Standing {
  const { read, update } = snapshot
  return {
    read: readMinute(read, elapsedMs).state,
    update: readMinute(update, elapsedMs).state,
    month: readMonth(snapshot.month).state,
    limits: [read.limit, update.limit].join(' '),
    blocked: waitOf(snapshot, 'read', elapsedMs) !== undefined,
  }
}

/** What a person who does not see the gauges has to hear: crossings, and nothing while things stay as they are. */
export function sentencesFor(before: Standing, now: Standing): string[] {
  const said: string[] = []
  if (now.blocked && !before.blocked) said.push('Requests are held back: a limit is reached.')
  if (!now.blocked && before.blocked) said.push('Requests are possible again.')
  for (const [of, name] of [
    ['read', 'Read'],
    ['update', 'Update'],
  ] as const) {
    if (now[of] === before[of]) continue
    if (now[of] === 'low') said.push(`${name} requests are running low this minute.`)
    if (now[of] === 'none') said.push(`No ${of} requests are left this minute.`)
    if (now[of] === 'reset' && before[of] === 'none') said.push(`The ${of} window has reset.`)
  }
  if (now.month !== before.month && now.month === 'low') said.push('Requests are running low this month.')
  if (now.month !== before.month && now.month === 'none') said.push('No requests are left this month.')
  const known = !before.limits.split(' ').includes('')
  if (now.limits !== before.limits && known) said.push('The limits of the minute have changed.')
  return said
}

const QUIET_MS = 10_000

/** The one place that speaks, at most one sentence in ten seconds. */
export function Status() {
  const quota = useUi((ui) => ui.quota)
  const atMs = quota?.atMs ?? 0
  const nowMs = atMs + useElapsed(atMs)
  const standing = JSON.stringify(quota && standingOf(quota.snapshot, nowMs - atMs))
  const said = useRef<{ before?: Standing; queue: string[]; quietUntilMs: number }>({
    queue: [],
    quietUntilMs: 0,
  })
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    const { before, queue, quietUntilMs } = said.current
    const now = standing === undefined ? undefined : (JSON.parse(standing) as Standing)
    if (before && now) queue.push(...sentencesFor(before, now))
    if (now) said.current.before = now
    if (queue.length === 0 || nowMs < quietUntilMs) return
    said.current.quietUntilMs = nowMs + QUIET_MS
    setSentence(queue.shift() ?? '')
  }, [standing, nowMs])
  return <output className="unseen">{sentence}</output>
}
