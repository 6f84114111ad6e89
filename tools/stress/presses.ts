import { setTimeout as wait } from 'node:timers/promises'
import { SESSION_COOKIE } from '../../test/kit/config.ts'
import { SPENT_HEADER } from '../../src/contract/api.ts'
import type { Person } from './person.ts'

export interface Pressed {
  path: string
  startedAtMs: number
  tookMs: number
  /** 0 if the process did not answer at all. */
  status: number
  /** Requests of the quota that the answer cost; 0 for an answer that another press paid for. */
  spent: number
  code?: string
  /** Absent if the answer names no time for another try. */
  retryInMs?: number
}

/** Presses once: a read that costs a request. */
export async function press({ browser }: Person, path: string): Promise<Pressed> {
  const startedAtMs = performance.now()
  const answered = await browser.spend(path).catch(() => undefined)
  const tookMs = performance.now() - startedAtMs
  const { code, retry_in_ms: retryInMs } = (answered?.status === 200 ? undefined : answered?.body) ?? {}
  return {
    path,
    startedAtMs,
    tookMs,
    status: answered?.status ?? 0,
    spent: Number(answered?.headers.get(SPENT_HEADER) ?? 0),
    ...(code !== undefined && { code }),
    ...(retryInMs !== undefined && { retryInMs }),
  }
}

export async function pressEverySecond(
  person: Person,
  paths: readonly string[],
  isOver: (last: readonly Pressed[]) => boolean,
): Promise<Pressed[]> {
  const all: Pressed[] = []
  for (let last: Pressed[] = []; !isOver(last); ) {
    const next = wait(1000)
    last = await Promise.all(paths.map((path) => press(person, path)))
    all.push(...last)
    await next
  }
  return all
}

/** True if an answer ended the session, or stated that there is none. */
export const isSignOut = ({ status, code }: Pressed): boolean =>
  status === 401 && (code === 'signed_out' || code === 'access_withdrawn')

/** True if the browser has its cookie and the app knows the session; `undefined` if the app cannot know. */
export async function isSignedIn({ browser }: Person): Promise<boolean | undefined> {
  const { status, body } = await browser.session()
  return status === 200 ? body.signed_in && browser.cookies.has(SESSION_COOKIE) : undefined
}
