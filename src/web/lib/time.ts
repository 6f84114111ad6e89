/** Times in words, and a clock that ticks only while the page is visible. */
import { useSyncExternalStore } from 'react'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { dateText } from '../text/language.ts'
import { text } from '../text/text.ts'

const listeners = new Set<() => void>()
let nowMs = performance.now()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  nowMs = performance.now()
  for (const listener of listeners) listener()
}

function run(): void {
  clearInterval(timer)
  timer = undefined
  if (document.hidden || listeners.size === 0) return
  timer = setInterval(tick, SECOND_MS)
  tick()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', run)
  listeners.add(listener)
  if (timer === undefined) run()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', run)
    run()
  }
}

const nowOf = (): number => nowMs

/** Milliseconds since an instant of performance.now(), updated each second. */
export const useElapsed = (sinceMs: number): number =>
  Math.max(0, useSyncExternalStore(subscribe, nowOf, nowOf) - sinceMs)

const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whole seconds, in steps of ten if the reader asked for less motion. */
export function countdownSeconds(ms: number): number {
  const step = calm() ? 10 : 1
  return Math.max(0, Math.ceil(ms / SECOND_MS / step) * step)
}

/** "22 s", "3 min 5 s". */
export function countdownWords(ms: number): string {
  const { time } = text()
  const seconds = countdownSeconds(ms)
  if (seconds < 100) return time.seconds(seconds)
  if (seconds < 3600) return time.minutesAndSeconds(Math.floor(seconds / 60), seconds % 60)
  return spanWords(ms)
}

/** "just now", "12 s ago", "3 minutes ago". */
export function agoWords(ms: number): string {
  const { time } = text()
  const step = calm() ? 10 : 1
  const seconds = Math.floor(ms / SECOND_MS / step) * step
  if (!(seconds >= 2)) return time.justNow
  return time.ago(seconds < 60 ? time.seconds(seconds) : spanWords(ms))
}

/** "3 minutes", "2 hours", "12 days". */
export function spanWords(ms: number): string {
  const { time } = text()
  if (ms < HOUR_MS) return time.minutes(Math.max(1, Math.round(ms / MINUTE_MS)))
  if (ms < 2 * DAY_MS) return time.hours(Math.round(ms / HOUR_MS))
  return time.days(Math.round(ms / DAY_MS))
}

/** The time of day has one form everywhere. */
const TIME_FORM = { hour: 'numeric', minute: '2-digit' } as const
const INSTANT_FORM = { day: 'numeric', month: 'short', ...TIME_FORM } as const

/** As "21 Nov 2026, 15:00". */
export const dateWords = (atMs: number): string => dateText(atMs, { year: 'numeric', ...INSTANT_FORM })

/** As "21 Nov". */
export const dayWords = (atMs: number): string => dateText(atMs, { day: 'numeric', month: 'short' })

/** As "21 Nov, 15:00". */
export const instantWords = (atMs: number): string => dateText(atMs, INSTANT_FORM)

/** "15:00" within half a day, when it can mean no other day; else as "21 Nov, 15:00". */
export const clockWords = (atMs: number, nowMs: number): string =>
  nowMs - atMs < DAY_MS / 2 ? dateText(atMs, TIME_FORM) : instantWords(atMs)

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** A date or an instant, in the reader's form and zone; a day stays the same day. Else `undefined`. */
export function whenWords(text: string): { words: string } | undefined {
  if (text.length < 10 || text.length > 40) return undefined
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) return undefined
  if (INSTANT.test(text)) return { words: dateWords(atMs) }
  return DAY.test(text) ? { words: dateText(atMs, { dateStyle: 'medium', timeZone: 'UTC' }) } : undefined
}
