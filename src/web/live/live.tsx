/** Keeps the page up to date. */
import { useEffect } from 'react'
import { asProblem } from '../../contract/problem.ts'
import { parseQuota } from '../../contract/quota.ts'
import { joinLive } from './leader.ts'
import type { LivePage } from './stream.ts'
import { applySnapshot, readQuota } from '../quota/quota.ts'
import { currentSession, idOf, recheckSession } from '../session/session.ts'
import { useUi } from '../lib/ui.ts'

/** After a sign-in in another tab, a request before the next cookie arrives would find no session. */
const REPLACED_MS = 300

/** Whose changes the page shows. */
export interface LiveOwner {
  /** False once the page shows another one. */
  isShown: () => boolean
  confirm: LivePage['confirm']
  /** The server has said that it is over. */
  onEnd: () => void
}

export const sessionOwner = (id: string): LiveOwner => {
  const isShown = (): boolean => idOf(currentSession()) === id
  return {
    isShown,
    confirm: async (because) => (await recheckSession(because)) && isShown(),
    onEnd: () => setTimeout(() => void recheckSession(), REPLACED_MS),
  }
}

/** Draws nothing. @param id of the session or of the watch link @param ownerOf stays the same function */
export function Live({ id, ownerOf }: { id: string; ownerOf: (id: string) => LiveOwner }) {
  useEffect(() => {
    const page = pageOf(ownerOf(id))
    const join = () => joinLive(id, page, () => void readQuota())
    let stream = join()
    const onVisible = (): void => {
      if (!document.hidden) stream.check()
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
  }, [id, ownerOf])
  return null
}

function pageOf({ isShown, confirm, onEnd }: LiveOwner): LivePage {
  return {
    confirm,
    onState: (live, retryInMs) =>
      useUi.setState((before) => ({
        live,
        liveRetryAtMs: performance.now() + retryInMs,
        notLiveSinceMs: before.live === 'not_live' ? before.notLiveSinceMs : Date.now(),
      })),
    onEvent: ({ name, data }) => {
      if (!isShown()) return
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
