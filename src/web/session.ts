/** Who is signed in, as all tabs of this browser know it: asked once, and again for free when the page is looked at again. */
import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Problem } from '../contract/problem.ts'
import type { Session } from '../contract/session.ts'
import { deleteSession, getSession, organizationAddress } from './api.ts'
import { sessionQuery } from './query.ts'
import { forgetQuota, noticeSleep, readQuota } from './quota.ts'
import { type Farewell, useUi } from './ui.ts'

const identity = (session: Session | undefined): string =>
  session?.signed_in ? `${session.method} ${session.organization_id ?? ''}` : ''

/** All but what belongs to the session. */
function forgetData(client: QueryClient, session?: Session): void {
  const own = session?.signed_in ? organizationAddress(session) : undefined
  client.removeQueries({ queryKey: ['organization'], predicate: ({ queryKey }) => queryKey[1] !== own })
  client.getMutationCache().clear()
}

/** Takes over what the server says; of another person or organization nothing stays. */
export function applySession(client: QueryClient, session: Session, farewell?: Farewell): void {
  const before = client.getQueryData(sessionQuery.queryKey)
  client.setQueryData(sessionQuery.queryKey, session)
  if (identity(before) !== identity(session)) {
    forgetQuota()
    // Not before the page has left them: else it would ask for the old data again.
    notifyManager.schedule(() => forgetData(client, session))
  }
  if (session.signed_in) useUi.setState({ farewell: undefined })
  else if (before?.signed_in && farewell) useUi.setState({ farewell })
}

/** Asks again who is signed in. @param because what made us doubt it */
export async function recheckSession(
  client: QueryClient,
  because = new Problem('signed_out'),
): Promise<void> {
  try {
    applySession(client, await getSession(), { kind: 'ended', problem: because })
  } catch {
    // What is on the screen came from the same server, and every request to it is checked there.
  }
}

/** Ends the session; when the server cannot be told, forgets everything here all the same and says so. */
export async function signOut(client: QueryClient): Promise<void> {
  let farewell: Farewell = { kind: 'done' }
  try {
    await deleteSession()
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('unknown', { cause: error })
    if (problem.code !== 'signed_out') farewell = { kind: 'untold', problem }
  }
  useUi.setState({ farewell })
  if (farewell.kind === 'done') await client.resetQueries({ queryKey: sessionQuery.queryKey })
  else client.removeQueries({ queryKey: sessionQuery.queryKey })
  forgetData(client)
  forgetQuota()
}

/** A page out of the browser's memory, or one that was out of sight, may be older than the session it shows. */
export function useSessionGuard(): void {
  const client = useQueryClient()
  const doubt = useUi((ui) => (ui.quotaProblem?.status === 401 ? ui.quotaProblem : undefined))
  useEffect(() => {
    if (doubt && client.getQueryData(sessionQuery.queryKey)?.signed_in) void recheckSession(client, doubt)
  }, [doubt, client])
  useEffect(() => {
    const look = async (): Promise<void> => {
      noticeSleep()
      const before = client.getQueryData(sessionQuery.queryKey)
      if (before === undefined) return
      await recheckSession(client)
      if (client.getQueryData(sessionQuery.queryKey)?.signed_in) await readQuota()
    }
    const onVisible = (): void => {
      if (!document.hidden) void look()
    }
    const onHide = (): void => useUi.setState({ veiled: true })
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) void look().finally(() => useUi.setState({ veiled: false }))
      else useUi.setState({ veiled: false })
    }
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [client])
}
