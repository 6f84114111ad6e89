/**
 * A loss of power under load: compares what a start reads from the disk of that moment with what the store
 * acknowledged.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { BUSINESS } from '../../test/kit/app.ts'
import { createDiskImage, type DiskImage } from './disk-image.ts'
import type { Report } from './report.ts'

const FULL_LOSSES = 20
const WRITERS = 8

interface Victim {
  store: Store
  /** Pauses the writer, and resumes it. */
  pause: () => void
  goOn: () => void
  /** The requests that a start finds on a copy of the disk, which is then removed. */
  idsOn: (left: DiskImage) => Promise<Set<string>>
  close: () => Promise<void>
}

interface Acknowledged {
  id: string
  atMs: number
}

export async function run(report: Report, losses = FULL_LOSSES): Promise<void> {
  const disk = createDiskImage()
  const victim = await onSqlite(disk)
  try {
    report.counts('SQLite', await lose(victim, disk, losses), { losses, 'longest time lost, ms': 0 })
  } finally {
    await victim.close()
    disk.remove()
  }
}

/** The store writes in this process, which pauses while the disk is copied. */
async function onSqlite({ folder }: DiskImage): Promise<Victim> {
  const store = openSqlite(join(folder, 'plimsoll.db'))
  return { store, pause() {}, goOn() {}, idsOn: async (left) => idsInFile(left), close: () => store.close() }
}

function idsInFile(left: DiskImage): Set<string> {
  // The driver closes a file late, and a disk can only be removed after that.
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-left-'))
  cpSync(left.folder, folder, { recursive: true, filter: (from) => !from.endsWith('lost+found') })
  left.remove()
  const db = new Database(join(folder, 'plimsoll.db'))
  const rows = db.prepare('SELECT id FROM requests').all() as { id: string }[]
  db.close()
  rmSync(folder, { recursive: true })
  return new Set(rows.map(({ id }) => id))
}

async function lose({ store, pause, goOn, idsOn }: Victim, disk: DiskImage, losses: number) {
  const counts = { losses: 0, acknowledged: 0, 'records lost': 0, 'longest time lost, ms': 0 }
  const [all, over] = [[] as Acknowledged[], new AbortController()]
  const writers = Array.from({ length: WRITERS }, (_, nth) => write(store, `${nth}`, all, over.signal))
  try {
    for (let nth = 0; nth < losses; nth += 1) {
      // At another instant of the second each time.
      await wait(1000 + ((nth * 370) % 1000))
      pause()
      const [atMs, known] = [performance.now(), [...all]]
      const left = disk.copy()
      goOn()
      const found = await idsOn(left)
      const lost = known.filter(({ id }) => !found.has(id))
      const oldestMs = Math.min(atMs, ...lost.map((one) => one.atMs))
      counts.losses += 1
      counts.acknowledged = known.length
      counts['records lost'] += lost.length
      counts['longest time lost, ms'] = Math.max(counts['longest time lost, ms'], Math.ceil(atMs - oldestMs))
    }
  } finally {
    over.abort()
    await Promise.all(writers)
  }
  return counts
}

/** Writes rows of the ledger without end, and notes which were acknowledged. */
async function write(store: Store, name: string, all: Acknowledged[], over: AbortSignal): Promise<void> {
  for (let nth = 0; !over.aborted; nth += 1) {
    const id = `written-${name}-${nth}`
    const about = { organization: BUSINESS, token: 'written', kind: 'api.read', method: 'GET' } as const
    const entry = {
      ...about,
      id,
      press: id,
      path: '/organizations/{id}',
      initiator: 'person',
      atMs: Date.now(),
    } as const
    const isWritten = await store.addEntry(entry).then(
      () => true,
      () => false,
    )
    if (isWritten) all.push({ id, atMs: performance.now() })
    await wait(5)
  }
}
