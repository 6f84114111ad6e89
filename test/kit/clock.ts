/** The time of tests. It passes only when nothing else is left to do, so no machine is too slow. */
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'

export interface Time {
  passedMs(): number
  wait(ms: number): Promise<void>
  /**
   * Lets time pass until `work` has ended. Whenever nothing is left to do, it moves to the end of the next
   * wait.
   */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Stops time while `work` runs, so that a store behind a socket may take any time. */
  hold<T>(work: () => Promise<T>): Promise<T>
}

export function createTime(): Time {
  let nowMs = 0
  let waiting: { endMs: number; resolve: () => void }[] = []
  let held = 0

  function endNextWait(): void {
    const next = waiting.reduce((first, one) => (one.endMs < first.endMs ? one : first))
    waiting = waiting.filter((one) => one !== next)
    nowMs = Math.max(nowMs, next.endMs)
    next.resolve()
  }

  return {
    passedMs: () => nowMs,
    wait: (ms) => new Promise((resolve) => void waiting.push({ endMs: nowMs + ms, resolve })),
    async during(work) {
      const state = { isOver: false }
      const result = work().finally(() => (state.isOver = true))
      // The caller awaits the result, and gets the error.
      result.catch(() => {})
      while (!state.isOver) {
        await iterate()
        if (!state.isOver && held === 0 && waiting.length > 0) endNextWait()
      }
      return result
    },
    hold(work) {
      held += 1
      return work().finally(() => (held -= 1))
    },
  }
}

declare global {
  /** A call to a store behind a socket has not ended (test/postgres). */
  var isStoreBusy: (() => boolean) | undefined
}

/** While a store works, a wait lasts at most this many times as long: the machine may be busy. */
const MOST_TIMES = 20

/** A wait in real time that lets due work run first: on a busy machine the wait alone may end before it. */
export async function waitLast(ms: number): Promise<void> {
  for (let times = 1; times <= MOST_TIMES; times += 1) {
    await delay(ms)
    await iterate()
    if (!globalThis.isStoreBusy?.()) return
  }
}

/** Work in memory takes fewer iterations of the event loop than this. */
const ITERATIONS = 100

async function iterate(): Promise<void> {
  for (let iterations = 0; iterations < ITERATIONS; iterations += 1) await nextIteration()
}
