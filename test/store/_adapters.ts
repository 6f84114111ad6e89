// The adapters of the store that are tested through its port, and values for them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'
import type { LedgerEntry, Store } from '../../src/store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each opens an empty store. */
export const ADAPTERS: [name: string, open: () => Store][] = [
  ['SQLite in a file', () => openSqlite(join(folder, `${(files += 1)}.db`))],
  ['SQLite in memory', () => openSqlite(':memory:')],
]

export const session = (encrypted: Uint8Array, endsAtMs = 5000) => ({
  encrypted,
  endsAtMs,
  owner: 'owner',
  openedAtMs: 100,
  seenAtMs: 200,
  browser: 'Firefox on Linux',
})

export const entry = (id: string, differing: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  organization: '7',
  token: 'print',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
  atMs: 1000,
  ...differing,
})
