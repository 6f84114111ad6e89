/** The sandbox's state in a SQLite file, each record a row. One process owns it. */
import Database from 'libsql'
import { describe } from '../../bff/core/problem.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import type { SandboxState } from '../../sandbox/state/state.ts'
import { createFile, isBusy, takeLock } from '../../store/sqlite/file.ts'
import { log } from '../observe/log.ts'

/** A kill loses no more. */
const SAVE_AFTER_MS = 200
// NORMAL: a power loss may take the last changes.
const TABLE = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS record (store TEXT, key TEXT, json TEXT NOT NULL, PRIMARY KEY (store, key));
`
/** Their records are replaced as a whole, so one that is the same object has not changed. */
const STORES = [
  ...(['sign_ins', 'pending', 'grants', 'codes', 'access_tokens', 'refresh_tokens'] as const),
  ...(['minute_counts', 'windows', 'months'] as const),
]
type Records = Record<string, unknown>

export interface StoredSandbox {
  sandbox: Sandbox
  /** Saves what has changed, and lets another process own the file. @throws Error if it could not be saved */
  close: () => void
}

interface StoredOptions extends Omit<SandboxOptions, 'seed' | 'currentSeed' | 'state' | 'onChange'> {
  /** Makes random material for the first start. */
  random: () => string
  seedFor: (random: string) => Seed
}

/**
 * Restores time, choices, history and the last seed. If the settings have changed, it restores only the
 * random material, and so every generated secret, and how much of it was drawn.
 * @throws Error in one sentence if another process owns the file, or it cannot be used
 */
export function openStoredSandbox(path: string, options: StoredOptions): StoredSandbox {
  let release: () => unknown = () => {}
  try {
    createFile(path)
    // In a file of its own: a connection lives as long as its statements, and its lock too.
    const unlock = takeLock(`${path}.lock`)
    release = unlock
    const db = new Database(path)
    release = () => [db.close(), unlock()]
    const { sandbox, save } = openStored(db, options)
    const close = () => {
      const cause = save(0)
      release()
      if (cause) throw new Error(`${path} could not be saved: ${cause.message}.`, { cause })
    }
    return { sandbox, close }
  } catch (cause) {
    release()
    const text = isBusy(cause)
      ? `Another sandbox is using ${path}. Stop it`
      : `${path} cannot be used: ${(cause as Error).message}. Move it away`
    throw new Error(`${text}, or choose another folder with PLIMSOLL_STORE.`, { cause })
  }
}

function openStored(db: Database.Database, options: StoredOptions) {
  db.exec(TABLE)
  const saved = read(db)
  const random = saved?.random ?? options.random()
  const seed = options.seedFor(random)
  let saving: NodeJS.Timeout | undefined
  const onChange = () => void (saving ??= setTimeout(() => save(), SAVE_AFTER_MS).unref())
  const isSame = JSON.stringify(saved?.seed) === JSON.stringify(seed)
  const sandbox = createSandbox({ ...options, onChange, ...(isSame && saved), seed })
  sandbox.state().random_count = saved?.state.random_count ?? 0
  const write = createWriter(db, sandbox, { random, seed })
  // After a kill the next start draws from far ahead, so that no secret is issued twice.
  const save = (ahead = 1e9) => {
    clearTimeout(saving)
    saving = undefined
    return write(ahead)
  }
  const cause = save()
  if (cause) throw cause
  return { sandbox, save }
}

interface Saved {
  random: string
  /** The built-in seed. A different one means that the settings have changed. */
  seed: unknown
  /** The last seed of `POST /seed`. */
  currentSeed: Seed
  state: SandboxState
}

/** @returns `undefined` if nothing is saved yet @throws Error if it cannot be used */
function read(db: Database.Database): Saved | undefined {
  const rows = db.prepare('SELECT store, key, json FROM record ORDER BY rowid').all() as Row[]
  if (rows.length === 0) return undefined
  const stores: Record<string, Records> = Object.fromEntries(STORES.map((name) => [name, {}]))
  for (const { store, key, json } of rows) (stores[store] ??= {})[key] = JSON.parse(json) as unknown
  const { member = {}, request_log = {}, ...records } = stores
  const { random, seed, current_seed, ...state } = member
  if (typeof random !== 'string') throw new Error('it is not the state of a sandbox')
  const read = { ...state, ...records, request_log: Object.values(request_log) }
  // The sandbox examines both.
  return { random, seed, currentSeed: current_seed as Seed, state: read as unknown as SandboxState }
}

type Row = Record<'store' | 'key' | 'json', string>

/** @returns a function that writes what has changed since its last call, at first all, or returns why not */
function createWriter(db: Database.Database, sandbox: Sandbox, first: Pick<Saved, 'random' | 'seed'>) {
  const put = db.prepare('INSERT OR REPLACE INTO record VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM record WHERE store = ? AND key = ?')
  const written = new Map<string, Map<string, unknown>>()
  const write = (store: string, records: Records, json = (record: unknown) => JSON.stringify(record)) => {
    const before = written.get(store) ?? new Map<string, unknown>()
    const now = new Map(Object.entries(records))
    for (const [key, record] of now) {
      if (before.get(key) !== record) put.run(store, key, json(record))
      if (isOpen(record)) now.set(key, undefined)
    }
    for (const key of before.keys()) if (!now.has(key)) remove.run(store, key)
    written.set(store, now)
  }
  return (ahead: number): Error | undefined => {
    try {
      db.exec('BEGIN')
      if (written.size === 0) db.exec('DELETE FROM record')
      const { request_log, ...state } = sandbox.state()
      for (const name of STORES) write(name, state[name])
      write('request_log', Object.fromEntries(request_log.map((entry) => [entry.number, entry])))
      const random_count = state.random_count + ahead
      const members = { ...first, ...state, random_count, current_seed: sandbox.currentSeed() }
      const others = Object.entries(members).filter(([name]) => !(STORES as string[]).includes(name))
      // They change in place, so their text is compared.
      const texts = others.map(([name, value]) => [name, JSON.stringify(value)])
      write('member', Object.fromEntries(texts) as Records, String)
      db.exec('COMMIT')
      return undefined
    } catch (cause) {
      // A full disk is no reason to stop: the next change writes everything.
      written.clear()
      log({ level: 'warn', event: 'problem', cause: describe(cause) })
      // SQLite itself ends the transaction when the disk is full.
      if (db.inTransaction) db.exec('ROLLBACK')
      return cause as Error
    }
  }
}

/** An entry of the log is completed in place when its request is answered: the next save writes it again. */
const isOpen = (record: unknown): boolean =>
  typeof record === 'object' && record !== null && 'rule' in record && !('status' in record)
