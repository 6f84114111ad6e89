import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { PATHS } from '../../contract/page.ts'
import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { ChartPlaceholder } from '../chart/placeholder.tsx'
import { ledgerDaysQuery } from '../chart/queries.ts'
import data from '../components/data.module.css'
import { ledgerBrowsersQuery, ledgerQuery } from './queries.ts'
import { LedgerEntries } from './entries.tsx'
import { Use } from './use.tsx'
import { useQuota } from '../quota/query.ts'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { followLink } from '../lib/router.ts'
import { words } from '../text/text.ts'

export function Ledger({ session }: { session: SignedIn }) {
  const days = useQuery(ledgerDaysQuery(session))
  const pages = useInfiniteQuery(ledgerQuery(session))
  const browsers = useQuery(ledgerBrowsersQuery(session))
  const queries = [pages, days, browsers]
  const reload = (): void => void Promise.all(queries.map((query) => query.refetch()))
  const busy = queries.some(({ isFetching }) => isFetching)
  const readAtMs = Math.max(days.dataUpdatedAt, pages.dataUpdatedAt)
  const t = words().ledger
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={useHeading()}
      busy={busy}
      problem={busy ? undefined : (pages.error ?? days.error ?? browsers.error)}
      onAgain={reload}
      lead={
        <>
          <p>{t.lead}</p>
          <p className={data.quiet}>{t.others}</p>
          <p>
            <a href={PATHS.months} onClick={followLink}>
              {words().months.title}
            </a>
          </p>
        </>
      }
      beside={<Reload readAtMs={readAtMs} onPress={reload} />}
      below={pages.data && <LedgerEntries pages={pages.data.pages} busy={busy} more={pages} />}
    >
      {!days.data && days.isFetching && <p className={data.quiet}>{t.loading}</p>}
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
    <section className={data.card} aria-labelledby={id}>
      <h2 id={id}>{words().ledger.chart.heading}</h2>
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
    <div className={data.offer}>
      <button type="button" onClick={onPress}>
        {t.reload}
      </button>
      {read.count !== count && <p className={data.quiet}>{t.changed}</p>}
    </div>
  )
}
