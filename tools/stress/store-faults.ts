/** Faults of the database file while the app runs. Each ends with the data as it was before. */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'

export interface StoreFault {
  name: string
  /** True if the fault needs a small file system of its own. */
  isSmall?: true
  /** @returns a function that ends the fault @throws NotPossible */
  begin: (storePath: string) => () => void
}

/** This machine does not allow the fault. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

const parts = (storePath: string): string[] =>
  ['', '-wal', '-shm'].map((suffix) => storePath + suffix).filter((file) => existsSync(file))

export const STORE_FAULTS: readonly StoreFault[] = [
  { name: 'locked', begin: lock },
  { name: 'disk full', isSmall: true, begin: fill },
  { name: 'read-only', begin: makeReadOnly },
  { name: 'overwritten', begin: (path) => damage(path, overwrite) },
  {
    name: 'cut in half',
    begin: (path) => damage(path, (file) => truncateSync(file, Math.floor(statSync(file).size / 2))),
  },
  { name: 'deleted', begin: remove },
]

function lock(storePath: string): () => void {
  const db = new Database(storePath)
  db.exec('BEGIN EXCLUSIVE')
  return () => {
    db.exec('ROLLBACK')
    db.close()
  }
}

function fill(storePath: string): () => void {
  const filler = join(storePath, '..', 'filler')
  const file = openSync(filler, 'w')
  for (let bytes = 65_536; bytes > 0; bytes = Math.floor(bytes / 2))
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  closeSync(file)
  return () => rmSync(filler)
}

/** The log's index stays writable: it is memory that the processes share. */
function makeReadOnly(storePath: string): () => void {
  const files = parts(storePath).filter((file) => !file.endsWith('-shm'))
  const change = (flag: string) => execFileSync('chattr', [flag, ...files], { stdio: 'pipe' })
  try {
    change('+i')
  } catch {
    throw new NotPossible('this process may not make a file immutable here')
  }
  return () => change('-i')
}

/** Damages the complete file when nothing is cached; in the end puts a copy there, as an operator would. */
function damage(storePath: string, work: (file: string) => void): () => void {
  const copy = `${storePath}.copy`
  const db = new Database(storePath)
  db.pragma('wal_checkpoint(TRUNCATE)')
  copyFileSync(storePath, copy)
  work(storePath)
  // Closing the database writes to the file, so it is closed only here.
  return () => {
    db.close()
    for (const file of parts(storePath)) rmSync(file)
    renameSync(copy, storePath)
  }
}

const PAGE_BYTES = 4096

/** The first page stays, so that the file looks like a database; SQLite could accept no other page. */
function overwrite(path: string): void {
  const bytes = randomFillSync(Buffer.alloc(statSync(path).size - PAGE_BYTES))
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) bytes[at] = 0xff
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, PAGE_BYTES)
  closeSync(file)
}

function remove(storePath: string): () => void {
  const copies = parts(storePath).filter((file) => !file.endsWith('-shm'))
  for (const file of copies) copyFileSync(file, `${file}.copy`)
  for (const file of parts(storePath)) rmSync(file)
  return () => {
    for (const file of parts(storePath)) rmSync(file)
    for (const file of copies) renameSync(`${file}.copy`, file)
  }
}
