/** Counts that this process has seen, for a store that comes back empty or older. */
import { DAY_MS } from '../../contract/duration.ts'
import type { DayRows } from './counts.ts'
import type { Connection } from './connection.ts'
import { UNPROVEN } from '../store.ts'
import { MAINTENANCE_SCRIPTS } from './scripts/maintenance.ts'

/** More than the longest month in any time zone. */
const MOST_DAYS = 33
const MOST_ORGANIZATIONS = 10_000
/** Organizations that are restored at a time. */
const AT_ONCE = 50

interface CountsByDay {
  newestAtMs: number
  days: Map<number, Map<string, number>>
}

export class RestorableCounts {
  readonly #ledgers = new Map<string, CountsByDay>()

  /** Replaces whole days by the counts that were read. */
  read(organization: string, days: DayRows, newestAtMs = 0): void {
    const ledger = this.#ledger(organization)
    if (ledger === undefined) return
    ledger.newestAtMs = Math.max(ledger.newestAtMs, newestAtMs)
    for (const [day, counts] of days) ledger.days.set(day, new Map(counts))
    trim(ledger)
  }

  add(organization: string, atMs: number, sort: string, by: number): void {
    const ledger = this.#ledger(organization)
    if (ledger === undefined) return
    const day = atMs - (atMs % DAY_MS)
    const counts = ledger.days.get(day) ?? new Map<string, number>()
    ledger.days.set(day, counts.set(sort, (counts.get(sort) ?? 0) + by))
    ledger.newestAtMs = Math.max(ledger.newestAtMs, atMs)
    trim(ledger)
  }

  /** Writes the counts that the store has lost. */
  async restore(run: Connection['run']): Promise<void> {
    const all = [...this.#ledgers]
    while (all.length > 0)
      await Promise.all(
        all.splice(0, AT_ONCE).map(([organization, { newestAtMs, days }]) => {
          const rows = [...days].map(([day, counts]) => [day, [...counts].toSorted(settledFirst)])
          return run(MAINTENANCE_SCRIPTS.restore, organization, newestAtMs, JSON.stringify(rows))
        }),
      )
  }

  /** Absent for an unproven name, whose requests are removed. The least recently used one is dropped. */
  #ledger(organization: string): CountsByDay | undefined {
    if (organization.startsWith(UNPROVEN)) return undefined
    const ledger = this.#ledgers.get(organization) ?? { newestAtMs: 0, days: new Map() }
    this.#ledgers.delete(organization)
    this.#ledgers.set(organization, ledger)
    if (this.#ledgers.size > MOST_ORGANIZATIONS)
      this.#ledgers.delete(this.#ledgers.keys().next().value as string)
    return ledger
  }
}

/** Settled counts are restored first: they carry more information. */
const settledFirst = ([one]: [string, number], [other]: [string, number]): number =>
  Number(other.includes(' settled ')) - Number(one.includes(' settled '))

function trim({ days }: CountsByDay): void {
  if (days.size <= MOST_DAYS) return
  days.delete(Math.min(...days.keys()))
}
