/** Looks at the store. It makes no file or folder; in an empty PostgreSQL database it makes the tables. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openPostgres } from '../../store/postgres/postgres.ts'
import { assertUsable } from '../../store/sqlite/file.ts'
import type { Settings } from '../settings/settings.ts'

interface Stored {
  file?: string
  /** Why it cannot be used. */
  problem?: string | undefined
  /** What it may lose. */
  notice?: string | undefined
}

export const MEMORY = ':memory:'
/** Only for a missing file or folder: other errors are thrown. */
export const QUIETLY = { throwIfNoEntry: false } as const

export async function readStore(store: Settings['store']): Promise<Stored> {
  if (store.kind === 'postgres') return readPostgres(store.url)
  if (store.path === MEMORY) return {}
  const file = resolve(store.path)
  const stored: Stored = {}
  try {
    const folder = nearestFolder(dirname(file))
    if (isOnNetwork(statfsSync(folder)))
      throw new Error('it is on a network file system, on which the locks of SQLite do not work')
    if (statSync(file, QUIETLY) === undefined) {
      accessSync(folder, constants.W_OK | constants.X_OK)
      return stored
    }
    stored.file = file
    accessSync(file, constants.R_OK | constants.W_OK)
    assertUsable(file)
  } catch (error) {
    stored.problem = `${file} cannot be used: ${(error as Error).message}`
  }
  return stored
}

/** A start makes the missing ones. @throws Error for a path that leads through a file or a closed folder */
function nearestFolder(path: string): string {
  const found = statSync(path, QUIETLY)
  if (found === undefined) return nearestFolder(dirname(path))
  // From Node 22 on, a path below a file is only missing.
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`)
  return path
}

/** Runs the checks of the adapter, as a start does. */
async function readPostgres(url: string): Promise<Stored> {
  const notices: string[] = []
  try {
    await (await openPostgres(url, (notice) => notices.push(notice))).close()
    return { notice: notices.join(' ') }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** NFS, SMB, SMB2 and CIFS (statfs(2)). */
export const isOnNetwork = ({ type }: { type: number }): boolean =>
  [0x6969, 0x517b, 0xfe534d42, 0xff534d42].includes(type >>> 0)
