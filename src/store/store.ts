/** The port behind which sessions, the request ledger and what is known of limits are. No code outside this folder depends on which database it is. */
import type { Outcome, RequestKind, KindCount } from '../contract/month.ts'

/** A session as it is stored: opaque here, since only the cookie's key opens it. */
export interface StoredSession {
  encrypted: Uint8Array
  /** When it ends by itself, UNIX milliseconds. */
  endsAtMs: number
  /** Whose it is, so that a person's sessions can be listed without opening them; a name that states nothing else. */
  owner: string
  openedAtMs: number
  /** When it was used last, as often as it is stored. */
  seenAtMs: number
  /** With what it was opened, coarsely, as in `Firefox on Linux`. */
  browser: string
  /** Counts the writes: a writer that has seen an older one must read again. */
  version: number
}

/** One request to the service, written down before it is sent. No ids, no tokens, no bodies. */
export interface LedgerEntry {
  /** Sortable by time, unique. */
  id: string
  /**
   * Whose month it counts in: an organization id, the name of an API key whose organization is not known, or, where no answer
   * has proven the credential yet, a name that starts with {@link UNPROVEN}.
   */
  organization: string
  /** Fingerprint of the token or key that it is sent with; absent for requests to the token endpoint. */
  token?: string
  kind: RequestKind
  method: string
  /** Path below {base_url} with ids left out, as in `/organizations/{id}`. */
  path: string
  /** Who wanted it: a person who signs in, a person who pressed something, or a call that needed a fresh token. */
  initiator: 'sign_in' | 'person' | 'call'
  /** Owner of the session that sends it, by the name that its list of sessions has; absent where it is not known. */
  owner?: string
  /** The service's time, UNIX milliseconds: it decides the month. */
  atMs: number
}

/** An entry with how it ended. */
export interface LedgerRow extends LedgerEntry {
  outcome: Outcome
  /** Of the answer, where there was one and it is known to be one of success or failure. */
  status?: number
}

/** What was recorded on one day of UTC, by sort. */
export interface DayCount extends KindCount {
  startMs: number
}

/** The service's own count of an organization's month, as a person read it on the service's plan page. */
export interface StoredReading {
  id: string
  count: number
  /** When it was read, by the service's time, UNIX milliseconds. */
  readAtMs: number
  /** Requests of this app that had no answer then: `count` may have them or not. */
  inFlight: number
  /** Whether the person has confirmed that the month was reset since the reading before. */
  monthWasReset: boolean
  /** Owner of the session in which it was entered. */
  owner: string
}

/** How the name begins under which requests are counted until they are attributed to an organization. */
export const UNPROVEN = 'unproven '

/** What decides whether a request may be recorded, and so sent. Read and decided in the same atomic step as the record. */
export interface Admission {
  /** Names of notes. */
  notes: readonly string[]
  /** Instants from which the organization's requests are counted. */
  countedSinceMs: readonly number[]
  /** Requests of one token that have no answer yet. */
  inFlight: { token: string; kinds: readonly RequestKind[]; sinceMs: number }
  /** Name of a claim that the request may take. */
  claim?: string
  /** Pure. Refuses the request by throwing. @returns when the claim lapses, where the request takes it */
  decide: (known: AdmissionState) => number | undefined
}

export interface AdmissionState {
  /** In the order of the names; `undefined` where there is none. */
  notes: readonly unknown[]
  /** In the order of the instants, without the request itself. */
  counts: readonly (readonly KindCount[])[]
  inFlight: number
  /** The newest reading of the organization, and what was recorded after it. */
  sinceReading: { reading: StoredReading; counts: readonly KindCount[] } | undefined
  /** When the newest request of the organization was recorded, apart from those to the token endpoint. */
  newestAtMs: number | undefined
  /** When the claim lapses or has lapsed, where it was taken. */
  claimedUntilMs: number | undefined
}

/** How a request ended; `reserved` is what it is until then. */
export interface Settlement {
  outcome: Exclude<Outcome, 'reserved'>
  /** Of the answer, where there was one. */
  status?: number
}

export interface WriteOptions {
  /** What can be found out again: a loss of power may take it, the end of this process never. What is written later is lost before it. */
  mayBeLost?: boolean
}

export interface NoteOptions extends WriteOptions {
  /** A lease that is given back in the same step, if it is still the caller's. */
  release?: { name: string; fence: number }
}

/**
 * All methods reject with Problem `store_unavailable` when the database cannot be reached, is full or is broken; what they
 * resolve with has been written so that a kill -9 does not lose it.
 */
export interface Store {
  readSession(id: string): Promise<StoredSession | undefined>
  /** The versions of sessions, in the order of the ids; `undefined` where there is none. */
  readSessionVersions(ids: readonly string[]): Promise<(number | undefined)[]>
  /**
   * Writes a session if its present version is `seenVersion` (0: there is none yet).
   * @returns whether it was written; its version is then one higher.
   */
  writeSession(
    id: string,
    session: Omit<StoredSession, 'version'>,
    seenVersion: number,
    options?: WriteOptions,
  ): Promise<boolean>
  endSession(id: string): Promise<void>
  /** The sessions of one owner, the oldest first, without those that have ended. */
  listSessions(owner: string, nowMs: number): Promise<ListedSession[]>

