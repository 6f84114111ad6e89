/** An open page: follows the event streams of the processes in turn, with the page's waits between them. */
import { setTimeout as wait } from 'node:timers/promises'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { readEvents, waitAfter } from '../../src/web/quota/stream.ts'
import type { Person } from './person.ts'
import type { AppProcess } from './process.ts'

export interface StreamClient {
  /** The upper end of the month's count in the last event. */
  high: () => number
  signedOut: () => number
  close: () => Promise<void>
}

/** @param next returns the process of the next stream */
export function followStream({ browser }: Person, next: () => AppProcess): StreamClient {
  const over = new AbortController()
  let [high, signedOut] = [0, 0]
  const onEvent = (name: string, data: string): void => {
    if (name === 'session') signedOut += 1
    else high = (JSON.parse(data) as QuotaSnapshot).month.high
  }
  async function follow(): Promise<boolean> {
    const { body, ok } = await fetch(`http://127.0.0.1:${next().port}/bff/events`, {
      headers: {
        Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Sec-Fetch-Site': 'same-origin',
      },
      signal: over.signal,
    })
    if (ok && body) await readEvents(body, onEvent, () => {}).catch(() => {})
    return ok
  }
  async function keepFollowing(): Promise<void> {
    // In production the servers fail less often, so a stream that was open does not count as a failure.
    for (let failures = 1; !over.signal.aborted; failures += 1) {
      if (await follow().catch(() => false)) failures = 1
      await wait(waitAfter(failures, undefined), undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const ended = keepFollowing()
  return {
    high: () => high,
    signedOut: () => signedOut,
    async close() {
      over.abort()
      await ended
    },
  }
}
