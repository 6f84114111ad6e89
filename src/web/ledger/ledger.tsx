import { useInfiniteQuery, useQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { listQuery } from '../lib/query.ts'
import { LedgerEntries } from './entries.tsx'
import { useMonthDays, useQuota } from '../quota/query.ts'
import { SidePage } from '../layout/side-page.tsx'
import { words } from '../text/text.ts'
import { BFF } from '../../contract/api.ts'
import type { LedgerBrowsers, LedgerPage, LedgerBrowser, LedgerDay } from '../../contract/ledger.ts'
import { requestJson } from '../lib/api.ts'
import { browserWords } from '../lib/words.ts'
import { rangeText, utcDayWords } from '../text/format.ts'
import { Bar } from '../components/bar.tsx'

export function Ledger({ session }: { session: SignedIn }) {
  const days = useMonthDays(BFF.ledgerDays)
  const pages = useInfiniteQuery(ledgerQuery(session))
  const browsers = useQuery(ledgerBrowsersQuery(session))
  const queries = [pages, days, browsers]
  const refetch = (): unknown => Promise.all(queries.map((query) => query.refetch()))
  const isFetching = queries.some((query) => query.isFetching)
  const error = pages.error ?? days.error ?? browsers.error
  const t = words().ledger
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead, t.others]}
      links={{ months: words().months.title }}
      beside={<Reload readAtMs={browsers.dataUpdatedAt} onPress={refetch} />}
      asked={{ data: days.data, error, isFetching, refetch, loading: t.loading }}
      below={pages.data && <LedgerEntries pages={pages.data.pages} busy={isFetching} more={pages} />}
    >
      {days.data && <ChartSection />}
      {days.data && <Use days={days.data.days} browsers={browsers.data ?? []} />}
    </SidePage>
  )
}

/** Absent for a plan without a limit, and while the month turns. */
function ChartSection() {
  const id = useId()
  const isShown = useQuota(({ snapshot: { month } }) => month.limit !== undefined && !month.may_have_reset)
  if (!isShown) return null
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{words().month.bar.label}</h2>
      <MonthChart path={BFF.ledgerDays} large />
    </section>
  )
}

/** A press updates the list; it does not change while somebody reads it. */
function Reload({ readAtMs, onPress }: { readAtMs: number; onPress: () => void }) {
  const newest = useQuota(({ snapshot: { recent } }) => recent?.[0]?.id ?? '')
  const [read, setRead] = useState({ readAtMs, newest })
  if (read.readAtMs !== readAtMs || (read.newest === undefined && newest !== undefined))
    setRead({ readAtMs, newest })
  const t = words().ledger
  return (
    <div className="stack">
      <button type="button" onClick={onPress}>
        {t.reload}
      </button>
      {read.newest !== newest && <p className="quiet">{t.changed}</p>}
    </div>
  )
}

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

interface UseProps {
  days: readonly LedgerDay[]
  browsers: readonly LedgerBrowser[]
}

/** The requests that count, or may count, by kind, by browser and by day. */
export function Use({ days, browsers }: UseProps) {
  const t = words().ledger
  if (days.length === 0) return <p className="card">{t.none}</p>
  return (
    <div className="card">
      <div className="sums">
        <Bars title={t.byKind} name={t.members.kind} rows={sumsBy(days, ({ kind }) => t.kind[kind])} />
        {browsers.length > 0 && (
          <Bars title={t.byBrowser} name={t.members.browser} rows={browsers.map(inWords)} />
        )}
        <Bars title={t.byDay} name={t.day} rows={sumsBy(days, ({ day }) => utcDayWords(day))} />
      </div>
    </div>
  )
}

const inWords = ({ browser, ...sum }: LedgerBrowser): Sum => ({
  name: browser === undefined ? words().ledger.unknownBrowser : browserWords(browser),
  ...sum,
})

interface Sum {
  name: string
  low: number
  high: number
}

function sumsBy(days: readonly LedgerDay[], nameOf: (day: LedgerDay) => string): Sum[] {
  const sums = new Map<string, Sum>()
  for (const day of days) {
    const name = nameOf(day)
    const sum = sums.get(name) ?? { name, low: 0, high: 0 }
    sums.set(name, { name, low: sum.low + day.low, high: sum.high + day.high })
  }
  return [...sums.values()]
}

function Bars({ title, name, rows }: { title: string; name: string; rows: readonly Sum[] }) {
  const id = useId()
  const most = Math.max(1, ...rows.map(({ high }) => high))
  return (
    <div>
      <h2 id={id}>{title}</h2>
      <table className="table" data-bars="" aria-labelledby={id}>
        <thead className="unseen">
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{words().ledger.thatCount}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              <td>{rangeText(row)}</td>
              <td aria-hidden="true">
                <Bar
                  isRow
                  parts={[
                    { kind: 'first', share: row.low / most },
                    { kind: 'unknown', share: (row.high - row.low) / most },
                  ]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
