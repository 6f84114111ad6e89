/** The sandbox's state in a SQLite file, each record a row. One process owns it. */
import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import { describe } from '../../bff/core/problem.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import type { SandboxState } from '../../sandbox/state/state.ts'
import { createFile, isBusy, makeFolder, takeLock } from '../../store/sqlite/file.ts'
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
  'sign_ins',
  'pending',
  'grants',
  'codes',
  'access_tokens',
  'refresh_tokens',
  'minute_counts',
  'windows',
  'months',
] as const
type Records = Record<string, unknown>

export interface StoredSandbox {
  sandbox: Sandbox
  /** Saves what has changed, and lets another process own the file. */
  close: () => void
}

interface StoredOptions extends Omit<SandboxOptions, 'seed' | 'currentSeed' | 'state' | 'onChange'> {
  /** Makes random material for the first start. */
  random: () => string
  seedFor: (random: string) => Seed
  /** Called with a sentence about a state that cannot be used. */
  onDamage: (notice: string) => void
}

/**
 * Restores time, choices, history and the last seed. If the settings have changed, it restores only the
 * random material, and so every generated secret.
 * @throws Error in one sentence if another process owns the file, or it cannot be opened
 */
export function openStoredSandbox(path: string, options: StoredOptions): StoredSandbox {
  const release = lock(path)
  try {
    const { sandbox, close } = restore(path, options)
    return {
      sandbox,
      close() {
        close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

function restore(path: string, options: StoredOptions): StoredSandbox {
  let db = open(path)
  /** @returns `undefined` if that fails: the file then has another name, and a new one is in its place */
  const use = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      db.close()
      if (error instanceof Database.SqliteError && !DAMAGE.test(error.code)) throw unusable(path, error)
      const [name, why] = [setAside(path), (error as Error).message]
      options.onDamage(`The sandbox starts with new state, since ${why}. The old file is ${name}.\n`)
      db = open(path)
      db.exec(TABLE)
      return undefined
    }
  }
  const saved = use(() => read(db))
  const random = saved?.random ?? options.random()
  const seed = options.seedFor(random)
  let saving: NodeJS.Timeout | undefined
  const onChange = () => void (saving ??= setTimeout(save, SAVE_AFTER_MS).unref())
  const parts = { ...options, onChange, seed }
  const isSame = JSON.stringify(saved?.seed) === JSON.stringify(seed)
  const goOn = () => createSandbox({ ...parts, ...saved, seed })
  const sandbox = (saved && isSame ? use(goOn) : undefined) ?? createSandbox(parts)
  const write = createWriter(db, sandbox, { random, seed })
  const save = () => {
    clearTimeout(saving)
    saving = undefined
    write()
  }
  save()
  return { sandbox, close: () => [save(), db.close()] }
}

const DAMAGE = /^SQLITE_(NOTADB|CORRUPT)/

/** In a file of its own: a connection lives as long as its statements, and its lock too. */
function lock(path: string): () => void {
  try {
    makeFolder(dirname(path))
    return takeLock(`${path}.lock`)
  } catch (error) {
    throw unusable(path, error)
  }
}

function open(path: string): Database.Database {
  try {
    createFile(path)
    return new Database(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, cause: unknown): Error {
  const advice = 'another folder with PLIMSOLL_STORE.'
  const text = isBusy(cause)
    ? `Another sandbox is using ${path}. Stop it, or choose ${advice}`
    : `${path} cannot be used: ${(cause as Error).message}. Choose ${advice}`
  return new Error(text, { cause })
}

/** @returns its new name */
function setAside(path: string): string {
  const name = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(path + suffix)) renameSync(path + suffix, name + suffix)
  return name
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
  db.exec(TABLE)
  const rows = db.prepare('SELECT store, key, json FROM record ORDER BY rowid').all() as Row[]
  if (rows.length === 0) return undefined
  const stores: Record<string, Records> = Object.fromEntries(
    ['member', 'request_log', ...STORES].map((name) => [name, {}]),
  )
  for (const { store, key, json } of rows) (stores[store] ??= {})[key] = JSON.parse(json) as unknown
  const { member = {}, request_log = {}, ...records } = stores
  // The text of a member is compared, and so it is what is stored.
  const members = Object.entries(member).map(([name, text]) => [name, JSON.parse(String(text)) as unknown])
  const { random, seed, current_seed, ...state } = Object.fromEntries(members) as Records
  if (typeof random !== 'string') throw new Error('it is not the state of a sandbox')
  const read = { ...state, ...records, request_log: Object.values(request_log) }
  // The sandbox examines both.
  return { random, seed, currentSeed: current_seed as Seed, state: read as unknown as SandboxState }
}

interface Row {
  store: string
  key: string
  json: string
}

/** @returns a function that writes what has changed since its last call; at first that is everything */
function createWriter(db: Database.Database, sandbox: Sandbox, first: Pick<Saved, 'random' | 'seed'>) {
  const put = db.prepare(`INSERT INTO record VALUES (?, ?, ?)
    ON CONFLICT (store, key) DO UPDATE SET json = excluded.json`)
  const remove = db.prepare('DELETE FROM record WHERE store = ? AND key = ?')
  const written = new Map<string, Map<string, unknown>>()
  const write = (store: string, records: Records) => {
    const before = written.get(store) ?? new Map<string, unknown>()
    const now = new Map(Object.entries(records))
    for (const [key, record] of now)
      if (before.get(key) !== record || isOpen(record)) put.run(store, key, JSON.stringify(record))
    for (const key of before.keys()) if (!now.has(key)) remove.run(store, key)
    written.set(store, now)
  }
  const writeAll = db.transaction(() => {
    if (written.size === 0) db.exec('DELETE FROM record')
    const { request_log, ...state } = sandbox.state()
    for (const name of STORES) write(name, state[name])
    write('request_log', Object.fromEntries(request_log.map((entry) => [entry.number, entry])))
    const members = Object.entries({ ...first, ...state, current_seed: sandbox.currentSeed() })
    const others = members.filter(([name]) => !(STORES as readonly string[]).includes(name))
    write('member', Object.fromEntries(others.map(([name, value]) => [name, JSON.stringify(value)])))
  })
  return () => {
    try {
      writeAll()
    } catch (cause) {
      // A full disk is no reason to stop: the next change writes everything.
      written.clear()
      log({ level: 'warn', event: 'problem', cause: describe(cause) })
    }
  }
}

/** An entry of the log is completed in place when its request is answered. */
const isOpen = (record: unknown): boolean =>
  typeof record === 'object' && record !== null && 'rule' in record && !('status' in record)
