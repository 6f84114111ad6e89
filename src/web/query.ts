/** The only file that decides when a query asks by itself: never again, once it was answered. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { asProblem, type Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { getAnswer, getSession, organizationAddress, sendAs } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

/** @param onProblem is called once for each query and mutation that failed */
export function createQueryClient(onProblem: (problem: Problem, client: QueryClient) => void): QueryClient {
  const onError = (error: unknown): void => onProblem(asProblem(error), client)
  const client: QueryClient = new QueryClient({
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
  return client
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await getSession()
    sendAs(session)
    return session
  },
})

/** Asks for the copy, which is free; no query spends. Keyed by session: two API keys have the same address. */
export const organizationQuery = (session: SignedIn) =>
  queryOptions({
    queryKey: ['organization', session.id],
    queryFn: () => getAnswer(organizationAddress(session), { spend: false }),
  })

/** Under it stands `true` where this page saw the session open, which read the record (4.4). */
export const freshKey = ({ id }: SignedIn) => ['fresh', id]
