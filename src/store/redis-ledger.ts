/** The ledger in Redis. */
import { type Memory, readAdmissionState, reserveAdmitted } from './redis-admission.ts'
import { ADMISSION_SCRIPTS } from './redis-admission-scripts.ts'
import type { Connection } from './redis-connection.ts'
import { countsSince, daysOf, type Gathered, kindCountOf } from './redis-counts.ts'
import { LEDGER_SCRIPTS } from './redis-ledger-scripts.ts'
import type { Queue } from './redis-queue.ts'
import type { Seen } from './redis-seen.ts'
import type { LedgerRow, Store } from './store.ts'

const DAY_MS = 86_400_000

type Part<Name extends keyof Store> = Pick<Store, Name>

export const ledger = (
  connection: Connection,
  queue: Queue,
  memory: Memory,
): Part<'reserve' | 'settle' | 'attribute' | 'listEntries' | 'readAdmissionState'> => ({
  async reserve(entry, admission) {
    const organization =
      admission === undefined
        ? ((await connection.run(LEDGER_SCRIPTS.reserve, JSON.stringify(entry))) as string)
        : await queue.run(`organization ${entry.organization}`, () =>
            reserveAdmitted(connection, memory, entry, admission),
          )
    memory.seen.add(organization, entry.atMs, `${entry.kind} reserved 0`, 1)
  },
  async settle(entryId, { outcome, status }, atMs) {
    const settled = await connection.run(LEDGER_SCRIPTS.settle, entryId, outcome, status ?? '', atMs)
    if (settled === null) return
    const [organization, requestAtMs, before, after] = settled as [string, string, string, string]
    memory.seen.add(organization, Number(requestAtMs), after, 1)
    memory.seen.add(organization, Number(requestAtMs), before, -1)
  },
  async attribute(unproven, organization, atMs) {
    await connection.run(LEDGER_SCRIPTS.attribute, unproven, organization, atMs + DAY_MS)
  },
  readAdmissionState: (organization, asked) => readAdmissionState(connection, memory, organization, asked),
  async listEntries(organization, { sinceMs, before, most }) {
    const isAfter = before === undefined ? 0 : 1
    const rows = await connection.run(LEDGER_SCRIPTS.listEntries, organization, before ?? '', most, isAfter)
    if (rows === null) return undefined
    return (rows as EntryRow[]).map(ledgerRowOf).filter(({ atMs }) => atMs >= sinceMs)
  },
})

/** The names of the fields in the order in which the script answers them. */
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
  const known = FIELDS.map((name, nth) => [name, row[nth]] as const).filter(([, value]) => value !== null)
  const { atMs, status, ...texts } = Object.fromEntries(known)
  return {
    outcome: 'reserved',
    ...texts,
    atMs: Number(atMs),
    ...(status !== undefined && { status: Number(status) }),
  } as LedgerRow
}

export const counts = (
  { run }: Connection,
  seen: Seen,
): Part<'countByKind' | 'countByDay' | 'countUnanswered'> => {
  const gather = async (organization: string, sinceMs: number): Promise<Gathered> => {
    const gathered = (await run(
      ADMISSION_SCRIPTS.gather,
      organization,
      JSON.stringify([sinceMs]),
    )) as Gathered
    seen.read(organization, daysOf(gathered))
    return gathered
  }
  return {
    async countByKind(organization, sinceMs) {
      return countsSince(await gather(organization, sinceMs), 0, sinceMs)
    },
    async countByDay(organization, sinceMs) {
      const days = daysOf(await gather(organization, sinceMs - (sinceMs % DAY_MS)))
      return days
        .toReversed()
        .flatMap(([startMs, sorts]) =>
          sorts
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([sort, count]) => ({ startMs, ...kindCountOf(sort, count) })),
        )
    },
    async countUnanswered(organization, sinceMs, atMs) {
      return (await run(LEDGER_SCRIPTS.countUnanswered, organization, sinceMs, atMs)) as number
    },
  }
}

export const tokenCounts = ({ run }: Connection): Part<'countSent' | 'countInFlight'> => ({
  async countSent(token, kinds, sinceMs) {
    return (await run(LEDGER_SCRIPTS.countSent, token, JSON.stringify(kinds), sinceMs)) as number
  },
  async countInFlight(tokens, kinds, sinceMs) {
    const counts = await run(LEDGER_SCRIPTS.countInFlight, JSON.stringify(kinds), sinceMs, ...tokens)
    return counts as number[]
  },
})
