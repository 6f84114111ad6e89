/** Reads the ledger, which is free: when its page opens, and when a person asks for more. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { type LedgerEntry, type LedgerPage, parseLedger } from '../../contract/ledger.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'

const getPage = async (next: string): Promise<LedgerPage> =>
  parseLedger(await requestJson(next === '' ? BFF.ledger : `${BFF.ledger}?${new URLSearchParams({ next })}`))

export const ledgerQuery = ({ id }: SignedIn) =>
  infiniteQueryOptions({
    queryKey: ['ledger', id],
    queryFn: ({ pageParam }) => getPage(pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  })

/** A file has no more rows than this. */
export const MOST_ROWS = 10_000

/** Newest first: at most the newest MOST_ROWS. */
export async function getAllEntries(): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  let next: string | undefined = ''
  while (next !== undefined && entries.length < MOST_ROWS) {
    const page: LedgerPage = await getPage(next)
    entries.push(...page.entries)
    next = page.next
  }
  return entries.slice(0, MOST_ROWS)
}
