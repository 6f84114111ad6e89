/** The quota as a query, which is free. One rule chooses between two snapshots, whichever way they came. */
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { BFF, QUOTA_HEADER } from '../../contract/api.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { type LedgerDays, utcDayOf } from '../../contract/ledger.ts'
import { nextEnd } from '../../contract/pause.ts'
import type { PriceFacts } from '../../contract/price.ts'
import type { Problem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { WATCH } from '../../contract/watch.ts'
import { requestJson } from '../lib/api.ts'
import { onServer } from '../lib/clock.ts'

/** Whose quota a page shows: its session's, or a watch link's, by their ids. A page never changes it. */
export type QuotaOf = { session: string } | { link: string }

export interface ReceivedQuota {
  snapshot: QuotaSnapshot
  /** Date.now() at receipt: ages and delays run from there, in sleep too. */
  atMs: number
  /** The server's time at receipt, UNIX milliseconds, for dates alone. */
  wallMs: number
}

export const QUOTA_KEY = ['quota'] as const

export const pathOf = (of: QuotaOf, name: 'quota' | 'events'): string =>
  'link' in of ? `${WATCH[name]}/${of.link}` : BFF[name]

const receive = (snapshot: QuotaSnapshot, atMs = Date.now()): ReceivedQuota => ({
  snapshot,
  atMs,
  wallMs: onServer(atMs),
})

/** A restored database has another epoch, and its versions begin anew. */
function newest(kept: ReceivedQuota | undefined, next: ReceivedQuota): ReceivedQuota {
  if (kept === undefined || kept.snapshot.epoch !== next.snapshot.epoch) return next
  // A snapshot that another tab repeats has the same version, and may be an hour old. If this browser's
  // clock was set back, the kept one seems to be of the future.
  const keptAtMs = Math.min(kept.atMs, Date.now())
  const newer = next.snapshot.version - kept.snapshot.version || next.atMs - keptAtMs
  return newer < 0 ? kept : next
}

/** Once for each page, before it is drawn: every use of the quota asks in this way, once for all of them. */
export function openQuota(client: QueryClient, of: QuotaOf): void {
  client.setQueryDefaults(QUOTA_KEY, {
    queryFn: async () => {
      const received = receive(await requestJson<QuotaSnapshot>(pathOf(of, 'quota')))
      return newest(client.getQueryData(QUOTA_KEY), received)
    },
    // A stream renews it as well.
    staleTime: 5 * SECOND_MS,
    refetchOnMount: true,
    retryOnMount: true,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
}

/** @param atMs Date.now() when this browser got it: another tab may have passed it on */
export function putQuota(client: QueryClient, snapshot: QuotaSnapshot, atMs?: number): void {
  const next = receive(snapshot, atMs)
  client.setQueryData<ReceivedQuota>(QUOTA_KEY, (kept) => newest(kept, next), { updatedAt: next.atMs })
}

/** Shows at once what the answer to a press has left. A refusal says as much about it as a success. */
export function putAnswer(client: QueryClient, headers: Headers): void {
  const json = headers.get(QUOTA_HEADER)
  if (json) putQuota(client, JSON.parse(json) as QuotaSnapshot)
}

/** Asks again, for free. */
export const refetchQuota = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: QUOTA_KEY })

/** Absent before the first snapshot. @param select draws again only when its own value changes */
export const useQuota = <T = ReceivedQuota>(select?: (quota: ReceivedQuota) => T): T | undefined =>
  useQuery<ReceivedQuota, Problem, T>({ queryKey: QUOTA_KEY, ...(select && { select }) }).data

/** Why the page could not ask; absent once it could. */
export const useQuotaProblem = (): Problem | null => useQuery<ReceivedQuota>({ queryKey: QUOTA_KEY }).error

/** What prices depend on, by the newest that this page knows. */
export const usePriceFacts = (session: PriceFacts): PriceFacts =>
  useQuota(({ snapshot }) => snapshot) ?? session

export const MONTH_DAYS_KEY = ['month-days'] as const

/**
 * The requests of the month by day, and its readings. It asks again with each new day and each new count,
 * because a page may stay open for months.
 * @param path of the session's, or of a watch link's
 */
export function useMonthDays(path: string) {
  const state = useQuota(({ snapshot: { month }, wallMs }) => {
    const readAtMs = month.organization ? wallMs - month.organization.reading_age_ms : 0
    return `${utcDayOf(wallMs)} ${Math.round(readAtMs / MINUTE_MS)}`
  })
  return useQuery({
    queryKey: [...MONTH_DAYS_KEY, path, state],
    queryFn: () => requestJson<LedgerDays>(path),
    enabled: state !== undefined,
    placeholderData: keepPreviousData,
    // Nobody presses "Try again" on a wall.
    refetchInterval: ({ state }) => state.error !== null && 30 * SECOND_MS,
    // A press on the page before may have added a request.
    refetchOnMount: 'always',
    gcTime: 0,
  })
}

/** The clock of the server may be late: the page asks this much after an end. */
const GRACE_MS = SECOND_MS
/** A timer of a browser goes no further than 24.8 days. */
const LONGEST_MS = 24 * DAY_MS

/** Asks when a pause or the month ends, if the page is visible then. Never at an interval. */
export function useQuotaEnds(): void {
  useQuery<ReceivedQuota>({
    queryKey: QUOTA_KEY,
    refetchInterval: ({ state: { data, error } }) => {
      if (data === undefined) return false
      if (error) return MINUTE_MS
      return Math.min(LONGEST_MS, nextEnd(data.snapshot, Date.now() - data.atMs) + GRACE_MS)
    },
  })
}
