/** The session of a page never changes: when it ends, or another one begins, the page loads anew. */
import { useEffect } from 'react'
import { asProblem, type Problem, isProblemCode, type ProblemCode } from '../../contract/problem.ts'
import { type Session, SESSION_ENDS, type SessionEnd } from '../../contract/session.ts'
import { getSession, sendAs } from '../lib/api.ts'
import { loadAnew } from '../lib/router.ts'
import { useUi } from '../lib/ui.ts'
import { storeChoices } from '../preferences/preferences.ts'

/** What the page before this one left to say, in the state of the history entry. */
interface Arrival {
  /** `done`: signed out here. A code of a problem: why the session could not be used any more. */
  ended?: 'done' | SessionEnd | ProblemCode
}

const KEY = 'plimsoll.arrival'

/** Another version of this page may have written it. */
export function arrival(): Arrival {
  const { ended } = (globalThis.history?.state as { [KEY]?: Arrival } | null)?.[KEY] ?? {}
  return ended !== undefined && isEnd(ended) ? { ended } : {}
}

const isEnd = (value: unknown): value is Arrival['ended'] =>
  value === 'done' || SESSION_ENDS.includes(value as SessionEnd) || isProblemCode(value)

/** Asks who is signed in, for free. From here on every request names that session. */
export async function askSession(): Promise<Session | Problem> {
  try {
    const session = await getSession()
    sendAs(session)
    return session
  } catch (error) {
    return asProblem(error)
  }
}

// One channel sends and receives, because a tab does not get its own messages.
const otherTabs = new BroadcastChannel('plimsoll.session')

/** What the tabs tell each other: that one is signing out, or why each loads anew. */
type Message = 'leaving' | Arrival['ended']

/** Tells every tab, since the server may tell it of the end before it answers the sign-out. */
export function announceSignOut(): void {
  useUi.setState({ isLeaving: true })
  post('leaving')
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
const post = (message: Message): void => otherTabs.postMessage(message)

/** After a sign-in, a switch or a sign-out: this page and every other one of the browser load anew. */
export function changeSession(to: string, arrival: Arrival = {}): void {
  post(arrival.ended)
  leaveTo(to, arrival)
}

/** @param session that is in use now, in place of the page's own @param because why its own may have ended */
export function followSession(session: Session, because: ProblemCode): void {
  const ended = useUi.getState().isLeaving ? 'done' : because
  leaveTo(currentAddress(), session.signed_in ? {} : { ended: session.ended ?? ended })
}

const currentAddress = (): string => location.pathname + location.search + location.hash

function leaveTo(to: string, arrival: Arrival): void {
  // The sign-in page that follows has to say why.
  if (arrival.ended !== undefined) storeChoices({ isOwn: true })
  loadAnew(to, { [KEY]: arrival })
}

/**
 * Follows the other tabs. A page in the browser's memory is hidden, since its session may have ended.
 * @param isOfSession false for a page that shows nothing of a session, or brings one
 */
export function useOtherTabs(isOfSession: boolean): void {
  useEffect(() => {
    if (!isOfSession) return undefined
    const follow = ({ data }: MessageEvent<Message>): void => {
      if (data === 'leaving') useUi.setState({ isLeaving: true })
      else leaveTo(currentAddress(), data === undefined ? {} : { ended: data })
    }
    const hide = (): void => show(false)
    const onShow = ({ persisted }: PageTransitionEvent): void =>
      persisted ? loadAnew(currentAddress(), history.state) : show(true)
    otherTabs.addEventListener('message', follow)
    addEventListener('pagehide', hide)
    addEventListener('pageshow', onShow)
    return () => {
      otherTabs.removeEventListener('message', follow)
      removeEventListener('pagehide', hide)
      removeEventListener('pageshow', onShow)
    }
  }, [isOfSession])
}

const show = (isShown: boolean): void => {
  document.documentElement.hidden = !isShown
}
