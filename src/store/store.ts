/** The storage interface. Callers know no database. */
import type { Outcome, RequestKind, KindCount } from '../contract/month.ts'

/** Encrypted: only the key in the cookie opens it. */
export interface StoredSession {
  encrypted: Uint8Array
  /** It ends by itself, UNIX milliseconds. */
  endsAtMs: number
  /** A name for the person, which lists their sessions without opening them. It says nothing else. */
  owner: string
  openedAtMs: number
  /** Last use. It is not written at every use. */
  seenAtMs: number
  /** Coarsely: `Firefox on Linux`. */
  browser: string
  /** Counts the writes: a writer with an older version must read again. */
  version: number
}

export type ListedSession = Pick<StoredSession, 'endsAtMs' | 'openedAtMs' | 'seenAtMs' | 'browser'> & {
  id: string
}

/** Recorded before the request is sent. It holds no ids, tokens or bodies. */
export interface LedgerEntry {
  /** Unique, and sortable by time. */
  id: string
  /**
   * The name under which it counts: an organization id; the name of an API key with an unknown organization;
   * until an answer proves the credential, a name with the prefix {@link UNPROVEN}.
   */
  organization: string
  /** Fingerprint of the token or key; absent for requests to the token endpoint. */
  token?: string
  kind: RequestKind
  method: string
  /** Below {base_url}, without ids: `/organizations/{id}`. */
  path: string
  /** A sign-in, a person's press, or a call that needs a fresh token. */
  initiator: 'sign_in' | 'person' | 'call'
  /** As in `StoredSession`; absent if unknown. */
  owner?: string
  /** The service's time, UNIX milliseconds: it decides the month. */
  atMs: number
}

export interface LedgerRow extends LedgerEntry {
  outcome: Outcome
  /** Absent without an answer. */
  status?: number
}

/** Of one day of UTC. */
export interface DayCount extends KindCount {
  startMs: number
}

/** The month's count that a person read on the service's plan page. */
export interface StoredReading {
  id: string
  count: number
  /** By the service's time, UNIX milliseconds. */
  readAtMs: number
  /** Requests of this app without an answer then: `count` may include them. */
  inFlight: number
  /** Since the previous reading; the person has confirmed it. */
  monthWasReset: boolean
  /** Of the session in which it was entered. */
  owner: string
}

/** Until requests are attributed to an organization, they count under such names. */
export const UNPROVEN = 'unproven '

/** Reading, deciding and recording are one step. */
export interface Admission {
  notes: readonly string[]
  /** The organization's requests are counted from these. */
  countedSinceMs: readonly number[]
  /** Without an answer. */
  inFlight: { token: string; kinds: readonly RequestKind[]; sinceMs: number }
  /** The request may take it. */
  claim?: string
  /** Pure. Throws to refuse. @returns when the claim lapses, if the request takes it */
  decide: (known: AdmissionState) => number | undefined
}

export interface AdmissionState {
  /** In the order of the names; `undefined` for a missing note. */
  notes: readonly unknown[]
  /** In the order of the instants, without the request itself. */
  counts: readonly (readonly KindCount[])[]
  inFlight: number
  /** With the requests recorded after it. */
  sinceReading: { reading: StoredReading; counts: readonly KindCount[] } | undefined
  /** Without requests to the token endpoint. */
  newestAtMs: number | undefined
  /** Also of a lapsed claim. */
  claimedUntilMs: number | undefined
}

/** A request without one is `reserved`. */
export interface Settlement {
  outcome: Exclude<Outcome, 'reserved'>
  status?: number
}

export interface WriteOptions {
  /** A power loss, but not the end of the process, may lose this write and all later ones. */
  mayBeLost?: boolean
}

export interface NoteOptions extends WriteOptions {
  /** In the same step, if the caller still holds it. */
  release?: { name: string; fence: number }
}

export interface Counter {
  count: number
  lapsesAtMs: number
}

/**
 * Requests, readings and note of an organization; the note of a token; a note of the service; changes and end
 * of a session. A watched note has the name of its topic.
 */
export type Topic = `organization ${string}` | `token ${string}` | `service ${string}` | `session ${string}`

export interface Sessions {
  readSession(id: string): Promise<StoredSession | undefined>
  /** In the order of the ids; `undefined` for a missing session. */
  readSessionVersions(ids: readonly string[]): Promise<(number | undefined)[]>
  /** If the version is `seenVersion` (0: none yet). @returns whether it was written */
  writeSession(
    id: string,
    session: Omit<StoredSession, 'version'>,
    seenVersion: number,
    options?: WriteOptions,
  ): Promise<boolean>
  endSession(id: string): Promise<void>
  /** The oldest first. */
  listSessions(owner: string, nowMs: number): Promise<ListedSession[]>
}

