// People with a browser and a network address of their own; the app process that answers them can change.
import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { SPENT_HEADER } from '../../src/contract/api.ts'
import { BUSINESS, SESSION_COOKIE } from '../../test/kit/config.ts'
import { Person as Browser } from '../../test/kit/person.ts'
import type { Service } from '../../test/kit/strict-service.ts'
import type { AppProcess } from './harness.ts'

export interface Person {
  readonly browser: Browser
  to: AppProcess | (() => AppProcess)
  signal: AbortSignal | undefined
  close(): Promise<void>
}

/** People who ask for the same path at the same time share one read; each path has its own. */
export const PATHS = [`/organizations/${BUSINESS}`, '/organizations', '/rate_limit'] as const

/** A token of this lifetime is within the margin before its expiry: the next read replaces it. */
export const EXPIRING_SECONDS = 29

let people = 0
/** On Linux every address of 127.0.0.0/8 is this machine: each person gets one; elsewhere all share one. */
const nextAddress = (): { localAddress?: string } => {
  people += 1
  return process.platform === 'linux'
    ? { localAddress: `127.${1 + (people >> 16)}.${(people >> 8) & 255}.${people & 255}` }
    : {}
}

export function openPerson({ sandbox }: Pick<Service, 'sandbox'>, to: Person['to']): Person {
  const dispatcher = new Agent({ ...nextAddress(), keepAliveTimeout: 1000 })
  const fetch = (request: Request) => {
    const app = typeof person.to === 'function' ? person.to() : person.to
    return app.fetch(request, { dispatcher, ...(person.signal && { signal: person.signal }) })
  }
  const person: Person = {
    browser: new Browser({ bff: { fetch }, sandbox, now: () => Date.now() }),
    to,
    signal: undefined,
    close: () => dispatcher.destroy(),
  }
  return person
}

/** Closes the people after `work`, also if it fails. */
export async function withPeople<T>(
  people: readonly Person[],
  work: (people: readonly Person[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(people)
  } finally {
    await Promise.all(people.map((person) => person.close()))
  }
}

/** Signs in at the service and waits for the session. @throws Error if there is none */
export async function signIn(person: Person, organizationId = BUSINESS): Promise<void> {
  const { status, body } = await person.browser.signIn(organizationId, 'Ada')
  if (status !== 201) throw new Error(`the sign-in answered ${status} ${JSON.stringify(body)}`)
}

export interface Pressed {
  startedAtMs: number
  tookMs: number
  /** 0 if the process did not answer at all. */
  status: number
  /** Requests of the quota that the answer cost; 0 for an answer that another press paid for. */
  spent: number
  code: string | undefined
  /** Absent if the answer names no time for another try. */
  retryInMs: number | undefined
}

/** Presses once: a read that costs a request. */
export async function press({ browser }: Person, path: string): Promise<Pressed> {
  const startedAtMs = performance.now()
  const answered = await browser.spend(path).catch(() => undefined)
  const tookMs = performance.now() - startedAtMs
  const { code, retry_in_ms: retryInMs } = (answered?.status === 200 ? undefined : answered?.body) ?? {}
  const spent = Number(answered?.headers.get(SPENT_HEADER) ?? 0)
  return { startedAtMs, tookMs, status: answered?.status ?? 0, spent, code, retryInMs }
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

/** Longer than the lease of a refresh whose process was killed. */
const RECOVERS_MS = 60_000

export interface Recovery {
  as: 'works' | 'signed out' | 'stuck'
  /** The answer to each press, with the milliseconds since the first press. */
  answers: string[]
}

/**
 * Presses until the session works or has ended, for 40 s at most. One answer has to report the end of a
 * session, and a new sign-in has to work after it.
 */
export async function recover(person: Person): Promise<Recovery> {
  const startedAtMs = performance.now()
  const answers: string[] = []
  const again = async () => {
    const pressed = await press(person, PATHS[0])
    answers.push(`${Math.round(performance.now() - startedAtMs)} ms: ${pressed.status} ${pressed.code ?? ''}`)
    return pressed
  }
  while (performance.now() < startedAtMs + RECOVERS_MS) {
    const pressed = await again()
    // An answer that is shared with an earlier press proves nothing.
    if (pressed.status === 200 && pressed.spent > 0) return { as: 'works', answers }
    if (isSignOut(pressed)) {
      if (await isSignedIn(person)) return { as: 'stuck', answers }
      await signIn(person)
      return { as: (await again()).status === 200 ? 'signed out' : 'stuck', answers }
    }
    await wait(Math.min(pressed.retryInMs ?? 500, 1000))
  }
  return { as: 'stuck', answers }
}
