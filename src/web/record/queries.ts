/** What the page knows of an organization's record beside the record: it is set, never asked for, and goes with the session. */
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { SignedIn } from '../../contract/session.ts'

/** What the page showed before the last press. */
export interface Before {
  text: string
  /** UNIX milliseconds. */
  readAtMs: number
}

export const beforeQuery = (session: SignedIn) =>
  queryOptions<Before>({ queryKey: ['before', session.id], queryFn: skipToken })
