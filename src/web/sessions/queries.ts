/** Asks for the person's own sessions, and ends them: all of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import type { SignedIn } from '../../contract/session.ts'
import { parseOwnSessions } from '../../contract/sessions.ts'
import { requestJson, unlessGone } from '../lib/api.ts'

/** Asked for each time the list is opened, since other browsers change it. */
export const ownSessionsQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['sessions', id],
    queryFn: async () => parseOwnSessions(await requestJson(BFF.sessions)).sessions,
    gcTime: 0,
  })

/** Ends one of one's own sessions; one that has ended already is no failure. */
export async function deleteOwnSession(id: string): Promise<void> {
  await requestJson(`${BFF.sessions}/${id}`, { method: 'DELETE' }).catch(unlessGone)
}

/** Ends all of one's own sessions but this one. */
export async function deleteOtherSessions(): Promise<void> {
  await requestJson(BFF.sessions, { method: 'DELETE' })
}
