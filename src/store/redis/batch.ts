/** A batch of changes to the ledger of one organization, each new request decided on that ledger as it will be after those before it. */
import { createHash } from 'node:crypto'
import type { RequestKind } from '../../contract/month.ts'
import { ExpectedLedger, type CountedLedger } from './expected-ledger.ts'
import type { Cache } from './cache.ts'
import type { Admission, AdmissionState, LedgerEntry, Settlement } from '../store.ts'

/** Of each sort in one batch, so that it does not keep others waiting for long. */
const MOST = 64

interface Ends {
  resolve: () => void
  reject: (reason: unknown) => void
}

/** How a request has ended. */
export interface Settling extends Ends {
  id: string
  settlement: Settlement
  atMs: number
  /** Absent where another process has recorded it, or this one long ago. */
  request: { kind: RequestKind; atMs: number } | undefined
}

/** A request that is recorded if it is admitted. */
export interface Reservation extends Ends {
  entry: LedgerEntry
  admission: Admission
  tries: number
  /** What it is decided on besides the ledger, where it was read. */
  own?: Own
  /** On the ledger of a state as it was read. */
  decided?: Decision & { state: string }
}

/** Notes as they are stored, and the others as they are answered. */
export interface Own {
  notes: (string | null)[]
  inFlight: number
  claim: string | null
  newest: string | null
}

interface Decision {
  /** Of what it was made on besides the ledger, as the script makes it. */
  print: string
  /** When the claim lapses, where it takes it. */
  lapsesAtMs: number | undefined
}

/** What waits for a batch of one organization. */
export interface Waiting {
  reservations: Reservation[]
  settlements: Settling[]
  /** As it was read last; of some names nothing is known for longer. */
  read?: ReadLedger | undefined
}

/** The ledger of an organization in one state, counted from some instants on. */
export interface ReadLedger {
  ledger: CountedLedger
  state: string
  sincesMs: readonly number[]
}

export interface Batch extends Pick<Waiting, 'settlements'> {
  sincesMs: readonly number[]
  /** Without a decision where what it is made on has to be read. */
  admissions: { reservation: Reservation; decision: Decision | undefined }[]
  /** The argument of the script. */
  wire: string
}

/** Takes what can be written together out of what waits. */
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

/** Reads what an admission is decided on, and records nothing. @param state of the ledger that need not be answered */
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

/** The first ones, of each token one, since the next has that in flight; all decided on counts from the same instants on. */
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
 * Decides on what was read, or on what this process has seen last of the notes, with no request in flight and no claim; the script
 * records nothing where it is otherwise. `undefined` where it would not be admitted so.
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
    // A try at the end of the month takes a claim, and needs what was not read.
    return lapsesAtMs !== undefined && own === undefined ? undefined : { print: printOf(seen), lapsesAtMs }
  } catch {
    return undefined
  }
}

/** What an admission is decided on. */
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

/** As the script makes it (store/redis/scripts/batch.ts). */
export const printOf = ({ notes, inFlight, claim }: Own): string =>
  createHash('sha1')
    .update([inFlight, claim ?? '', ...notes.map((note) => note ?? '')].join('\n'))
    .digest('hex')
