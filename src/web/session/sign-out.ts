/** Every tab forgets its data at once, and the page tries again until the server confirms the sign-out. */
import { useEffect } from 'react'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { deleteSession } from '../lib/api.ts'
import { forgetOrganizations } from './last-organizations.ts'
import { forgetSession, useSessionState } from './session.ts'
import { markedSignOut, markSignOut, unmarkSignOut } from './sign-out-mark.ts'
import { useUi } from '../lib/ui.ts'

type SignOutMessage = 'started' | 'done' | 'unreported'

// One channel sends and receives, because a tab does not get its own messages.
const signOutChannel = new BroadcastChannel('plimsoll.sign-out')

function announce(message: SignOutMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  signOutChannel.postMessage(message)
}

/** If the server cannot be reached, the page still forgets everything and says so. */
export async function signOut(): Promise<void> {
  if (useUi.getState().signOut?.kind === 'leaving') return
  markSignOut(markedSignOut() ?? endOfSession())
  forgetOrganizations()
  forgetSession({ kind: 'leaving' })
  announce('started')
  try {
    await deleteSession()
    confirm()
  } catch (error) {
    forgetSession({ kind: 'unreported', problem: asProblem(error) })
    announce('unreported')
  }
}

function confirm(): void {
  unmarkSignOut()
  forgetSession({ kind: 'done' })
  announce('done')
}

/** When the session ends by itself, UNIX milliseconds. */
function endOfSession(): number | undefined {
  const { session, atMs } = useSessionState.getState()
  return session?.signed_in ? atMs + session.ends_in * SECOND_MS : undefined
}

/** A tab that announced a sign-out may close too early. After this the others check for themselves. */
const OTHER_TAB_MS = 10 * SECOND_MS

function useOtherTabs(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = ({ data }: MessageEvent<SignOutMessage>): void => {
      clearTimeout(timer)
      if (data === 'done') forgetSession({ kind: 'done' })
      if (data === 'unreported')
        forgetSession({ kind: 'unreported', problem: new Problem('bff_unreachable') })
      if (data !== 'started') return
      forgetSession({ kind: 'leaving' })
      timer = setTimeout(() => useUi.setState({ signOut: undefined }), OTHER_TAB_MS)
    }
    signOutChannel.addEventListener('message', follow)
    return () => {
      clearTimeout(timer)
      signOutChannel.removeEventListener('message', follow)
    }
  }, [])
}

const FIRST_RETRY_MS = 5 * SECOND_MS
const LONGEST_RETRY_MS = MINUTE_MS

/** Tries again after growing waits while the page is visible, and when the page or the network comes back. */
export function useSignOutGuard(): void {
  const isUnreported = useUi((ui) => ui.signOut?.kind === 'unreported')
  useOtherTabs()
  useEffect(() => {
    if (!isUnreported) return undefined
    let waitMs = FIRST_RETRY_MS
    let timer = setTimeout(retry, waitMs)
    function retry(): void {
      clearTimeout(timer)
      if (document.hidden) return
      waitMs = Math.min(LONGEST_RETRY_MS, waitMs * 2)
      timer = setTimeout(retry, waitMs)
      // Without the mark there is nothing to end: a later sign-in has removed it, and its session stays.
      if (markedSignOut() === undefined) useUi.setState({ signOut: undefined })
      else void deleteSession().then(confirm, () => {})
    }
    addEventListener('online', retry)
    document.addEventListener('visibilitychange', retry)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', retry)
    }
  }, [isUnreported])
}
