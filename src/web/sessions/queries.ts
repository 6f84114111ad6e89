/** Reads and ends the person's own sessions, and names the browser. All of it is free. */
import { BFF } from '../../contract/api.ts'
import type { OwnSession, OwnSessions, SignedIn } from '../../contract/session.ts'
import { requestJson, unlessGone } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

export const ownSessionsQuery = (session: SignedIn) =>
  listQuery('sessions', session, BFF.sessions, ({ sessions }: OwnSessions) => sessions)

/** Ends one, or all others. Ending one that no longer exists is not an error. */
export async function endSessions(of: OwnSession | readonly OwnSession[]): Promise<void> {
  if ('id' in of) await requestJson(`${BFF.sessions}/${of.id}`, { method: 'DELETE' }).catch(unlessGone)
  else await requestJson(BFF.sessions, { method: 'DELETE' })
}

/** An empty name removes the chosen one. */
export async function putBrowserName(name: string): Promise<void> {
  await requestJson(BFF.browser, { method: 'PUT', body: { name } })
}
