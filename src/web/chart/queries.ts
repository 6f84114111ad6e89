/** Reads the days of the month, which is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { parseLedgerDays } from '../../contract/ledger.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'

export const ledgerDaysQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['ledger-days', id],
    queryFn: async () => parseLedgerDays(await requestJson(BFF.ledgerDays)).days,
    gcTime: 0,
  })
