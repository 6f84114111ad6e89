/** What the pages of watch links ask for. All of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import type { SignedIn } from '../../contract/session.ts'
import { WATCH, type Watching } from '../../contract/watch.ts'
import type { LinkRequest, MadeLink, WatchLink, WatchLinks } from '../../contract/watch-links.ts'
import { requestJson, unlessGone } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

/** Others make and withdraw links too. */
export const linksQuery = (session: SignedIn) =>
  queryOptions({
    ...listQuery('watch-links', session, BFF.watchLinks, ({ links }: WatchLinks) => links),
    refetchInterval: 30 * SECOND_MS,
    refetchOnWindowFocus: 'always',
  })

export const addLink = (body: LinkRequest): Promise<MadeLink> =>
  requestJson(BFF.watchLinks, { method: 'POST', body })

/** Withdrawing one that is gone already is not an error. */
export async function withdrawLink({ id }: WatchLink): Promise<void> {
  await requestJson(`${BFF.watchLinks}/${id}`, { method: 'DELETE' }).catch(unlessGone)
}

/** @param secret of the address, which becomes a cookie; absent if the browser has the cookie already */
export const watchingQuery = (id: string, secret: string | undefined) =>
  queryOptions({
    queryKey: ['watching', id],
    queryFn: async () => {
      const path = `${WATCH.session}/${id}`
      if (secret !== undefined) await requestJson(path, { method: 'POST', body: { secret } })
      // Also after the exchange: a browser may refuse the cookie.
      return requestJson<Watching>(path)
    },
    // Nobody presses "Try again" on a wall.
    refetchInterval: ({ state: { error } }) => error !== null && error.status !== 401 && 30 * SECOND_MS,
  })

/** @param query `?wall`, or nothing */
export const addressOf = (id: string, secret: string, query = ''): string =>
  `${location.origin}/watch/${id}${query}#${secret}`

/** For a shell. */
export const commandOf = (secret: string): string =>
  // oxlint-disable-next-line plimsoll/texts-in-dictionaries -- a command is the same in every language
  `curl -H "Authorization: Bearer ${secret}" ${location.origin}${WATCH.quota}`
