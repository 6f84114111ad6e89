import { useId } from 'react'
import type { LedgerBrowser, LedgerDay } from '../../contract/ledger.ts'
import { browserWords } from '../lib/browser-words.ts'
import { rangeText, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { Bar } from '../components/bar.tsx'

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
