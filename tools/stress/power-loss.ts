// A loss of power under load: a start finds all that was acknowledged on the disk of that moment.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'libsql'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { fileIn, memoryFolder } from './database.ts'
import type { Report } from './report.ts'

const FULL_LOSSES = 20
const WRITERS = 8
const BYTES = 64 * 1024 * 1024
const ABOUT = {
  organization: '7',
  token: 'written',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
} as const

/** The store writes in this process, which does nothing else while the disk is copied. */
export async function run(report: Report, losses = FULL_LOSSES): Promise<void> {
  const image = join(memoryFolder(), 'image')
  writeFileSync(image, '')
  truncateSync(image, BYTES)
  execFileSync('mkfs.ext4', ['-q', image], { stdio: 'pipe' })
  const disk = mount(image)
  const store = openSqlite(fileIn(disk.folder))
  const [acknowledged, over] = [new Set<string>(), new AbortController()]
  const writers = Array.from({ length: WRITERS }, (_, nth) => write(store, nth, acknowledged, over.signal))
  const counts = { losses: 0, acknowledged: 0, 'records lost': 0 }
  try {
    for (; counts.losses < losses; counts.losses += 1) {
      // At another instant of the second each time.
      await wait(1000 + ((counts.losses * 370) % 1000))
      const known = [...acknowledged]
      const found = idsOn(image)
      counts.acknowledged = known.length
      counts['records lost'] += known.filter((id) => !found.has(id)).length
    }
  } finally {
    over.abort()
    await Promise.all(writers)
    await store.close()
    disk.remove()
  }
  report.counts('SQLite', counts, { 'records lost': 0 })
}

/** A file system in a file; needs root. */
function mount(image: string): { folder: string; remove: () => void } {
  const folder = `${image}-mounted`
  mkdirSync(folder)
  execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' })
  return {
    folder,
    remove() {
      // Lazily, because the SQLite driver closes a file only when its statements are collected.
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
      rmSync(join(image, '..'), { recursive: true })
    },
  }
}

/**
 * The requests that a start finds on a copy of the image, which is what a loss of power leaves: data that the
 * system has not written is missing.
 */
function idsOn(image: string): Set<string> {
  const copy = join(memoryFolder(), 'image')
  writeFileSync(copy, readTwice(image))
  const disk = mount(copy)
  // The driver closes a file late, and a disk can only be removed after that.
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-left-'))
  cpSync(disk.folder, folder, { recursive: true, filter: (from) => !from.endsWith('lost+found') })
  disk.remove()
  const db = new Sqlite(fileIn(folder))
  const rows = db.prepare('SELECT id FROM requests').all() as { id: string }[]
  db.close()
  rmSync(folder, { recursive: true })
  return new Set(rows.map(({ id }) => id))
}

/** Reads until two readings are equal: then the system wrote nothing between them. */
function readTwice(file: string): Buffer {
  let [former, now] = [readFileSync(file), readFileSync(file)]
  while (!former.equals(now)) [former, now] = [now, readFileSync(file)]
  return now
}

/** Writes rows of the ledger without end, and notes which were acknowledged. */
async function write(
  store: Store,
  writer: number,
  acknowledged: Set<string>,
  over: AbortSignal,
): Promise<void> {
  for (let nth = 0; !over.aborted; nth += 1) {
    const id = `written-${writer}-${nth}`
    await store.addEntry({ ...ABOUT, id, press: id, atMs: Date.now() }).then(
      () => acknowledged.add(id),
      () => {},
    )
    await wait(5)
  }
}
