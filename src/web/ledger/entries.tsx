import { type ReactNode, useId, useState } from 'react'
import {
  INITIATORS,
  type LedgerEntry,
  type LedgerPage,
  OUTCOMES,
  REQUEST_KINDS,
} from '../../contract/ledger.ts'
import { asProblem, type Problem } from '../../contract/problem.ts'
import { browserWords } from '../lib/browser-words.ts'
import { csvOf, saveCsv } from '../lib/csv.ts'
import data from '../components/data.module.css'
import { getAllEntries, MOST_ROWS } from './queries.ts'
import { countsWords, initiatorWords } from './words.ts'
import styles from './ledger.module.css'
import { Notice } from '../components/notice.tsx'
import { dateWords, instantWords } from '../text/format.ts'
import { words } from '../text/text.ts'

interface More {
  hasNextPage: boolean
  fetchNextPage: () => unknown
}

const FILTERS = [
  ['kind', REQUEST_KINDS],
  ['by', ['you', 'another']],
  ['initiator', INITIATORS],
  ['outcome', OUTCOMES],
] as const
type Filter = { [name in (typeof FILTERS)[number][0]]?: string }

export function LedgerEntries({
  pages,
  busy,
  more,
}: {
  pages: readonly LedgerPage[]
  busy: boolean
  more: More
}) {
  const [filter, setFilter] = useState<Filter>({})
  const id = useId()
  const t = words().ledger
  const loaded = pages.flatMap(({ entries }) => entries)
  const shown = loaded.filter((entry) =>
    FILTERS.every(([name]) => filter[name] === undefined || entry[name] === filter[name]),
  )
  const loadMore = (): void => {
    if (!busy) void more.fetchNextPage()
  }
  return (
    <section className={data.card} aria-labelledby={id} aria-busy={busy}>
      <div className={data.top}>
        <h2 id={id}>{t.heading}</h2>
        <Download />
      </div>
      <Choices filter={filter} onChange={setFilter} />
      <output className={data.quiet}>
        {(more.hasNextPage ? t.ofLoaded : t.ofMonth)(shown.length, loaded.length)}
      </output>
      <div className={styles.list}>{shown.length > 0 && <EntryTable entries={shown} labelledBy={id} />}</div>
      {more.hasNextPage && (
        <button type="button" className={styles.more} aria-disabled={busy} onClick={loadMore}>
          {t.loadMore}
        </button>
      )}
    </section>
  )
}

function Choices({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const t = words().ledger
  return (
    <div className={styles.choices}>
      {FILTERS.map(([name, values]) => (
        <label key={name}>
          {t.members[name]}
          <select
            value={filter[name] ?? ''}
            onChange={({ target }) => onChange({ ...filter, [name]: target.value || undefined })}
          >
            <option value="">{t.all}</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {(t[name] as Record<string, string>)[value]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}

const COLUMNS = ['at', 'kind', 'by', 'outcome', 'counts'] as const

function EntryTable({ entries, labelledBy }: { entries: readonly LedgerEntry[]; labelledBy: string }) {
  return (
    <table className={styles.entries} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {words().ledger.members[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, at) => (
          // Two entries can look the same.
          // oxlint-disable-next-line react/no-array-index-key
          <EntryRow key={`${entry.at} ${at}`} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function EntryRow({ entry }: { entry: LedgerEntry }) {
  const { at, kind, outcome, status } = entry
  const [word, why] = countsWords(entry)
  const t = words().ledger
  return (
    <tr>
      <EntryCell name="at">
        <time dateTime={at} title={dateWords(Date.parse(at))}>
          {instantWords(Date.parse(at))}
        </time>
      </EntryCell>
      <EntryCell name="kind">
        {t.kind[kind]} <span className={data.quiet}>· {initiatorWords(entry)}</span>
      </EntryCell>
      <EntryCell name="by">
        <Who {...entry} />
      </EntryCell>
      <EntryCell name="outcome">
        {t.outcome[outcome]} {status !== undefined && <code>{status}</code>}
      </EntryCell>
      <EntryCell name="counts">
        {word} <span className={data.quiet}>· {why}</span>
      </EntryCell>
    </tr>
  )
}

/** For the browser of another person, its name is enough. */
function Who({ by, browser }: LedgerEntry) {
  const { [by]: who } = words().ledger.by
  if (browser === undefined) return who
  const name = <bdi>{browserWords(browser)}</bdi>
  if (by === 'another') return name
  return (
    <>
      {who} <span className={data.quiet}>· {name}</span>
    </>
  )
}

const EntryCell = ({ name, children }: { name: (typeof COLUMNS)[number]; children: ReactNode }) => (
  <td data-member={name}>
    <div>{children}</div>
  </td>
)

/** Names and values are those of `GET /bff/ledger` in every language, because programs read the file too. */
const CSV_COLUMNS = ['at', 'kind', 'initiator', 'by', 'outcome', 'status', 'counts', 'browser'] as const

/** Writes the whole month to a file. */
function Download() {
  const [state, setState] = useState<{ busy: boolean; problem?: Problem; rows?: number }>({ busy: false })
  const run = async (): Promise<void> => {
    if (state.busy) return
    setState({ busy: true })
    try {
      const entries = await getAllEntries()
      saveCsv('plimsoll-ledger.csv', csvOf(CSV_COLUMNS, entries))
      setState({ busy: false, rows: entries.length })
    } catch (error) {
      setState({ busy: false, problem: asProblem(error) })
    }
  }
  const t = words().ledger
  return (
    <div className={styles.again}>
      <button type="button" aria-disabled={state.busy} onClick={() => void run()}>
        {t.download}
      </button>
      {state.rows === MOST_ROWS && <p className={data.quiet}>{t.newestOnly(MOST_ROWS)}</p>}
      {state.problem && <Notice problem={state.problem} />}
    </div>
  )
}
