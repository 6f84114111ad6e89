/** Time in words, and a clock that ticks only while the page is visible. */
import { useSyncExternalStore } from 'react'
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
  timer = setInterval(tick, 1000)
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

/** Milliseconds since an instant of performance.now(), a second at a time. */
export const useElapsed = (sinceMs: number): number =>
  Math.max(0, useSyncExternalStore(subscribe, nowOf, nowOf) - sinceMs)

const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** "22 s", "3 min 5 s"; steps of ten seconds for those who asked for less motion. */
export function countdownWords(ms: number): string {
  const { time } = text()
  const step = calm() ? 10 : 1
  const seconds = Math.max(0, Math.ceil(ms / 1000 / step) * step)
  if (seconds < 100) return time.seconds(seconds)
  if (seconds < 3600) return time.minutesAndSeconds(Math.floor(seconds / 60), seconds % 60)
  return spanWords(ms)
}

/** "just now", "12 s ago", "3 minutes ago". */
export function agoWords(ms: number): string {
  const { time } = text()
  const step = calm() ? 10 : 1
  const seconds = Math.floor(ms / 1000 / step) * step
  if (!(seconds >= 2)) return time.justNow
  return time.ago(seconds < 60 ? time.seconds(seconds) : spanWords(ms))
}

/** "3 minutes", "2 hours", "12 days". */
export function spanWords(ms: number): string {
  const { time } = text()
  const minutes = ms / 60_000
  if (minutes < 60) return time.minutes(Math.max(1, Math.round(minutes)))
  if (minutes < 48 * 60) return time.hours(Math.round(minutes / 60))
  return time.days(Math.round(minutes / 1440))
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Day and time, as "21 Nov 2026, 15:00". */
export const dateWords = (atMs: number): string => dateText(atMs, { dateStyle: 'medium', timeStyle: 'short' })

/** A day, as "21 Nov". */
export const dayWords = (atMs: number): string => dateText(atMs, { day: 'numeric', month: 'short' })

/** The same with the time, as "21 Nov, 15:00". */
export const instantWords = (atMs: number): string =>
  dateText(atMs, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
