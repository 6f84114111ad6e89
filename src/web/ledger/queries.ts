/** Reads the ledger, which is free: when its page opens, and when a person asks for more. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import {
  type LedgerBrowser,
  type LedgerPage,
  parseLedger,
  parseLedgerBrowsers,
} from '../../contract/ledger.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson, unlessGone } from '../lib/api.ts'

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

/** A server of an earlier version, during an update, has no sums by browser. */
export const ledgerBrowsersQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['ledger-browsers', id],
    queryFn: async (): Promise<LedgerBrowser[]> => {
      const body = await requestJson(BFF.ledgerBrowsers).catch(unlessGone)
      return body === undefined ? [] : parseLedgerBrowsers(body).browsers
    },
    gcTime: 0,
  })
