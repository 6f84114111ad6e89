/** Reads the ledger, which is free: when its page opens, and when a person asks for more. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import type { LedgerBrowsers, LedgerPage } from '../../contract/ledger.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

const getPage = (next: string): Promise<LedgerPage> =>
  requestJson(next === '' ? BFF.ledger : `${BFF.ledger}?${new URLSearchParams({ next })}`)

export const ledgerQuery = ({ id }: SignedIn) =>
  infiniteQueryOptions({
    queryKey: ['ledger', id],
    queryFn: ({ pageParam }) => getPage(pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  })

export const ledgerBrowsersQuery = (session: SignedIn) =>
  listQuery('ledger-browsers', session, BFF.ledgerBrowsers, ({ browsers }: LedgerBrowsers) => browsers)
