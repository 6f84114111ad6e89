/** A query asks once unless its file says otherwise. A mutation may cost, so none repeats itself or waits. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import type { LedgerDays } from '../../contract/ledger.ts'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getAnswer, organizationAddress, requestJson } from './api.ts'

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

/** The stored copy, which is free. The key is the session's, because two API keys have the same address. */
export const organizationQuery = (session: SignedIn) =>
  queryOptions({
    queryKey: ['organization', session.id],
    queryFn: () => getAnswer(organizationAddress(session)),
  })

/** A free list of the session, asked for each time its page opens: other browsers change it too. */
export const listQuery = <List>(name: string, { id }: SignedIn, path: string, of: (body: never) => List) =>
  queryOptions({
    queryKey: [name, id],
    queryFn: async () => of(await requestJson<never>(path)),
    gcTime: 0,
  })

/** The requests of the month by day, for the chart and the ledger. */
export const ledgerDaysQuery = (session: SignedIn) =>
  listQuery('ledger-days', session, BFF.ledgerDays, ({ days }: LedgerDays) => days)
