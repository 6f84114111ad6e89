/** The storage interface: sessions, the request ledger, and known limits. Callers know no database. */
import type { Outcome, RequestKind, KindCount } from '../contract/month.ts'

/** Encrypted with a key that only the record of its browser has. */
export interface StoredSession {
  encrypted: Uint8Array
  /** The time when it ends by itself, UNIX milliseconds. */
  endsAtMs: number
  /** A name for the person, by which their sessions are listed without opening them. It says nothing else. */
  owner: string
  openedAtMs: number
  /** The time of its last use. It is not written at every use. */
  seenAtMs: number
  /** The browser that opened it: the name that its person chose, or coarsely `Firefox on Linux`. */
  browser: string
  grant: string
  /** Counts its writes and those of its grant: a writer that has seen an older version must read again. */
  version: number
}

/** The service's answer to a path, encrypted with the key of the grant. */
export interface StoredCopy {
  path: string
  encrypted: Uint8Array
  /** When it came, UNIX milliseconds. */
  atMs: number
}

export type ListedSession = Omit<StoredSession, 'encrypted' | 'owner' | 'grant' | 'version'> & { id: string }

/** One request to the service, recorded before it is sent. It holds no token, no body, and no id in its path. */
export interface LedgerEntry {
  /** Unique, and sortable by time. */
  id: string
  /**
   * The name under which it counts: an organization id; the name of an API key with an unknown organization;
   * until an answer proves the credential, a name with the prefix {@link UNPROVEN}.
   */
  organization: string
  /** The press that causes it, and perhaps others. */
  press: string
  /** Fingerprint of the token or key that the request carries; absent for requests to the token endpoint. */
  token?: string
  kind: RequestKind
  method: string
  /** Path below {base_url} with ids left out: `/organizations/{id}`. */
  path: string
  /** The cause: a person signs in, a person presses something, or a call needs a fresh token. */
  initiator: 'sign_in' | 'person' | 'call'
  /** The owner of the session, perhaps with a slash and the browser (`senderOf`); absent if unknown. */
  owner?: string
  /** The service's time, UNIX milliseconds: it decides the month. */
  atMs: number
}

export interface LedgerRow extends LedgerEntry {
  outcome: Outcome
  /** Absent without an answer. */
  status?: number
}

/** Requests of one kind, outcome and success on one day of UTC. */
export interface DayCount extends KindCount {
  startMs: number
}

/** The service's own count of an organization's month, which a person read on the service's plan page. */
export interface StoredReading {
  id: string
  count: number
  /** The time of the reading by the service's clock, UNIX milliseconds. */
  readAtMs: number
  /** Requests of this app that had no answer at that time: `count` may include them. */
  inFlight: number
  /** The person has confirmed that the month was reset since the previous reading. */
  monthWasReset: boolean
  /** Owner of the session in which it was entered. */
  owner: string
}

/** A watch link. Nothing leads from its hash to its secret. Its day of use is empty until it is used. */
export interface StoredLink {
  hash: string
  organization: string
  name: string
  madeBy: string
  madeAtMs: number
  endsAtMs: number
  usedDay: string
  usedBy: string
}

/** Prefix of the names under which requests count until they are attributed to an organization. */
export const UNPROVEN = 'unproven '

/** A request without one is `reserved`. */
export interface Settlement {
  outcome: Exclude<Outcome, 'reserved'>
  status?: number
  /** Replaces the time of the row, UNIX milliseconds. */
  atMs?: number
}

export interface Counter {
  count: number
  lapsesAtMs: number
}

/**
 * A topic to watch: the requests, readings, withdrawn links and note of an organization; the note of a token;
 * a note of the service; changes and end of a session. A watched note has the name of its topic.
 */
export type Topic = `organization ${string}` | `token ${string}` | `service ${string}` | `session ${string}`

export interface Sessions {
  readSession(id: string): Promise<StoredSession | undefined>
  /** The versions of sessions, in the order of the ids; `undefined` for a missing session. */
  readSessionVersions(ids: readonly string[]): Promise<(number | undefined)[]>
  /** Writes a session if its version is `seenVersion` (0: no session yet). @returns whether it was written */
  writeSession(id: string, session: Omit<StoredSession, 'version'>, seenVersion: number): Promise<boolean>
  /** Its grant ends with its last session. @returns whether it was open */
  endSession(id: string): Promise<boolean>
  /** The open sessions of one owner, and those of a grant, the oldest first. */
  listSessions(owner: string, nowMs: number, grant?: string): Promise<ListedSession[]>
}

/** The credentials of sign-ins, each encrypted with a key that only the records of its sessions have. */
export interface Grants {
  readGrant(id: string): Promise<Uint8Array | undefined>
  /** Comes before the first session of the grant, in the same transaction. */
  addGrant(id: string, encrypted: Uint8Array): Promise<void>
  /** It counts as a change of each of its sessions. @returns false if the grant has ended */
  changeGrant(id: string, encrypted: Uint8Array): Promise<boolean>
  /** Ends it with all its sessions. @returns how many these were */
  endGrant(id: string): Promise<number>
}

/** The last successful answers to the reads of a grant's sessions. */
export interface Copies {
  readCopy(grant: string, path: string): Promise<StoredCopy | undefined>
  /** Replaces that of the same path, and drops the oldest of many. */
  writeCopy(grant: string, copy: StoredCopy): Promise<void>
}

