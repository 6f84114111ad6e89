/** The record before the last press. The page sets it and never asks for it; it goes with the session. */
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { SignedIn } from '../../contract/session.ts'

export interface Before {
  text: string
  /** UNIX milliseconds. */
  readAtMs: number
}

export const beforeQuery = (session: SignedIn) =>
  queryOptions<Before>({ queryKey: ['before', session.id], queryFn: skipToken })
