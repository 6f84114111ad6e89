/** What this process has seen of a Redis store: notes and ledgers that it need not be sent again, and counts that it can restore. */
import type { KindCount } from '../../contract/month.ts'
import { justAfter, type CountedLedger } from './expected-ledger.ts'
import { LedgerCache } from '../shared/ledger-cache.ts'
import { countsSince, daysOf, type Gathered } from './counts.ts'
import { NoteCache } from './notes.ts'
import { readingOf, type ReadingRow } from './readings.ts'
import { RestorableCounts } from './restorable-counts.ts'
import { UNPROVEN } from '../store.ts'

/** As the scripts answer it. */
export interface LedgerAnswer {
  state: string
  gathered: Gathered
  reading: ReadingRow | null
}

export class Cache {
  readonly notes = new NoteCache()
  readonly restorable = new RestorableCounts()
  /** A state is an epoch and a revision (store/redis/scripts/ledger-functions.ts). */
  readonly ledgers = new LedgerCache<string>()

  /** The ledger of an organization, its requests from each of the instants on; `undefined` where it has to be read in that state. */
  ledger(organization: string, sincesMs: readonly number[], state: string): CountedLedger | undefined {
    const newest = this.ledgers.newest(organization, state)
    if (newest === undefined) return undefined
    const { reading } = newest
    const instants = reading === undefined ? sincesMs : [...sincesMs, justAfter(reading)]
    const known = instants.map((sinceMs) => this.ledgers.counts(organization, sinceMs, state))
    const counts = known.filter((one) => one !== undefined)
    if (counts.length < known.length) return undefined
    return ledgerOf(counts, sincesMs, reading)
  }

  /** The same in the state that was seen last. */
  latest(
    organization: string,
    sincesMs: readonly number[],
  ): { ledger: CountedLedger; state: string } | undefined {
    const state = this.ledgers.stateOf(organization)
    const ledger = state === undefined ? undefined : this.ledger(organization, sincesMs, state)
    return ledger && state !== undefined ? { ledger, state } : undefined
  }

  /** The same as a script has answered it. */
  readLedger(organization: string, sincesMs: readonly number[], answer: LedgerAnswer): CountedLedger {
    const { state, gathered } = answer
    const reading = answer.reading === null ? undefined : readingOf(answer.reading)
    const instants = reading === undefined ? sincesMs : [...sincesMs, justAfter(reading)]
    const counts = this.readCounts(organization, instants, { state, gathered })
    if (isKnowable(organization, state)) this.ledgers.readNewest(organization, state, reading)
    return ledgerOf(counts, sincesMs, reading)
  }

  /** Counts from each of the instants on that were asked for, as a script has answered them. */
  readCounts(
    organization: string,
    sincesMs: readonly number[],
    { state, gathered }: Pick<LedgerAnswer, 'state' | 'gathered'>,
  ): KindCount[][] {
    this.restorable.read(organization, daysOf(gathered))
    const counts = sincesMs.map((sinceMs, nth) => countsSince(gathered, nth, sinceMs))
    if (isKnowable(organization, state))
      for (const [nth, sinceMs] of sincesMs.entries())
        this.ledgers.counted(organization, sinceMs, state, counts[nth] as KindCount[])
    return counts
  }
}

/** An organization without requests has no state, and a sweep removes those of an unproven name without another one. */
const isKnowable = (organization: string, state: string): boolean =>
  state !== '' && !organization.startsWith(UNPROVEN)

/** @param counts from each of the instants on, and at last since the reading where there is one */
const ledgerOf = (
  counts: readonly KindCount[][],
  { length }: readonly number[],
  reading: ReturnType<typeof readingOf> | undefined,
): CountedLedger => ({
  counts: counts.slice(0, length),
  sinceReading: reading && { reading, counts: counts[length] as KindCount[] },
})
