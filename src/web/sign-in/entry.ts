/** The ways into an organization. Each ends by leaving the page, so one press at a time is enough for all. */
import { useRef, useState } from 'react'
import type { OrganizationId } from '../../contract/organization.ts'
import { type PriceFacts, priceOf } from '../../contract/price.ts'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { Application } from '../../contract/session.ts'
import type { Free } from '../components/use-free.ts'
import { postSession, postUse } from '../lib/api.ts'
import { late } from '../lib/late.ts'
import { LEAVING_MS } from '../lib/router.ts'
import { changeSession } from '../session/session.ts'
import { text } from '../text/text.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'

/** A sign-in by the organization's id (5.3), an API key (5.1), or a session of this browser by its id. */
export interface Way {
  by: 'sign_in' | 'key' | 'session'
  with: string
  /** A session's organization, in words. */
  named?: string
}

export interface Entry extends Free<Way, never> {
  /** Of the last press. */
  way: Way | undefined
}

/**
 * Like a free action, but busy until the page should be gone; the sign-in page loads no query library.
 * @param returnTo the address to which a sign-in returns
 */
export function useEntry(application: Application, returnTo: (id: OrganizationId) => string): Entry {
  const [pressed, setPressed] = useState<Pressed>(NOT_YET)
  const isLeaving = useRef(false)
  const { way, problem } = pressed
  const run = (way: Way): void => {
    if (isLeaving.current) return
    isLeaving.current = true
    setPressed({ way, problem: null, busy: true })
    const stay = (problem: Problem | null): void => {
      isLeaving.current = false
      setPressed({ way, problem, busy: false })
    }
    enter(way, application, returnTo).then(
      () => setTimeout(stay, LEAVING_MS, null),
      (error: unknown) => stay(asProblem(error)),
    )
  }
  return {
    ...pressed,
    run,
    again: () => way && run(way),
    refused: problem ? way : undefined,
    done: undefined,
    forget: () => setPressed({ ...pressed, problem: null }),
  }
}

type Pressed = Pick<Entry, 'way' | 'problem' | 'busy'>
const NOT_YET: Pressed = { way: undefined, problem: null, busy: false }

async function enter(
  { by, with: what }: Way,
  application: Application,
  returnTo: (id: OrganizationId) => string,
): Promise<void> {
  if (by === 'session') {
    await postUse(what)
    return changeSession('/')
  }
  // A new attempt forgets the former failure, also for a reload.
  history.replaceState(null, '')
  if (by === 'key') {
    await postSession({ api_key: what })
    return changeSession(currentAddress())
  }
  const { startSignIn } = await late(import('./authorize.ts'))
  location.assign(await startSignIn(application, what, returnTo(what)))
}

/** In words. */
export function signInPrice(facts: PriceFacts): string {
  const { low, high } = priceOf('sign_in', facts)
  return text().app.requests(low, high)
}

const BASE = 'https://plimsoll.invalid'
const LONGEST_ADDRESS = 2048

/**
 * The only place that decides to which address a sign-in may return: only to a path of this page.
 *
 * The path, query and fragment in `value`; `/` for anything that could lead elsewhere. Browsers take `\` for
 * `/`, drop tabs and line ends, and resolve dots, so the text and its result are checked. They report their
 * own address in ASCII, so nothing else is accepted.
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) return '/'
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value) || !URL.canParse(value, BASE)) return '/'
  const { origin, pathname, search, hash } = new URL(value, BASE)
  const elsewhere = origin !== BASE || pathname.startsWith('//') || pathname === CALLBACK_PATH
  return elsewhere ? '/' : pathname + search + hash
}

/** To come back to after a sign-in. */
export const currentAddress = (): string => safeReturnTo(location.pathname + location.search + location.hash)
