import { useId } from 'react'
import { isSuccess } from '../../contract/answer-meaning.ts'
import { BFF } from '../../contract/api.ts'
import type { LedgerEntry, LedgerPage } from '../../contract/ledger.ts'
import { type Column, Download, Table } from '../components/table.tsx'
import { browserWords } from '../lib/words.ts'
import { dateWords, instantWords } from '../text/format.ts'
import { words } from '../text/text.ts'

interface More {
  hasNextPage: boolean
  fetchNextPage: () => unknown
}

interface LedgerEntriesProps {
  pages: readonly LedgerPage[]
  busy: boolean
  more: More
}

export function LedgerEntries({ pages, busy, more }: LedgerEntriesProps) {
  const id = useId()
  const t = words().ledger
  const loaded = pages.flatMap(({ entries }) => entries)
  const loadMore = (): void => {
    if (!busy) void more.fetchNextPage()
  }
  return (
    <section className="card" aria-labelledby={id} aria-busy={busy}>
      <div className="apart">
        <h2 id={id}>{t.heading}</h2>
        <Download path={`${BFF.ledger}?format=csv`} name="plimsoll-ledger.csv" />
      </div>
      <output className="quiet">{(more.hasNextPage ? t.newest : t.ofMonth)(loaded.length)}</output>
      {loaded.length > 0 && (
        // Two entries can look the same.
        <Table labelledBy={id} columns={columns()} rows={loaded} keyOf={(entry, at) => `${entry.at} ${at}`} />
      )}
      {more.hasNextPage && (
        <button type="button" aria-disabled={busy} onClick={loadMore}>
          {t.loadMore}
        </button>
      )}
    </section>
  )
}

function columns(): Column<LedgerEntry>[] {
  const { members, kind, outcome } = words().ledger
  return [
    { name: members.at, as: 'short', of: ({ at }) => <Instant at={at} /> },
    { name: members.kind, as: 'long', of: (entry) => twoWords(kind[entry.kind], initiatorWords(entry)) },
    { name: members.by, of: Who },
    { name: members.outcome, as: 'short', of: (entry) => withStatus(outcome[entry.outcome], entry.status) },
    { name: members.counts, as: 'long', of: (entry) => twoWords(...countsWords(entry)) },
  ]
}

const Instant = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateWords(Date.parse(at))}>
    {instantWords(Date.parse(at))}
  </time>
)

const twoWords = (word: string, more: string) => (
  <>
    {word} <span className="quiet">· {more}</span>
  </>
)

const withStatus = (word: string, status?: number) => (
  <>
    {word} {status !== undefined && <code>{status}</code>}
  </>
)

/** For the browser of another person, its name is enough. */
function Who({ by, browser }: LedgerEntry) {
  const { [by]: who } = words().ledger.by
  if (browser === undefined) return who
  const name = <bdi>{browserWords(browser)}</bdi>
  if (by === 'another') return name
  return (
    <>
      {who} <span className="quiet">· {name}</span>
    </>
  )
}

/** Says if the request counts in the month, and why (8.3). */
export function countsWords(entry: LedgerEntry): [word: string, why: string] {
  const { counts, reasons } = words().ledger
  return [counts[entry.counts], reasons[reasonOf(entry)]]
}

function reasonOf({ counts, outcome, status = 0 }: LedgerEntry) {
  if (counts === 'yes') return isSuccess(status) ? 'succeeded' : 'refusalsCount'
  if (outcome === 'void') return 'notSent'
  if (counts === 'no') return outcome === 'settled' && !isSuccess(status) ? 'refusalsDoNot' : 'neverCounts'
  if (outcome !== 'settled') return 'unclear'
  return isSuccess(status) ? 'unknownSort' : 'unknownRefusal'
}

/** Says whose request it was, and why it was sent. */
export const initiatorWords = ({ by, initiator }: LedgerEntry): string => {
  const t = words().ledger
  return (by === 'you' ? t.initiator : t.initiatorOfAnother)[initiator]
}
