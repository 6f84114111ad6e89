/** Keeps the page up to date while a person is signed in. */
import { useEffect } from 'react'
import { asProblem } from '../../contract/problem.ts'
import { parseQuota } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { joinLive } from './leader.ts'
import type { LivePage } from './stream.ts'
import { applySnapshot, readQuota } from '../quota/quota.ts'
import { currentSession, idOf, recheckSession } from '../session/session.ts'
import { useUi } from '../lib/ui.ts'

/** After a sign-in in another tab, a request before the next cookie arrives would find no session. */
const REPLACED_MS = 300

/** Draws nothing. */
export function Live({ session: { id } }: { session: SignedIn }) {
  useEffect(() => {
    const page = pageOf(id)
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
  }, [id])
  return null
}

function pageOf(id: string): LivePage {
  const isShown = (): boolean => idOf(currentSession()) === id
  return {
    confirm: async (because) => (await recheckSession(because)) && isShown(),
    onState: (live, retryInMs) =>
      useUi.setState((before) => ({
        live,
        liveRetryAtMs: performance.now() + retryInMs,
        notLiveSinceMs: before.live === 'not_live' ? before.notLiveSinceMs : Date.now(),
      })),
    onEvent: ({ name, data }) => {
      if (!isShown()) return
      if (name === 'session') setTimeout(() => void recheckSession(), REPLACED_MS)
      if (name !== 'quota') return
      try {
        applySnapshot(parseQuota(JSON.parse(data)))
      } catch (error) {
        useUi.setState({ quotaProblem: asProblem(error) })
      }
    },
  }
}
