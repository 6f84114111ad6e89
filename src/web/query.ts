/** The only file that says when a query asks by itself: never again, once it was answered. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { getOrganization, getSession, organizationAddress } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem('unknown', { cause: error })

/** @param onProblem hears of everything that failed, once */
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

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: getSession })

/** Asks for the copy, which is free; to spend is never a query's business. */
export const organizationQuery = (session: SignedIn) =>
  queryOptions({
    queryKey: ['organization', organizationAddress(session)],
    queryFn: () => getOrganization(organizationAddress(session), { spend: false }),
  })
