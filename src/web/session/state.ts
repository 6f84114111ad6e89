/** Who is signed in, as this tab knows it: asked once, and again where a person presses for it. */
import { create } from 'zustand'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { Session } from '../../contract/session.ts'
import { getSession, sendAs } from '../lib/api.ts'

interface SessionState {
  /** Absent until the server has answered, and after a sign-out. */
  session: Session | undefined
  /** Date.now() when it came. */
  atMs: number
  /** Why the server did not answer. */
  problem: Problem | undefined
  isAsked: boolean
  /** The session that this page saw open, which read the record (4.4). */
  openedId: string | undefined
}

const UNKNOWN: SessionState = {
  session: undefined,
  atMs: 0,
  problem: undefined,
  isAsked: false,
  openedId: undefined,
}

export const useSessionState = create<SessionState>(() => UNKNOWN)

/** Whether it was not asked for yet. */
export const isSessionUnknown = ({ session, problem, isAsked } = useSessionState.getState()): boolean =>
  !session && !problem && !isAsked

export const currentSession = (): Session | undefined => useSessionState.getState().session

export const idOf = (session: Session | undefined): string | undefined =>
  session?.signed_in ? session.id : undefined

/** Counts what makes an answer that is on its way out of date. */
let generation = 0

export function setSession(session: Session, openedId = useSessionState.getState().openedId): void {
  generation++
  sendAs(session)
  useSessionState.setState({ ...UNKNOWN, session, openedId, atMs: Date.now() })
}

export function clearSession(): void {
  generation++
  sendAs(undefined)
  useSessionState.setState(UNKNOWN)
}

export async function askSession(): Promise<void> {
  const own = ++generation
  useSessionState.setState({ ...UNKNOWN, isAsked: true })
  try {
    const session = await getSession()
    if (own === generation) setSession(session)
  } catch (error) {
    if (own === generation) useSessionState.setState({ ...UNKNOWN, problem: asProblem(error) })
  }
}
