/** Keeps the page up to date. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { asProblem } from '../../contract/problem.ts'
import { parseQuota } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { joinLive } from './leader.ts'
import type { LivePage } from './stream.ts'
import { applySnapshot, noticeSleep, readQuota } from '../quota/quota.ts'
import { isSameSession } from '../session/query.ts'
import { useUi } from '../lib/ui.ts'

/** After a sign-in in another tab, a request before the next cookie arrives would find no session. */
const REPLACED_MS = 300

/** Whose changes the page shows. */
export interface LiveOwner {
  /** Of the session or of the watch link. */
  id: string
  confirm: LivePage['confirm']
  /** The server has said that it is over. */
  onEnd: () => void
}

export const sessionOwner = (client: QueryClient, session: SignedIn): LiveOwner => ({
  id: session.id,
  confirm: (because) => isSameSession(client, session, because),
  onEnd: () => setTimeout(() => void isSameSession(client, session), REPLACED_MS),
})

/** Draws nothing. @param owner stays the same object */
export function Live({ owner }: { owner: LiveOwner }) {
  useEffect(() => {
    const page = pageOf(owner)
    const join = () => joinLive(owner.id, page, () => void readQuota())
    let stream = join()
    const onVisible = (): void => {
      noticeSleep()
      if (document.hidden) return
      void readQuota()
      stream.check()
    }
    const onOnline = (): void => stream.check()
    const onOffline = (): void => stream.drop()
    // A page in the browser's memory must hold neither the lock nor the connection.
    const onHide = (): void => stream.stop()
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) stream = join()
    }
    const listeners = [
      [document, 'visibilitychange', onVisible],
      [window, 'online', onOnline],
      [window, 'offline', onOffline],
      [window, 'pagehide', onHide],
      [window, 'pageshow', onShow],
    ] as const
    for (const [on, name, listener] of listeners) on.addEventListener(name, listener as EventListener)
    return () => {
      for (const [on, name, listener] of listeners) on.removeEventListener(name, listener as EventListener)
      stream.stop()
      useUi.setState({ live: 'connecting' })
    }
  }, [owner])
  return null
}

function pageOf({ confirm, onEnd }: LiveOwner): LivePage {
  return {
    confirm,
    onState: (live, retryInMs) =>
      useUi.setState((before) => ({
        live,
        liveRetryAtMs: performance.now() + retryInMs,
        notLiveSinceMs: before.live === 'not_live' ? before.notLiveSinceMs : Date.now(),
      })),
    onEvent: ({ name, data }) => {
      if (name === 'session') onEnd()
      if (name !== 'quota') return
      try {
        applySnapshot(parseQuota(JSON.parse(data)))
      } catch (error) {
        useUi.setState({ quotaProblem: asProblem(error) })
      }
    },
  }
}
