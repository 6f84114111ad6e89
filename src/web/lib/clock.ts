/** The clock that ticks while the page is visible, and the time of the server. */
import { useSyncExternalStore } from 'react'
import { CLOCK_JUMP_MS } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'

const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
let isStarted = false

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function run(): void {
  clearInterval(timer)
  timer = undefined
  if (document.hidden || listeners.size === 0) return
  timer = setInterval(tick, SECOND_MS)
  if (!isStarted) tick()
  isStarted = false
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

/** Date.now(), updated each second. It runs on while the computer sleeps. */
export const useNow = (): number => useSyncExternalStore(subscribe, nowOf, nowOf)

/** Milliseconds since an instant of {@link useNow}. */
export const useElapsed = (sinceMs: number): number => Math.max(0, useNow() - sinceMs)

/** This browser's clock is ahead of the server's by this; 0 if it is right to two minutes. */
let clockAheadMs = 0

/**
 * The page that takes a document over draws the instant of its drawing, until the first tick.
 * @param atMs that instant by the clock of this computer @param serverMs by that of the server
 */
export function startClock(atMs: number, serverMs: number): void {
  nowMs = atMs
  isStarted = true
  clockAheadMs = atMs - serverMs
}

/** All dates that the page makes follow the `Date` of the server's answers. */
export function noteServerTime({ headers, ok }: Response): void {
  const aheadMs = Date.now() - Date.parse(headers.get('Date') ?? '')
  // A smaller difference changes no date, and `Date` has whole seconds.
  if (!ok || !(Math.abs(aheadMs - clockAheadMs) > CLOCK_JUMP_MS)) return
  clockAheadMs = Math.abs(aheadMs) > CLOCK_JUMP_MS ? aheadMs : 0
}

/** The server's time at an instant of this browser's clock, UNIX milliseconds. */
export const onServer = (ms: number): number => ms - clockAheadMs
