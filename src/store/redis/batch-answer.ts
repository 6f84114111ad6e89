/** The answer of the batch script. */
import type { CountedLedger } from './expected-ledger.ts'
import { type Sort, sortOf } from '../shared/ledger-cache.ts'
import { type Batch, type Own, printOf, type ReadLedger, type Settling, stateOf } from './batch.ts'
import { unavailable } from './connection.ts'
import type { Gathered } from './counts.ts'
import type { Cache } from './cache.ts'
import type { ReadingRow } from './readings.ts'
import type { LedgerEntry } from '../store.ts'

/** Another process was faster each time, so together the processes make progress. */
const MOST_TRIES = 200

/** An item of the batch that failed; the others did not. */
type Failed = [-1, message: string]

/** A recorded request: the name that it counts for, and the state of that ledger before and after. */
export type Recorded = [organization: string, before: string, after: string]

/** A settled request: the name and sorts that it counts for, and the ledger's state before and after. */
type Settled = [
  organization: string,
  atMs: string,
  reserved: Sort,
  ended: Sort,
  before: string,
  after: string,
]

/** A recorded request, or the facts besides the ledger that its decision needs. */
export type Admitted =
  | [1, Recorded]
  | [0, [notes: (string | null)[], inFlight: number, claim: string | null]]
  | Failed

/** The last two are absent if the caller knows the state of the ledger. */
export type BatchAnswer = [
  settled: (Settled | Failed | null)[],
  admitted: Admitted[],
  state: string,
  newest: string | null,
  gathered?: Gathered,
  reading?: ReadingRow | null,
]

/** The ledger in the answered state; `undefined` if the cache no longer has it. */
export function ledgerIn(
  cache: Cache,
  organization: string,
  sincesMs: readonly number[],
  [, , state, newest, gathered, reading = null]: BatchAnswer,
): CountedLedger | undefined {
  if (newest !== null) cache.restorable.read(organization, [], Number(newest))
  return gathered === undefined
    ? cache.ledger(organization, sincesMs, state)
    : cache.readLedger(organization, sincesMs, { state, gathered, reading })
}

/** The facts of an admission that was not recorded. @throws Problem `store_unavailable` */
export function ownIn(admitted: Admitted | undefined, newest: string | null): Own {
  if (admitted?.[0] !== 0) throw unavailable(new Error(String(admitted?.[1])))
  const [, [notes, inFlight, claim]] = admitted
  return { notes, inFlight, claim, newest }
}

/** Adds a request that this process has recorded to the cache. */
export function addRecorded(
  cache: Cache,
  { kind, atMs }: LedgerEntry,
  [organization, ...states]: Recorded,
): void {
  const sort = sortOf(kind, 'reserved', false)
  cache.restorable.add(organization, atMs, sort, 1)
  cache.ledgers.add(organization, atMs, [[sort, 1]], states)
}

/** `null` means that the request had an outcome already, or was never recorded. */
export function endSettling(
  cache: Cache,
  { resolve, reject }: Settling,
  settled: Settled | Failed | null,
): void {
  if (settled?.[0] === -1) return reject(unavailable(new Error(settled[1])))
  if (settled !== null) {
    const [organization, atMs, reserved, ended, ...states] = settled
    cache.restorable.add(organization, Number(atMs), ended, 1)
    cache.restorable.add(organization, Number(atMs), reserved, -1)
    cache.ledgers.add(
      organization,
      Number(atMs),
      [
        [reserved, -1],
        [ended, 1],
      ],
      states,
    )
  }
  resolve()
}

/**
 * @param read the ledger; absent if it must be read again
 * @throws what `decide` throws, or Problem `store_unavailable` if other processes were faster too often
 */
export function decideAgain(
  cache: Cache,
  { reservation, decision }: Batch['admissions'][number],
  own: Own,
  read: ReadLedger | undefined,
): void {
  if (decision !== undefined) reservation.tries += 1
  if (reservation.tries === MOST_TRIES)
    throw unavailable(new Error(`other processes were faster ${MOST_TRIES} times`))
  reservation.own = own
  if (read === undefined) return
  const lapsesAtMs = reservation.admission.decide(stateOf(cache, reservation.admission, read.ledger, own))
  reservation.decided = { state: read.state, print: printOf(own), lapsesAtMs }
}
