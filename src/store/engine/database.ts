/** What a driver does for the store: transactions in SQLite or PostgreSQL, in one dialect of SQL. */

import type { Topic } from '../store.ts'

export type Value = string | number | Uint8Array | undefined

/** Statements name their values `$1`, `$2`. A missing value is NULL, and comes back as `null`. */
export interface Reader {
  /** The rows of a query, or of a change with RETURNING. */
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>
}

export interface Writer extends Reader {
  /** @returns how many rows it has changed */
  run(sql: string, values?: readonly Value[]): Promise<number>
  /** Waits until no other transaction, of whichever process, holds this name; holds it until the end. */
  lock(name: string): Promise<void>
}

/** A transaction that notes which topics it changes. */
export interface Change extends Writer {
  changed(topic: Topic): Promise<void>
}

/** Where statements run: each group in a transaction of its own, or all in one that is running. */
export interface Scope extends Reader {
  readonly dialect: Dialect
  write<T>(work: (tx: Change) => Promise<T>): Promise<T>
}

export type Dialect = 'sqlite' | 'postgres'

/** All methods reject with Problem `store_unavailable` if the database fails, and with what `work` throws. */
export interface Database extends Reader {
  readonly dialect: Dialect
  /** All or nothing. `work` may run twice, so its statements are all that it does. */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Later than every time of a row, UNIX milliseconds. */
export const LATEST_MS = Number.MAX_SAFE_INTEGER

/** `$3, $4`: for the values of a list, after `before` others. An empty list has nothing. */
export const placesOf = (values: readonly unknown[], before = 0): string =>
  values.map((_, nth) => `$${before + nth + 1}`).join(', ') || 'NULL'

/** Rows without their NULLs. */
export const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row
