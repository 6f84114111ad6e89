/** Who is signed in, as all tabs of this browser know it: asked once, and again for free when the page is shown again. */
import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Problem } from '../contract/problem.ts'
import type { Session, SignedIn } from '../contract/session.ts'
import { getSession, sendAs } from './api.ts'
import { freshKey, sessionQuery } from './query.ts'
import { forgetQuota, noticeSleep, readQuota } from './quota.ts'
import { unmarkSignOut } from './sign-out-mark.ts'
import { type SignOut, useUi } from './ui.ts'

const idOf = (session: Session | undefined): string | undefined =>
  session?.signed_in ? session.id : undefined

/** Counts the sign-outs of this tab. */
let generation = 0

/** Removes all but what belongs to the session. */
function forgetData(client: QueryClient, session?: Session): void {
  const own = idOf(session)
  client.removeQueries({
    predicate: ({ queryKey: [name, of] }) => name !== sessionQuery.queryKey[0] && of !== own,
  })
  client.getMutationCache().clear()
}

/** Takes over the server's answer; of another session nothing stays. */
export function applySession(client: QueryClient, session: Session, signOut?: SignOut): void {
  const before = client.getQueryData(sessionQuery.queryKey)
  client.setQueryData(sessionQuery.queryKey, session)
  sendAs(session)
  if (idOf(before) !== idOf(session)) {
    forgetQuota()
    if (session.signed_in) client.setQueryData(freshKey(session), true)
    // Not before the page has left them: else it would ask for the old data again.
    notifyManager.schedule(() => forgetData(client, session))
  }
  if (session.signed_in) {
    unmarkSignOut()
    useUi.setState({ signOut: undefined })
  } else if (before?.signed_in && signOut) useUi.setState({ signOut })
}

// A tab does not get its own messages.
const channel = new BroadcastChannel('plimsoll.session')

/** Takes over a session that this tab opened or chose; the other tabs follow. */
export function openSession(client: QueryClient, session: SignedIn): void {
  applySession(client, session)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and no such argument
  channel.postMessage('changed')
}

/**
 * Asks again who is signed in.
 * @param because why the session may have ended
 * @returns whether it is known
 */
export async function recheckSession(
  client: QueryClient,
  because = new Problem('signed_out'),
): Promise<boolean> {
  const askedIn = generation
  try {
    const session = await getSession()
    // A sign-out has overtaken the answer.
    if (askedIn === generation) applySession(client, session, { kind: 'ended', problem: because })
    return true
  } catch {
    // What is on the screen came from the same server, and every request to it is checked there.
    return false
  }
}

/** Forgets the session and all data of it: they are not shown from here on. */
export function forgetSession(client: QueryClient, signOut: SignOut): void {
  generation++
  client.removeQueries({ queryKey: sessionQuery.queryKey })
  sendAs(undefined)
  forgetData(client)
  // Only then: what is drawn next may ask who is signed in. What was drawn goes before it could ask for its data again.
  useUi.setState({ signOut })
  forgetQuota()
}

/** Reads session and quota again, where the page has a session. */
async function refresh(client: QueryClient): Promise<void> {
  noticeSleep()
  if (client.getQueryData(sessionQuery.queryKey) === undefined) return
  await recheckSession(client)
  if (client.getQueryData(sessionQuery.queryKey)?.signed_in) await readQuota()
}

/** A page out of the browser's memory, or one that was hidden, may be older than the session it shows. */
export function useSessionGuard(): void {
  const client = useQueryClient()
  const refusal = useUi((ui) => (ui.quotaProblem?.status === 401 ? ui.quotaProblem : undefined))
  useEffect(() => {
    if (refusal && client.getQueryData(sessionQuery.queryKey)?.signed_in) void recheckSession(client, refusal)
  }, [refusal, client])
  useEffect(() => {
    const follow = (): void => void refresh(client)
    const onVisible = (): void => {
      if (!document.hidden) follow()
    }
    const onHide = (): void => useUi.setState({ masked: true })
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) void refresh(client).finally(() => useUi.setState({ masked: false }))
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
  }, [client])
}
