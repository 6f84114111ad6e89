/** Reads the last months, which is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { parseMonths } from '../../contract/months.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'

export const monthsQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['months', id],
    queryFn: async () => parseMonths(await requestJson(BFF.months)).months,
    gcTime: 0,
  })
