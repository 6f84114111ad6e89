/** The only file that decides when a query asks by itself: never again, once it was answered. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getAnswer, organizationAddress } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

/** @param onProblem is called once for each query and mutation that failed */
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
        // Else a request that failed offline would be sent by itself later.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Asks for the copy, which is free; no query spends. Keyed by session: two API keys have the same address. */
export const organizationQuery = (session: SignedIn) =>
  queryOptions({
    queryKey: ['organization', session.id],
    queryFn: () => getAnswer(organizationAddress(session), { spend: false }),
  })
