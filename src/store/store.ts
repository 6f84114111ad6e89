/** The port behind which sessions, the request ledger and what is known of limits are. No code outside this folder depends on which database it is. */
import type { Outcome, RequestKind, KindCount } from '../contract/month.ts'

/** A session as it is stored: opaque here, since only the cookie's key opens it. */
export interface StoredSession {
  encrypted: Uint8Array
  /** When it ends by itself, UNIX milliseconds. */
  endsAtMs: number
  /** Counts the writes: a writer that has seen an older one must read again. */
  version: number
}

/** One request to the service, written down before it is sent. No ids, no tokens, no bodies. */
export interface LedgerEntry {
  /** Sortable by time, unique. */
  id: string
  /** Whose month it counts in: an organization id, or the fingerprint of an API key whose organization is not known. */
  organization: string
  /** Fingerprint of the token or key that it is sent with; absent for requests to the token endpoint. */
  token?: string
  kind: RequestKind
  method: string
  /** Path below {base_url} with ids left out, as in `/organizations/{id}`. */
  path: string
  /** Who wanted it: a person who signs in, a person who pressed something, or a call that needed a fresh token. */
  initiator: 'sign_in' | 'person' | 'call'
  /** The service's time, UNIX milliseconds: it decides the month. */
  atMs: number
}

/** How a request ended; `reserved` is what it is until then. */
export interface Settlement {
  outcome: Exclude<Outcome, 'reserved'>
  /** Of the answer, where there was one. */
  status?: number
}

/**
 * All methods reject with Problem `store_unavailable` when the database cannot be reached, is full or is broken; what they
 * resolve with has been written so that a kill -9 does not lose it.
 */
export interface Store {
  readSession(id: string): Promise<StoredSession | undefined>
  /**
   * Writes a session if its present version is `seenVersion` (0: there is none yet).
   * @returns whether it was written; its version is then one higher.
   */
  writeSession(id: string, session: Omit<StoredSession, 'version'>, seenVersion: number): Promise<boolean>
  endSession(id: string): Promise<void>

  /** Takes a name that can be taken once until it lapses. @returns whether this call took it. */
  claim(name: string, nowMs: number, lapsesAtMs: number): Promise<boolean>

  /** Writes a request down, before it is sent. */
  reserve(entry: LedgerEntry): Promise<void>
  /** Records how a reserved request ended: a row of its own, so that nothing is overwritten. The first one counts. */
  settle(entryId: string, settlement: Settlement, atMs: number): Promise<void>
  /** The ledger of one organization from an instant on, counted by sort. */
  countByKind(organization: string, sinceMs: number): Promise<KindCount[]>
  /** How many requests of a kind were written down for one token from an instant on. */
  countSent(token: string, kinds: readonly RequestKind[], sinceMs: number): Promise<number>

  /** A small JSON value that is shared by all: what is known of a token's windows, or of a pause. */
  readNote(name: string): Promise<unknown>
  /**
   * Changes a note in one atomic step; `change` gets `undefined` where there is none, is pure, and may
   * return `undefined` to remove it. @returns what it is afterwards.
   */
  changeNote<T>(name: string, change: (known: unknown) => T, lapsesAtMs: number): Promise<T>

  /** Forgets what has lapsed: sessions, claims, notes. The ledger stays. */
  sweep(nowMs: number): Promise<void>
  close(): Promise<void>
}
