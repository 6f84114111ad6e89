/** Who is signed in, as all tabs of this browser know it: asked once, and again for free when the page is shown again. */
import { useEffect } from 'react'
import { Problem } from '../../contract/problem.ts'
import type { Session, SignedIn } from '../../contract/session.ts'
import { getSession } from '../lib/api.ts'
import { forgetQuota, noticeSleep, readQuota } from '../quota/quota.ts'
import { clearSession, currentSession, idOf, setSession } from './state.ts'
import { unmarkSignOut } from './sign-out-mark.ts'
import { type SignOut, useUi } from '../lib/ui.ts'

/** Counts the sign-outs of this tab. */
let generation = 0

/** Keeps the reason of an end until a sign-in: the server gives it once, since that answer deletes the cookie. */
function withEnd(session: Session, before: Session | undefined): Session {
  if (session.signed_in || before === undefined || before.signed_in || before.ended === undefined)
    return session
  return { ended: before.ended, ...session }
}

/** Takes over the server's answer; of another session nothing stays. */
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
const channel = new BroadcastChannel('plimsoll.session')

/** Takes over a session that this tab opened or chose; the other tabs follow. */
export function openSession(session: SignedIn): void {
  applySession(session)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and no such argument
  channel.postMessage('changed')
}

/**
 * Asks again who is signed in.
 * @param because why the session may have ended
 * @returns whether it is known
 */
export async function recheckSession(because = new Problem('signed_out')): Promise<boolean> {
  const askedIn = generation
  try {
    const session = await getSession()
    // A sign-out has overtaken the answer.
    if (askedIn === generation) applySession(session, { kind: 'ended', problem: because })
    return true
  } catch {
    // What is on the screen came from the same server, and every request to it is checked there.
    return false
  }
}

/** Forgets the session and all data of it: they are not shown from here on. */
export function forgetSession(signOut: SignOut): void {
  generation++
  clearSession()
  // Only then: what is drawn next may ask who is signed in.
  useUi.setState({ signOut })
  forgetQuota()
}

/** Reads session and quota again, where the page has a session. */
async function refresh(): Promise<void> {
  noticeSleep()
  if (currentSession() === undefined) return
  await recheckSession()
  if (currentSession()?.signed_in) await readQuota()
}

/** A page out of the browser's memory, or one that was hidden, may be older than the session it shows. */
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
    channel.addEventListener('message', follow)
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      channel.removeEventListener('message', follow)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [])
}
