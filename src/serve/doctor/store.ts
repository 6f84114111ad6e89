/** Examines the store: that it is writable, undamaged, has room, and is readable by its owner only. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MINUTE_MS } from '../../contract/duration.ts'
import { openPostgres } from '../../store/postgres/postgres.ts'
import { assertUsable } from '../../store/sqlite/file.ts'
import { type Finding, fault, ok, warning, when } from './finding.ts'
import type { Settings } from '../settings/settings.ts'

type SqliteSetting = Extract<Settings['store'], { kind: 'sqlite' }>
type PostgresSetting = Extract<Settings['store'], { kind: 'postgres' }>

export interface StoreLimits {
  /** Below this the disk counts as full. */
  faultBelowBytes: number
  warnBelowBytes: number
  nowMs: number
}

const MEBIBYTE = 1_048_576
export const storeLimits = (nowMs: number): StoreLimits => ({
  faultBelowBytes: 16 * MEBIBYTE,
  warnBelowBytes: 256 * MEBIBYTE,
  nowMs,
})

/** SQLite's locks do not work on NFS, SMB, SMB2 and CIFS (statfs(2)). */
const NETWORK_FILE_SYSTEMS = [0x6969, 0x517b, 0xfe534d42, 0xff534d42]
/** Clocks of one machine do not differ by more. */
const CLOCK_MS = MINUTE_MS

export const examineStore = async (settings: Settings, limits: StoreLimits): Promise<Finding[]> =>
  settings.store.kind === 'sqlite'
    ? examineSqlite(settings.store, limits, settings)
    : examinePostgres(settings.store)

/** Runs the checks of the adapter, as a start does. */
async function examinePostgres({ url }: PostgresSetting): Promise<Finding[]> {
  const notices: string[] = []
  try {
    const store = await openPostgres(url, (notice) => notices.push(notice))
    await store.close()
  } catch (error) {
    return [fault('store', (error as Error).message, 'compare PLIMSOLL_STORE with docs/deploy.md')]
  }
  const advice = 'docs/deploy.md has the settings of a server that loses nothing'
  return [
    ok('store', `the PostgreSQL server ${new URL(url).host} answers`),
    ...notices.map((text) => warning('store', text, advice)),
  ]
}

function examineSqlite({ path }: SqliteSetting, limits: StoreLimits, { serviceUrl }: Settings): Finding[] {
  if (path === ':memory:') {
    const text = 'it is in memory: a stop forgets every session and what the month has used'
    const advice = 'set PLIMSOLL_STORE to sqlite:<file>'
    return [serviceUrl === undefined ? warning('store', text, advice) : fault('store', text, advice)]
  }
  const file = resolve(path)
  const folder = existingFolder(dirname(file))
  const unusable = folderFaults(folder)
  if (unusable.length > 0) return unusable
  return [...(existsSync(file) ? examineFile(file, limits) : [newFile(file)]), ...examineDisk(folder, limits)]
}

/** The folder itself, or the nearest parent that exists. */
const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))

const newFile = (file: string): Finding => ok('store', `${file} will be made at the first start`)

function folderFaults(folder: string): Finding[] {
  const advice = 'choose another one with PLIMSOLL_STORE'
  if (!statSync(folder).isDirectory()) return [fault('store', `${folder} is no folder`, advice)]
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return []
  } catch {
    return [
      fault('store', `this user may not write in ${folder}`, `${advice}, or change the owner of the folder`),
    ]
  }
}

function examineFile(file: string, { nowMs }: StoreLimits): Finding[] {
  const stats = statSync(file)
  if (stats.isDirectory()) return [fault('store', `${file} is a folder`, 'name a file with PLIMSOLL_STORE')]
  const { mode, mtimeMs } = stats
  return [
    ...integrity(file),
    ...when(
      process.platform !== 'win32' && (mode & 0o007) !== 0,
      warning('store', `every user of this machine may read ${file}`, `chmod 600 ${file}`),
    ),
    ...when(
      mtimeMs > nowMs + CLOCK_MS,
      fault(
        'clock',
        'the store was written later than now: the clock of this machine was set back, or is wrong',
        'set the clock, and let NTP keep it right',
      ),
    ),
  ]
}

function integrity(file: string): Finding[] {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    assertUsable(file)
    return [ok('store', `${file} is whole, and each write is on the disk before it counts`)]
  } catch (error) {
    return [
      fault(
        'store',
        `${file} cannot be used: ${(error as Error).message}`,
        'restore a copy with all processes stopped, or move it away',
      ),
    ]
  }
}

function examineDisk(folder: string, { faultBelowBytes, warnBelowBytes }: StoreLimits): Finding[] {
  const { type, bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const text = `${Math.floor(freeBytes / MEBIBYTE)} MiB are free on the disk of the store`
  const advice = 'make room: without it nothing is sent, since nothing can be recorded'
  return [
    freeBytes < faultBelowBytes
      ? fault('disk', text, advice)
      : freeBytes < warnBelowBytes
        ? warning('disk', text, advice)
        : ok('disk', text),
    ...examineFileSystem(type),
  ]
}

/** @param type of statfs(2) */
export const examineFileSystem = (type: number): Finding[] =>
  when(
    NETWORK_FILE_SYSTEMS.includes(type >>> 0),
    fault(
      'store',
      'it is on a network file system, on which the locks of SQLite do not work',
      'use a local disk, or postgres:// for several machines',
    ),
  )