  /** Takes a name that can be taken once until it lapses. @returns whether this call took it. */
  claim(name: string, nowMs: number, lapsesAtMs: number): Promise<boolean>
  /**
   * Takes the right to do something alone, unless another holder has it.
   * @returns a fencing number, higher than that of every lease before; `undefined` while another one has not lapsed
   */
  acquireLease(name: string, nowMs: number, lapsesAtMs: number): Promise<number | undefined>
  /** Extends a lease, also one that has lapsed and that no one took since. @returns whether it is still the caller's */
  renewLease(name: string, fence: number, lapsesAtMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  releaseLease(name: string, fence: number): Promise<void>
  /**
   * Adds to a counter, which starts at 0 where there is none or it has lapsed; then it lapses at `lapsesAtMs`.
   * @param by may be negative, or 0 to read it
   */
  addToCounter(name: string, by: number, nowMs: number, lapsesAtMs: number): Promise<Counter>
  /** Removes a counter. */
  removeCounter(name: string): Promise<void>

  /**
   * Writes a request down, before it is sent.
   * @throws what `admission.decide` throws; then nothing was written
   */
  reserve(entry: LedgerEntry, admission?: Admission): Promise<void>
  /** What `reserve` would decide on, without a record. */
  readAdmissionState(organization: string, asked: Omit<Admission, 'decide'>): Promise<AdmissionState>
  /** Records how a reserved request ended: a row of its own, so that nothing is overwritten. The first one counts. */
  settle(entryId: string, settlement: Settlement, atMs: number): Promise<void>
  /** Counts what was and will be recorded under an unproven name for an organization. The first call for a name counts. */
  attribute(unproven: string, organization: string, atMs: number): Promise<void>
  /**
   * The ledger of one organization from an instant on, counted by sort. Takes the same time for any number of rows.
   * @param sinceMs before `foldedBeforeMs` the start of a day of UTC
   */
  countByKind(organization: string, sinceMs: number): Promise<KindCount[]>
  /** As `countByKind`, for each day of UTC that has any, the newest first; the day of the instant is whole. */
  countByDay(organization: string, sinceMs: number): Promise<DayCount[]>
  /** Requests of one organization, of any kind, recorded from an instant on, that had no answer at another. */
  countUnanswered(organization: string, sinceMs: number, atMs: number): Promise<number>
  /**
   * The entries of one organization from an instant on, the newest first.
   * @param before id of an entry: those that come after it in this order
   * @returns `undefined` where `before` is no entry of the organization
   */
  listEntries(
    organization: string,
    asked: { sinceMs: number; before?: string; most: number },
  ): Promise<LedgerRow[] | undefined>
  /** How many requests of a kind were written down for one token from an instant on. */
  countSent(token: string, kinds: readonly RequestKind[], sinceMs: number): Promise<number>
  /** As `countSent`, those only that have no answer yet. */
  countInFlight(token: string, kinds: readonly RequestKind[], sinceMs: number): Promise<number>
  /** As `countInFlight` for each of the tokens, in their order. */
  countEachInFlight(
    tokens: readonly string[],
    kinds: readonly RequestKind[],
    sinceMs: number,
  ): Promise<number[]>

  addReading(organization: string, reading: StoredReading): Promise<void>
  /** The readings of one organization that were read from an instant on, the one read last first; without those that were removed. */
  listReadings(organization: string, sinceMs: number): Promise<StoredReading[]>
  /** Marks a reading as removed. @returns whether the organization had it */
  removeReading(organization: string, id: string, atMs: number): Promise<boolean>

  /**
   * Calls `onChange` after changes of what the topics name, by whichever process, within half a second; several changes may
   * make one call. Where it is not known what was changed, it is called too.
   * @returns ends it
   */
  watch(topics: readonly Topic[], onChange: () => void): Promise<() => void>
  /** The number of the newest change of any topic. What is read afterwards has that change. */
  readVersion(): Promise<number>

  /** A small JSON value that is shared by all: what is known of a token's windows, or of a pause. No caller changes it. */
  readNote(name: string): Promise<unknown>
  /** As `readNote`, in the order of the names. */
  readNotes(names: readonly string[]): Promise<unknown[]>
  /**
   * Changes a note in one atomic step; `change` gets `undefined` where there is none, is pure, and may
   * return `undefined` to remove it. @returns what it is afterwards.
   */
  changeNote<T>(
    name: string,
    change: (known: unknown) => T,
    lapsesAtMs: number,
    options?: NoteOptions,
  ): Promise<T>

  /**
   * Forgets what has lapsed: sessions, claims, leases, counters, notes, and requests that no one was proven to have sent. Of requests
   * before `foldedBeforeMs` it leaves the counts of their day; where they are many, several sweeps do.
   */
  sweep(nowMs: number): Promise<void>
  close(): Promise<void>
}

/**
 * What can be watched: requests, readings and the note of an organization; the note of a token; a note of the service; whether a
 * session was changed or ended. A note has the same name as its topic.
 */
export type Topic = `organization ${string}` | `token ${string}` | `service ${string}` | `session ${string}`

export interface ListedSession
  extends Pick<StoredSession, 'endsAtMs' | 'openedAtMs' | 'seenAtMs' | 'browser'> {
  id: string
}

export interface Counter {
  count: number
  lapsesAtMs: number
}