/** Names that one process holds at a time. */
export interface Leases {
  /** Nobody else can take it until it lapses. @returns whether this call took it */
  claim(name: string, nowMs: number, lapsesAtMs: number): Promise<boolean>
  /** @returns a fencing number above that of each earlier lease; `undefined` while another caller holds it */
  acquireLease(name: string, nowMs: number, lapsesAtMs: number): Promise<number | undefined>
  /** Even a lapsed one that nobody took since. @returns whether the caller still holds it */
  renewLease(name: string, fence: number, lapsesAtMs: number): Promise<boolean>
  /** If the caller still holds it. */
  releaseLease(name: string, fence: number): Promise<void>
}

export interface Counters {
  /** Adds `by`, which may be 0 or negative. A missing or lapsed counter starts at 0, with a new end. */
  addToCounter(name: string, by: number, nowMs: number, lapsesAtMs: number): Promise<Counter>
  removeCounter(name: string): Promise<void>
}

export interface Ledger {
  /** Before it is sent. @throws what `admission.decide` throws; then nothing is written */
  reserve(entry: LedgerEntry, admission?: Admission): Promise<void>
  /** `reserve` would decide on it. Records nothing. */
  readAdmissionState(organization: string, asked: Omit<Admission, 'decide'>): Promise<AdmissionState>
  /** In a row of its own; nothing is overwritten. The first outcome counts. */
  settle(entryId: string, settlement: Settlement, atMs: number): Promise<void>
  /** Past and future requests of the name count for the organization. The first call counts. */
  attribute(unproven: string, organization: string, atMs: number): Promise<void>
  /**
   * The newest first. @param asked the list continues after the entry with the id `before`
   * @returns `undefined` if `before` is no entry of the organization
   */
  listEntries(
    organization: string,
    asked: { sinceMs: number; before?: string; most: number },
  ): Promise<LedgerRow[] | undefined>
}

export interface LedgerCounts {
  /** In constant time. @param sinceMs before `foldedBeforeMs`, the start of a day of UTC */
  countByKind(organization: string, sinceMs: number): Promise<KindCount[]>
  /** The newest first. The first day counts as a whole. */
  countByDay(organization: string, sinceMs: number): Promise<DayCount[]>
  /** No answer at `atMs`. */
  countUnanswered(organization: string, sinceMs: number, atMs: number): Promise<number>
  countSent(token: string, kinds: readonly RequestKind[], sinceMs: number): Promise<number>
  countInFlight(token: string, kinds: readonly RequestKind[], sinceMs: number): Promise<number>
  /** As `countInFlight` for each token, in their order. */
  countEachInFlight(
    tokens: readonly string[],
    kinds: readonly RequestKind[],
    sinceMs: number,
  ): Promise<number[]>
}

export interface Readings {
  addReading(organization: string, reading: StoredReading): Promise<void>
  /** The latest first, without removed ones. */
  listReadings(organization: string, sinceMs: number): Promise<StoredReading[]>
  /** @returns whether the organization had it */
  removeReading(organization: string, id: string, atMs: number): Promise<boolean>
}

/** JSON that all processes share: the windows of a token, or a pause. */
export interface Notes {
  /** The caller must not change it. */
  readNote(name: string): Promise<unknown>
  /** In the order of the names. */
  readNotes(names: readonly string[]): Promise<unknown[]>
  /**
   * Atomic. `change` is pure and gets `undefined` for a missing note; returning it removes the note. @returns
   * what `change` returned
   */
  changeNote<T>(
    name: string,
    change: (known: unknown) => T,
    lapsesAtMs: number,
    options?: NoteOptions,
  ): Promise<T>
}

export interface Changes {
  /**
   * Calls `onChange` within half a second after any process changes a topic, and if a change may be missing.
   * One call may stand for several changes. @returns a function that stops it
   */
  watch(topics: readonly Topic[], onChange: () => void): Promise<() => void>
  /** Of any topic. Later reads see that change. */
  readVersion(): Promise<number>
}

/**
 * All methods reject with Problem `store_unavailable` if the database cannot be reached, is full or broken. A
 * kill -9 loses no write whose promise has resolved.
 */
export interface Store extends Sessions, Leases, Counters, Ledger, LedgerCounts, Readings, Notes, Changes {
  /**
   * Removes lapsed sessions, claims, leases, counters, notes, and old requests of unproven names. Reduces
   * requests before `foldedBeforeMs` to the counts of their day, perhaps over several sweeps.
   */
  sweep(nowMs: number): Promise<void>
  close(): Promise<void>
}
