/** A query asks once unless its file says otherwise. A mutation may cost, so none repeats itself or waits. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getAnswer, organizationAddress, type ReceivedAnswer, requestJson } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

/** @param onProblem runs once for each failed query or mutation */
export function createQueryClient(onProblem: (problem: Problem) => void): QueryClient {
  const onError = (error: unknown): void => onProblem(asProblem(error))
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: Infinity,
        retry: false,
        retryOnMount: false,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // With the default, a request that failed offline would be sent later.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** The age of a copy is in whole seconds. */
const SAME_READ_MS = 2 * SECOND_MS
const readAtMs = ({ atMs, ageMs }: ReceivedAnswer): number => atMs - ageMs

function noneIfMissing(error: unknown): null {
  if (asProblem(error).code !== 'costs_a_request') throw error
  return null
}

/**
 * The stored copy, which is free, or `null`: another tab or window may have paid for a newer one, or for
 * the first. The key is the session's, as two API keys have the same address.
 */
export const organizationQuery = (session: SignedIn) =>
  queryOptions({
    queryKey: ['organization', session.id],
    queryFn: async ({ client, queryKey }): Promise<ReceivedAnswer | null> => {
      const copy = await getAnswer(organizationAddress(session)).catch(noneIfMissing)
      const shown = client.getQueryData<ReceivedAnswer | null>(queryKey) ?? null
      if (copy === null || copy.text !== shown?.text) return copy ?? shown
      // This browser's clock may have been set back.
      const isOfFuture = shown.atMs > Date.now()
      return !isOfFuture && readAtMs(copy) < readAtMs(shown) + SAME_READ_MS ? shown : copy
    },
    refetchOnWindowFocus: ({ state: { data } }) => (data === undefined ? false : 'always'),
    refetchInterval: ({ state: { data } }) => data !== undefined && MINUTE_MS,
  })

/** A free list of the session, asked for each time its page opens: other browsers change it too. */
export const listQuery = <List>(name: string, { id }: SignedIn, path: string, of: (body: never) => List) =>
  queryOptions({
    queryKey: [name, id],
    queryFn: async () => of(await requestJson<never>(path)),
    gcTime: 0,
  })
