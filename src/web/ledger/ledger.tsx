import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { ChartPlaceholder } from '../chart/placeholder.tsx'
import { ledgerDaysQuery } from '../lib/query.ts'
import { ledgerBrowsersQuery, ledgerQuery } from './queries.ts'
import { LedgerEntries } from './entries.tsx'
import { Use } from './use.tsx'
import { useQuota } from '../quota/query.ts'
import { SidePage } from '../layout/side-page.tsx'
import { words } from '../text/text.ts'

export function Ledger({ session }: { session: SignedIn }) {
  const days = useQuery(ledgerDaysQuery(session))
  const pages = useInfiniteQuery(ledgerQuery(session))
  const browsers = useQuery(ledgerBrowsersQuery(session))
  const queries = [pages, days, browsers]
  const refetch = (): void => void Promise.all(queries.map((query) => query.refetch()))
  const isFetching = queries.some((query) => query.isFetching)
  const error = pages.error ?? days.error ?? browsers.error
  const readAtMs = Math.max(days.dataUpdatedAt, pages.dataUpdatedAt)
  const t = words().ledger
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead, t.others]}
      links={{ months: words().months.title }}
      beside={<Reload readAtMs={readAtMs} onPress={refetch} />}
      asked={{ data: days.data, error, isFetching, refetch, loading: t.loading }}
      below={pages.data && <LedgerEntries pages={pages.data.pages} busy={isFetching} more={pages} />}
    >
      {days.data && <ChartSection session={session} />}
      {days.data && <Use days={days.data} browsers={browsers.data ?? []} />}
    </SidePage>
  )
}

/** Absent for a plan without a limit, and while the month turns. */
function ChartSection({ session }: { session: SignedIn }) {
  const id = useId()
  const isShown = useQuota(({ snapshot: { month } }) => month.limit !== undefined && !month.may_have_reset)
  if (!isShown) return null
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{words().month.bar.label}</h2>
      <Suspense fallback={<ChartPlaceholder large />}>
        <MonthChart session={session} large />
      </Suspense>
    </section>
  )
}

/** A press updates the list; it does not change while somebody reads it. */
function Reload({ readAtMs, onPress }: { readAtMs: number; onPress: () => void }) {
  const count = useQuota(({ snapshot: { month } }) => `${month.low} ${month.high}`)
  const [read, setRead] = useState({ readAtMs, count })
  if (read.readAtMs !== readAtMs || (read.count === undefined && count !== undefined))
    setRead({ readAtMs, count })
  const t = words().ledger
  return (
    <div className="stack">
      <button type="button" onClick={onPress}>
        {t.reload}
      </button>
      {read.count !== count && <p className="quiet">{t.changed}</p>}
    </div>
  )
}
