/** Changes to one organization's ledger. A new request is decided on it as the earlier ones will leave it. */
import { createHash } from 'node:crypto'
import type { RequestKind } from '../../contract/month.ts'
import { ExpectedLedger, type CountedLedger } from './expected-ledger.ts'
import type { Cache } from './cache.ts'
import type { Admission, AdmissionState, LedgerEntry, Settlement } from '../store.ts'

/** At most so many settlements and so many admissions, so that other batches do not wait for long. */
const MOST = 64

interface Ends {
  resolve: () => void
  reject: (reason: unknown) => void
}

export interface Settling extends Ends {
  id: string
  settlement: Settlement
  atMs: number
  /** Absent if another process recorded it, or this one did long ago. */
  request: { kind: RequestKind; atMs: number } | undefined
}

/** A waiting request. It is recorded if it is admitted. */
export interface Reservation extends Ends {
  entry: LedgerEntry
  admission: Admission
  tries: number
  /** The facts besides the ledger, once they were read. */
  own?: Own
  /** The decision on the ledger that was read, and its state. */
  decided?: Decision & { state: string }
}

/** The facts besides the ledger on which a request is decided, as Redis answers them. */
export interface Own {
  notes: (string | null)[]
  inFlight: number
  claim: string | null
  newest: string | null
}

interface Decision {
  /** The digest of the facts besides the ledger; the script computes the same. */
  print: string
  /** When the claim lapses, if the request takes it. */
  lapsesAtMs: number | undefined
}

/** The requests and settlements of one organization that wait for a batch. */
export interface Waiting {
  reservations: Reservation[]
  settlements: Settling[]
  /** The ledger that was read last. Some names are never cached. */
  read?: ReadLedger | undefined
}

/** The ledger of an organization in one state, counted from the given instants on. */
export interface ReadLedger {
  ledger: CountedLedger
  state: string
  sincesMs: readonly number[]
}

export interface Batch extends Pick<Waiting, 'settlements'> {
  sincesMs: readonly number[]
  /** The decision is absent if its facts must be read first. */
  admissions: { reservation: Reservation; decision: Decision | undefined }[]
  /** The argument of the script. */
  wire: string
}

/** Takes the items out of the queue that can be written together. */
export function takeBatch(cache: Cache, organization: string, waiting: Waiting): Batch {
  const settlements = waiting.settlements.splice(0, MOST)
  const taken = takeReservations(waiting)
  const sincesMs = taken[0]?.admission.countedSinceMs ?? []
  const base = cache.latest(organization, sincesMs) ?? readLast(waiting, sincesMs)
  const ledger = base && new ExpectedLedger(base.ledger, sincesMs)
  for (const { request, settlement } of settlements) if (request) ledger?.settle(request, settlement)
  const admissions = taken.map((reservation) => {
    const decision = ledger && decide(cache, reservation, ledger, base.state)
    if (decision !== undefined) ledger?.reserve(reservation.entry)
    return { reservation, decision }
  })
  const wire = JSON.stringify({
    organization,
    state: base?.state,
    countedSinceMs: sincesMs,
    settlements: settlements.map(({ id, settlement, atMs }) => ({ id, ...settlement, atMs })),
    admissions: admissions.map(({ reservation: { admission, entry }, decision }) => ({
      ...askedOnWire(admission),
      ...(decision && { print: decision.print, lapsesAtMs: decision.lapsesAtMs, entry }),
    })),
  })
  return { sincesMs, settlements, admissions, wire }
}

/** Asks for the facts, and records nothing. @param state of the ledger that the caller knows */
export const readingOnWire = (
  organization: string,
  asked: Omit<Admission, 'decide'>,
  state: string | undefined,
): string =>
  JSON.stringify({
    organization,
    state,
    countedSinceMs: asked.countedSinceMs,
    settlements: [],
    admissions: [askedOnWire(asked)],
  })

const askedOnWire = ({ notes, inFlight, claim }: Omit<Admission, 'decide'>) => ({
  notes,
  token: inFlight.token,
  kinds: inFlight.kinds,
  inFlightSinceMs: inFlight.sinceMs,
  claim,
})

/** The first requests with the same instants, one a token: the next of a token has it in flight. */
function takeReservations(waiting: Waiting): Reservation[] {
  const [taken, left, tokens] = [[] as Reservation[], [] as Reservation[], new Set<string>()]
  const instants = String(waiting.reservations[0]?.admission.countedSinceMs)
  for (const reservation of waiting.reservations) {
    const { countedSinceMs, inFlight } = reservation.admission
    const isTaken = taken.length < MOST && !tokens.has(inFlight.token) && String(countedSinceMs) === instants
    ;(isTaken ? taken : left).push(reservation)
    tokens.add(inFlight.token)
  }
  waiting.reservations = left
  return taken
}

const readLast = ({ read }: Waiting, sincesMs: readonly number[]) =>
  read && String(read.sincesMs) === String(sincesMs) ? read : undefined

/**
 * Decides on the facts that were read. Without them it assumes the cached notes, no request in flight and no
 * claim; if that is wrong, the script records nothing.
 * @returns `undefined` if the request would be refused
 */
function decide(
  cache: Cache,
  { admission, own, decided }: Reservation,
  ledger: ExpectedLedger,
  state: string,
): Decision | undefined {
  if (!ledger.isChanged && decided?.state === state) return decided
  const seen = own ?? {
    notes: admission.notes.map((name) => cache.notes.stored(name)),
    inFlight: 0,
    claim: null,
    newest: null,
  }
  try {
    const lapsesAtMs = admission.decide(stateOf(cache, admission, ledger, seen))
    // A try at the end of the month takes a claim, which needs facts that were not read.
    return lapsesAtMs !== undefined && own === undefined ? undefined : { print: printOf(seen), lapsesAtMs }
  } catch {
    return undefined
  }
}

export const stateOf = (
  cache: Cache,
  { notes: names }: Pick<Admission, 'notes'>,
  { counts, sinceReading, newestAtMs }: CountedLedger & Partial<Pick<ExpectedLedger, 'newestAtMs'>>,
  { notes, inFlight, claim, newest }: Own,
): AdmissionState => ({
  counts,
  sinceReading,
  notes: notes.map((note, nth) => cache.notes.parse(names[nth] as string, note)),
  inFlight,
  newestAtMs: newest === null ? newestAtMs : Math.max(Number(newest), newestAtMs ?? -Infinity),
  claimedUntilMs: claim === null ? undefined : Number(claim),
})

/** The script computes the same digest (store/redis/scripts/batch.ts). */
export const printOf = ({ notes, inFlight, claim }: Own): string =>
  createHash('sha1')
    .update([inFlight, claim ?? '', ...notes.map((note) => note ?? '')].join('\n'))
    .digest('hex')
