/** The query client of the session in use. A change of the session drops it. */
import type { QueryClient } from '@tanstack/react-query'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { createQueryClient } from '../lib/query.ts'
import { idOf, useSessionState } from './session.ts'

let currentClient: { id: string; client: QueryClient } | undefined
useSessionState.subscribe(({ session }) => {
  if (idOf(session) !== currentClient?.id) currentClient = undefined
})

/** It holds all data of the page beside the quota. */
export function clientOf({ id }: SignedIn, onProblem: (problem: Problem) => void): QueryClient {
  if (currentClient?.id !== id) currentClient = { id, client: createQueryClient(onProblem) }
  return currentClient.client
}
