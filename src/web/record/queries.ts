/**
 * Keeps the record before the last press. The page sets it and never asks for it, and it goes with the
 * session.
 */
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { SignedIn } from '../../contract/session.ts'

/** The answer that the page showed before the last press. */
export interface Before {
  text: string
  /** UNIX milliseconds. */
  readAtMs: number
}

export const beforeQuery = (session: SignedIn) =>
  queryOptions<Before>({ queryKey: ['before', session.id], queryFn: skipToken })