export interface Ledger {
  /** Records a request before it is sent. */
  addEntry(entry: LedgerEntry): Promise<void>
  /** Records the outcome of a request in its own row; nothing is overwritten. The first outcome counts. */
  settle(entryId: string, settlement: Settlement, atMs: number): Promise<void>
  /** Counts past and future requests of an unproven name for an organization. The first call counts. */
  attribute(unproven: string, organization: string, atMs: number): Promise<void>
  /** The newest first: from `untilMs`, or after the entry `before`; `undefined` if it has no such entry. */
  listEntries(
    organization: string,
    asked: { sinceMs: number; untilMs?: number; before?: string; most: number },
  ): Promise<LedgerRow[] | undefined>
  /** When the newest request until then was recorded. An exchange of a code is none. */
  readNewestAtMs(organization: string, untilMs: number): Promise<number | undefined>
}

type Kinds = readonly RequestKind[]

export interface LedgerCounts {
  /** Before `untilMs`, in constant time. @param sinceMs before `foldedBeforeMs`, the start of a day of UTC */
  countByKind(organization: string, sinceMs: number, untilMs?: number): Promise<KindCount[]>
  /** For each day of UTC that has requests, the newest first. The first day counts as a whole. */
  countByDay(organization: string, sinceMs: number): Promise<DayCount[]>
  /** As {@link countByKind}, by the owner in the rows; empty if it is not known. */
  countBySender(organization: string, sinceMs: number): Promise<(KindCount & { sender: string })[]>
  /** Requests that had no answer at `atMs`. */
  countUnanswered(organization: string, sinceMs: number, atMs: number): Promise<number>
  countSent(token: string, kinds: Kinds, sinceMs: number): Promise<number>
  /** Requests of each token that have no answer, in the order of the tokens. */
  countInFlight(tokens: readonly string[], kinds: Kinds, sinceMs: number, untilMs?: number): Promise<number[]>
}

export interface Readings {
  addReading(organization: string, reading: StoredReading): Promise<void>
  /** The readings that were read from an instant on, the latest first, without removed ones. */
  listReadings(organization: string, sinceMs: number): Promise<StoredReading[]>
  /** @returns whether the organization had it */
  removeReading(organization: string, id: string, atMs: number): Promise<boolean>
}

/** An ended link is never read, and a sweep removes it. */
export interface Links {
  addLink(link: StoredLink): Promise<void>
  /** The open links of an organization, the newest first. */
  listLinks(organization: string, nowMs: number): Promise<StoredLink[]>
  readLinks(hashes: readonly string[], nowMs: number): Promise<ReadonlyMap<string, StoredLink>>
  /** The first use of a day is stored. */
  noteLinkUse(hash: string, day: string, browser: string): Promise<void>
  /** It counts as a change of its organization. */
  removeLink(hash: string): Promise<void>
}

/** Small JSON values that all processes share: the windows of a token, or a pause. */
export interface Notes {
  /** In the order of the names; `undefined` for a missing note. */
  readNotes(names: readonly string[]): Promise<unknown[]>
  /**
   * Changes a note in one atomic step. `change` is pure and gets `undefined` for a missing note. If it
   * returns `undefined`, the note is removed. @returns what `change` returned
   */
  changeNote<T>(name: string, change: (known: unknown) => T, lapsesAtMs: number): Promise<T>
  /**
   * Adds `by`, which may be 0 or negative. A missing or lapsed counter starts at 0, with a new end; so does one
   * that ends over 5 s later than the new end, since then a clock has been set back.
   */
  addToCounter(name: string, by: number, nowMs: number, lapsesAtMs: number): Promise<Counter>
}

/** Each call is a transaction of its own, or a part of the one in which it is made. */
export interface Tables extends Sessions, Grants, Copies, Ledger, LedgerCounts, Readings, Links, Notes {
  /** Until the end of the transaction no other one, in any process, gets past the lock of this name. */
  lock(name: string): Promise<void>
  /** The time on which processes agree: the database's, or `ownMs` where it has none. UNIX milliseconds. */
  readClock(ownMs: number): Promise<number>
}

export interface Changes {
  /**
   * Calls `onChange` within half a second after any process changes a topic, and if a change may be missing.
   * One call may stand for several changes. @returns a function that stops it
   */
  watch(topics: readonly Topic[], onChange: () => void): Promise<() => void>
  /** The number of the newest change of any topic. Later reads see that change. */
  readVersion(): Promise<number>
  /** Names this run of the numbers. Once an older copy of the database is put in place, a new run begins. */
  readEpoch(): Promise<string>
  /** For a start, before which an older copy may have been put in place. */
  renewEpoch(): Promise<void>
}

/**
 * All methods reject with Problem `store_unavailable` if the database is out of reach, full or broken. Once a
 * promise resolves, a kill -9 does not lose the write. A read that shows a change shows all earlier ones.
 */
export interface Store extends Tables, Changes {
  /** All or nothing. `work` calls `tables` alone, and may run twice. */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Removes ended sessions and links, lapsed counters and notes, and old requests of unproven names. Reduces
   * requests before `foldedBeforeMs` to the counts of their day, over several sweeps if they are many.
   * @param datedMs of the newest good answer, or 0: only what is free once it lapses goes by `nowMs` alone
   */
  sweep(nowMs: number, datedMs?: number): Promise<void>
  close(): Promise<void>
}
