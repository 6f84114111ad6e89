/** Caches the notes and ledgers that this process has read from Redis, and the counts that it can restore. */
import type { KindCount } from '../../contract/month.ts'
import { justAfter, type CountedLedger } from './expected-ledger.ts'
import { LedgerCache } from '../shared/ledger-cache.ts'
import { countsSince, daysOf, type Gathered } from './counts.ts'
import { NoteCache } from './notes.ts'
import { readingOf, type ReadingRow } from './readings.ts'
import { RestorableCounts } from './restorable-counts.ts'
import { UNPROVEN } from '../store.ts'

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

  /** The ledger in a state, counted from each instant on; `undefined` if it must be read. */
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

  /** The ledger in the last known state. */
  latest(
    organization: string,
    sincesMs: readonly number[],
  ): { ledger: CountedLedger; state: string } | undefined {
    const state = this.ledgers.stateOf(organization)
    const ledger = state === undefined ? undefined : this.ledger(organization, sincesMs, state)
    return ledger && state !== undefined ? { ledger, state } : undefined
  }

  readLedger(organization: string, sincesMs: readonly number[], answer: LedgerAnswer): CountedLedger {
    const { state, gathered } = answer
    const reading = answer.reading === null ? undefined : readingOf(answer.reading)
    const instants = reading === undefined ? sincesMs : [...sincesMs, justAfter(reading)]
    const counts = this.readCounts(organization, instants, { state, gathered })
    if (isKnowable(organization, state)) this.ledgers.readNewest(organization, state, reading)
    return ledgerOf(counts, sincesMs, reading)
  }

  /** Caches and returns the counts of an answer, from each of the requested instants on. */
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

/** An organization without requests has no state; a sweep changes an unproven name without a new one. */
const isKnowable = (organization: string, state: string): boolean =>
  state !== '' && !organization.startsWith(UNPROVEN)

/** @param from each instant on; the last ones are since the reading, if there is one */
const ledgerOf = (
  counts: readonly KindCount[][],
  { length }: readonly number[],
  reading: ReturnType<typeof readingOf> | undefined,
): CountedLedger => ({
  counts: counts.slice(0, length),
  sinceReading: reading && { reading, counts: counts[length] as KindCount[] },
})
