/** Keeps who is signed in, for all tabs. Asks once, and for free again when shown again or by a press. */
import { useEffect } from 'react'
import { create } from 'zustand'
import { asProblem, Problem } from '../../contract/problem.ts'
import type { Session, SignedIn } from '../../contract/session.ts'
import { getSession, sendAs } from '../lib/api.ts'
import { forgetQuota, noticeSleep, readQuota } from '../quota/quota.ts'
import { unmarkSignOut } from './sign-out-mark.ts'
import { type SignOut, useUi } from '../lib/ui.ts'

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

const NOT_ASKED: SessionState = {
  session: undefined,
  atMs: 0,
  problem: undefined,
  isAsked: false,
  openedId: undefined,
}

export const useSessionState = create<SessionState>(() => NOT_ASKED)

/** True before the page has asked who is signed in. */
export const isSessionUnknown = ({ session, problem, isAsked } = useSessionState.getState()): boolean =>
  !session && !problem && !isAsked

export const currentSession = (): Session | undefined => useSessionState.getState().session

export const idOf = (session: Session | undefined): string | undefined =>
  session?.signed_in ? session.id : undefined

/** An answer that was asked for before the last change is out of date. */
let changes = 0
let signOuts = 0

export function setSession(session: Session, openedId = useSessionState.getState().openedId): void {
  changes++
  sendAs(session)
  useSessionState.setState({ ...NOT_ASKED, session, openedId, atMs: Date.now() })
}

export function clearSession(): void {
  changes++
  sendAs(undefined)
  useSessionState.setState(NOT_ASKED)
}

export async function askSession(): Promise<void> {
  const own = ++changes
  useSessionState.setState({ ...NOT_ASKED, isAsked: true })
  try {
    const session = await getSession()
    if (own === changes) setSession(session)
  } catch (error) {
    if (own === changes) useSessionState.setState({ ...NOT_ASKED, problem: asProblem(error) })
  }
}

/** Keeps the reason until a sign-in: the server gives it once, because that answer deletes the cookie. */
function withEnd(session: Session, before: Session | undefined): Session {
  if (session.signed_in || before === undefined || before.signed_in || before.ended === undefined)
    return session
  return { ended: before.ended, ...session }
}

/** If it is another session, the page forgets all data of the former one. */
export function applySession(answered: Session, signOut?: SignOut): void {
  const before = currentSession()
  const session = withEnd(answered, before)
  if (idOf(before) === idOf(session)) setSession(session)
  else {
    forgetQuota()
    setSession(session, idOf(session))
  }
  if (session.signed_in) {
    unmarkSignOut()
    useUi.setState({ signOut: undefined })
  } else if (before?.signed_in && signOut) useUi.setState({ signOut })
}

// A tab does not get its own messages.
const sessionChannel = new BroadcastChannel('plimsoll.session')

/** For a session that this tab opened or chose; the other tabs follow. */
export function openSession(session: SignedIn): void {
  applySession(session)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  sessionChannel.postMessage('changed')
}

/** @param because why the session may have ended @returns false if the server did not answer */
export async function recheckSession(because = new Problem('signed_out')): Promise<boolean> {
  const askedIn = signOuts
  try {
    const session = await getSession()
    // If they differ, a sign-out has overtaken the answer.
    if (askedIn === signOuts) applySession(session, { kind: 'ended', problem: because })
    return true
  } catch {
    // The screen stays: its data came from this server, which checks every further request.
    return false
  }
}

/** Forgets all data of the session too. */
export function forgetSession(signOut: SignOut): void {
  signOuts++
  clearSession()
  // Second, because the screen that it draws may ask who is signed in.
  useUi.setState({ signOut })
  forgetQuota()
}

/** Reads session and quota again, if the page has a session. */
async function refresh(): Promise<void> {
  noticeSleep()
  if (currentSession() === undefined) return
  await recheckSession()
  if (currentSession()?.signed_in) await readQuota()
}

/** A page that was hidden, or in the browser's memory, may be older than the session that it shows. */
export function useSessionGuard(): void {
  const refusal = useUi((ui) => (ui.quotaProblem?.status === 401 ? ui.quotaProblem : undefined))
  useEffect(() => {
    if (refusal && currentSession()?.signed_in) void recheckSession(refusal)
  }, [refusal])
  useEffect(() => {
    const follow = (): void => void refresh()
    const onVisible = (): void => {
      if (!document.hidden) follow()
    }
    const onHide = (): void => useUi.setState({ masked: true })
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) void refresh().finally(() => useUi.setState({ masked: false }))
      else useUi.setState({ masked: false })
    }
    sessionChannel.addEventListener('message', follow)
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      sessionChannel.removeEventListener('message', follow)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [])
}
