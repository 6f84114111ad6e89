import { DAY_MS } from '../../contract/duration.ts'
import type { Connection } from './connection.ts'
import { kindCountOf } from '../shared/ledger-cache.ts'
import { type DayRows, daysOf, type Gathered } from './counts.ts'
import type { Cache } from './cache.ts'
import { LEDGER_SCRIPTS } from './scripts/ledger.ts'
import type { LedgerWriter } from './ledger-writer.ts'
import type { DayCount, Ledger, LedgerCounts, LedgerRow } from '../store.ts'

export const ledger = ({ run }: Connection, writer: LedgerWriter): Ledger => ({
  reserve: (entry, admission) => writer.reserve(entry, admission),
  settle: (entryId, settlement, atMs) => writer.settle(entryId, settlement, atMs),
  async attribute(unproven, organization, atMs) {
    await run(LEDGER_SCRIPTS.attribute, unproven, organization, atMs + DAY_MS)
  },
  readAdmissionState: (organization, asked) => writer.readAdmissionState(organization, asked),
  async listEntries(organization, { sinceMs, untilMs, before, most }) {
    const first = before === undefined ? ['until', untilMs ?? '+inf'] : ['after', before]
    const rows = await run(LEDGER_SCRIPTS.listEntries, organization, most, ...first)
    if (rows === null) return undefined
    return (rows as EntryRow[]).map(ledgerRowOf).filter(({ atMs }) => atMs >= sinceMs)
  },
})

/** The fields in the order in which the script answers them. */
const FIELDS = [
  'id',
  'organization',
  'token',
  'kind',
  'method',
  'path',
  'initiator',
  'owner',
  'atMs',
  'outcome',
  'status',
] as const

type EntryRow = (string | null)[]

function ledgerRowOf(row: EntryRow): LedgerRow {
  const present = FIELDS.map((name, nth) => [name, row[nth]] as const).filter(([, value]) => value !== null)
  const { atMs, status, ...texts } = Object.fromEntries(present)
  return {
    outcome: 'reserved',
    ...texts,
    atMs: Number(atMs),
    ...(status !== undefined && { status: Number(status) }),
  } as LedgerRow
}

/** @param state of the cached ledger; while it is the same, no counts are answered */
async function gather(run: Connection['run'], organization: string, sinceMs: number, state = '') {
  const instants = JSON.stringify([sinceMs])
  return (await run(LEDGER_SCRIPTS.gather, organization, instants, state)) as [string, Gathered?]
}

/** The counts of days, the newest day first, each in the order of its sorts. */
const dayCountsOf = (days: DayRows): DayCount[] =>
  days
    .toReversed()
    .flatMap(([startMs, sorts]) =>
      sorts
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([sort, count]) => ({ startMs, ...kindCountOf(sort, count) })),
    )

export const ledgerCounts = ({ run }: Connection, cache: Cache): LedgerCounts => ({
  async countByKind(organization, sinceMs) {
    const latest = cache.ledgers.stateOf(organization)
    const isKnown = latest !== undefined && cache.ledgers.counts(organization, sinceMs, latest)
    for (let asked = isKnown ? latest : undefined; ; asked = undefined) {
      const [state, gathered] = await gather(run, organization, sinceMs, asked)
      const counts =
        gathered === undefined
          ? cache.ledgers.counts(organization, sinceMs, state)
          : cache.readCounts(organization, [sinceMs], { state, gathered })[0]
      if (counts !== undefined) return counts
    }
  },
  async countByDay(organization, sinceMs) {
    const [, gathered] = await gather(run, organization, sinceMs - (sinceMs % DAY_MS))
    const days = daysOf(gathered as Gathered)
    cache.restorable.read(organization, days)
    return dayCountsOf(days)
  },
  async countUnanswered(organization, sinceMs, atMs) {
    return (await run(LEDGER_SCRIPTS.countUnanswered, organization, sinceMs, atMs)) as number
  },
  async countSent(token, kinds, sinceMs) {
    return (await run(LEDGER_SCRIPTS.countSent, token, JSON.stringify(kinds), sinceMs)) as number
  },
  async countInFlight(token, kinds, sinceMs) {
    return (await run(LEDGER_SCRIPTS.countInFlight, token, JSON.stringify(kinds), sinceMs)) as number
  },
  async countEachInFlight(tokens, kinds, sinceMs) {
    const counts = await run(LEDGER_SCRIPTS.countEachInFlight, JSON.stringify(kinds), sinceMs, ...tokens)
    return counts as number[]
  },
})
