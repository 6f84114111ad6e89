/** Examines the file of a SQLite database without changing it. */
import { resolve } from 'node:path'
import Database from 'libsql'
import { assertUndamaged } from './connection.ts'
import { versionOf } from './schema.ts'

/** @throws Error in plain words if the file is no database, is damaged, or has a newer version */
export function assertUsable(path: string): void {
  const db = new Database(resolve(path))
  try {
    db.exec('PRAGMA query_only = ON')
    versionOf(db)
    assertUndamaged(db)
  } finally {
    db.close()
  }
}
