// Tests of a file that is locked, full, read-only, damaged, gone or replaced: the store answers
// store_unavailable, keeps acknowledged writes, blocks nothing, and works again without a restart. No test is
// skipped: it fails if it cannot set up its fault.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql'
import { afterEach, expect, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { SCHEMA_VERSION } from '../../src/store/engine/schema.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, FAR_MS, readNote } from '../kit/stores.ts'
import { file, folder } from '../kit/temp-folder.ts'
import { hold, linesOf, startWriter } from './_processes.ts'

const unavailable = (cause: object = {}) =>
  expect.objectContaining({ code: 'store_unavailable', cause: expect.objectContaining(cause) })
const note = (store: Store, name: string, value: unknown = name) =>
  store.changeNote(name, () => value, FAR_MS)
const isRoot = process.getuid?.() === 0

let undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.toReversed()) step()
  undo = []
})

const openFiles = (): number => readdirSync('/dev/fd').length
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

test('while another process has the lock for 10 s, writes are refused after 3 s and reads go on', async () => {
  const store = openSqlite(file)
  await note(store, 'before')
  const delays = monitorEventLoopDelay({ resolution: 5 })
  const holder = await hold(file, [
    ['BEGIN IMMEDIATE', 10_000],
    ['ROLLBACK', 0],
  ])
  delays.enable()
  const startMs = performance.now()
  const outcomes = await Promise.allSettled([
    note(store, 'during'),
    store.addEntry(entry('a')),
    store.addToCounter('a', 1, 0, FAR_MS),
    store.transaction((tables) => tables.addToCounter('b', 1, 0, FAR_MS)),
    (async () => {
      for (let left = 100; left > 0; left -= 1) {
        expect(await readNote(store, 'before')).toBe('before')
        await wait(10)
      }
    })(),
  ])
  const waitedMs = performance.now() - startMs
  const refused = { status: 'rejected', reason: unavailable({ code: 'SQLITE_BUSY' }) }
  expect(outcomes).toEqual([refused, refused, refused, refused, { status: 'fulfilled', value: undefined }])
  expect(waitedMs).toBeGreaterThan(2900)
  expect(waitedMs).toBeLessThan(6000)
  await expect(note(store, 'again')).rejects.toEqual(unavailable({ code: 'SQLITE_BUSY' }))
  // Calls that are waiting when the lock is free get it.
  await wait(Math.max(0, 8500 - (performance.now() - startMs)))
  await note(store, 'waiting')
  delays.disable()
  // On a busy machine no process runs in time.
  expect(delays.max / 1e6).toBeLessThan(200 + (await holder.ended))

  await store.addEntry(entry('a'))
  await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
  await store.sweep(0)
  expect(await Promise.all(['during', 'waiting'].map((name) => readNote(store, name)))).toEqual([
    undefined,
    'waiting',
  ])
  expect(await store.countByKind('7', 0)).toMatchObject([{ outcome: 'settled', count: 1 }])
})

/** A file on a disk of 4 MB, half of which `free` releases. */
function openSmall() {
  const path = join(folder, 'small')
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'pipe' })
  undo.push(() => execFileSync('umount', ['-l', path]))
  const [ballast, small] = [join(path, 'ballast'), join(path, 'plimsoll.db')]
  writeFileSync(ballast, Buffer.alloc(2_000_000))
  return { store: openSqlite(small), path: small, free: () => rmSync(ballast) }
}

const canMount = isRoot && process.platform === 'linux'
test.each(canMount ? ['a disk of 4 MB'] : [])(
  '%s that is full refuses what does not fit, loses nothing acknowledged, and works again with room',
  async () => {
    const { store, path, free } = openSmall()
    const add = (name: string, length: number) => note(store, name, 'x'.repeat(length))
    const shared = await Promise.allSettled([add('a', 10), add('big', 8_000_000), add('b', 10)])
    expect(shared.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])

    const acknowledged = ['a', 'b']
    const fill = async () => {
      for (let nth = 0; nth < 10_000; nth += 1) {
        await add(`${nth}`, 1000)
        acknowledged.push(`${nth}`)
      }
    }
    await expect(fill()).rejects.toEqual(unavailable({ code: expect.stringMatching(/^SQLITE_(FULL|IOERR)/) }))
    const openBefore = openFiles()
    const refused = await Promise.allSettled(
      Array.from({ length: 300 }, (_, nth) => add(`late ${nth}`, 9000)),
    )
    expect(refused.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(290)
    expect(openFiles() - openBefore).toBeLessThan(20)

    const known = async () => {
      const values = await store.readNotes(acknowledged)
      return acknowledged.filter((_, nth) => values[nth] === undefined)
    }
    expect(await known()).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(100)
    free()
    await expect
      .poll(() =>
        add('after', 1000).then(
          () => 1,
          () => 0,
        ),
      )
      .toBe(1)
    const other = new Database(path)
    expect(other.prepare('PRAGMA quick_check').pluck().all()).toEqual(['ok'])
    const there = other.prepare('SELECT name FROM notes').pluck().all()
    expect([...acknowledged, 'after'].filter((name) => !there.includes(name))).toEqual([])
  },
)

test('a process that may write no more keeps what it acknowledged', async () => {
  // No file may grow beyond this; to SQLite it looks like a full disk.
  const child = startWriter(file, 'reserve', 1_000_000, 'sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh')
  child.stdin.end()
  const lines = linesOf(await text(child.stdout))
  expect(lines.at(-1)).toMatch(/^failed store_unavailable SQLITE_(FULL|IOERR)/)
  expect(lines.length).toBeGreaterThan(50)
  const counts = await openSqlite(file).countByKind('7', 0)
  expect(counts).toMatchObject([{ count: lines.length - 1 }])
})

/** The superuser ignores file modes, so a flag of the file system is set for it. */
function makeReadOnly(path: string): () => void {
  const writable = () => (isRoot ? void execFileSync('chattr', ['-i', path]) : chmodSync(path, 0o600))
  undo.push(() => existsSync(path) && writable())
  if (isRoot) execFileSync('chattr', ['+i', path])
  else chmodSync(path, 0o400)
  return writable
}

test('a file that is read-only is read, refuses writes, and takes them again when it may be written', async () => {
  const before = openSqlite(file)
  await note(before, 'a')
  const writable = makeReadOnly(file)
  // An open connection goes on, or is refused; acknowledged writes stay.
  const isWritten = await note(before, 'b').then(
    () => true,
    () => false,
  )
  expect(await readNote(before, 'a')).toBe('a')
  const store = openSqlite(file)
  expect(await readNote(store, 'a')).toBe('a')
  expect(await readNote(store, 'b')).toBe(isWritten ? 'b' : undefined)
  await expect(note(store, 'c')).rejects.toEqual(
    unavailable({ code: expect.stringMatching(/^SQLITE_READONLY/) }),
  )
  expect(await readNote(store, 'a')).toBe('a')
  writable()
  await expect.poll(() => note(store, 'c').catch(() => 'refused')).toBe('c')
  expect(await readNote(before, 'c')).toBe('c')
})

/** Overwrites all but the first page with noise, in place. */
function damage(path: string): void {
  const handle = openSync(path, 'r+')
  const noise = Buffer.alloc(statSync(path).size - 4096, 'noise')
  writeSync(handle, noise, 0, noise.length, 4096)
  closeSync(handle)
}

/** A file with all data and no log beside it. */
async function makeFile(path: string, name: string): Promise<void> {
  const store = openSqlite(path)
  for (let nth = 0; nth < 200; nth += 1) void note(store, `${nth}`, 'x'.repeat(1000))
  await note(store, name)
  await store.close()
  const db = new Database(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  collectGarbage()
}

const HARM: [string, (path: string) => void][] = [
  ['overwritten', damage],
  ['cut short', (path) => truncateSync(path, 8192)],
]
test.each(aPartOf(HARM, ([how]) => how === 'overwritten'))(
  'a file that is %s while it is open answers store_unavailable, and works when it is mended',
  async (_, harm) => {
    await makeFile(file, 'a')
    const copy = readFileSync(file)
    const store = openSqlite(file)
    expect(await readNote(store, 'a')).toBe('a')
    const openBefore = openFiles()
    harm(file)
    // Cached reads may still be answered. If the file were mapped, this process would end here.
    for (let nth = 0; nth < 200; nth += 1) {
      expect(await readNote(store, `${nth}`).catch(() => 'refused')).toMatch(/^(x+|refused)$/)
    }
    // After a write of another process, this one reads again.
    const other = new Database(file)
    other.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    // This process checks it once in each iteration.
    await wait(0)
    for (let time = 0; time < 100; time += 1) {
      await expect(readNote(store, 'a')).rejects.toEqual(
        unavailable({ code: expect.stringMatching(/^SQLITE_/) }),
      )
      await expect(note(store, 'b')).rejects.toEqual(unavailable({ code: expect.stringMatching(/^SQLITE_/) }))
    }
    expect(openFiles() - openBefore).toBeLessThan(20)
    const handle = openSync(file, 'r+')
    writeSync(handle, copy)
    closeSync(handle)
    await expect.poll(() => readNote(store, 'a').catch(() => 'refused')).toBe('a')
    await expect.poll(() => note(store, 'b').catch(() => 'refused')).toBe('b')
  },
  60_000,
)

test('while the file is gone nothing is read or written, and one that is put in its place is used', async () => {
  await makeFile(join(folder, 'other.db'), 'other')
  const store = openSqlite(file)
  await note(store, 'a')
  for (const end of ['', '-wal', '-shm']) rmSync(file + end)
  const gone = unavailable({ message: `${file} is gone` })
  for (let time = 0; time < 3; time += 1) {
    await expect(note(store, 'b')).rejects.toEqual(gone)
    await expect(readNote(store, 'a')).rejects.toEqual(gone)
  }
  expect(existsSync(file)).toBe(false)
  copyFileSync(join(folder, 'other.db'), file)
  expect(await readNote(store, 'other')).toBe('other')
  await note(store, 'c')
  expect(await readNote(openSqlite(file), 'c')).toBe('c')
})

test('a file that is moved away and back has everything', async () => {
  const store = openSqlite(file)
  await note(store, 'a')
  renameSync(file, `${file}.away`)
  await expect(note(store, 'b')).rejects.toEqual(unavailable())
  renameSync(`${file}.away`, file)
  await note(store, 'c')
  expect(await Promise.all(['a', 'b', 'c'].map((name) => readNote(store, name)))).toEqual([
    'a',
    undefined,
    'c',
  ])
})

test('an empty file that takes the place of the file gets its tables', async () => {
  const store = openSqlite(file)
  await note(store, 'a')
  rmSync(file)
  writeFileSync(file, '')
  await note(store, 'b')
  expect(await Promise.all(['a', 'b'].map((name) => readNote(store, name)))).toEqual([undefined, 'b'])
})

test('a file that replaces the file is used by both processes, without the log of the old one', async () => {
  const made = join(folder, 'other.db')
  await makeFile(made, 'other')
  const [one, two] = [openSqlite(file), openSqlite(file)]
  for (let nth = 0; nth < 300; nth += 1) void note(one, `old ${nth}`, 'y'.repeat(1000))
  await note(one, 'old')
  expect(await readNote(two, 'old')).toBe('old')
  // Keep the old file, to check that nothing is missing in it.
  const away = join(folder, 'away.db')
  renameSync(file, away)
  renameSync(made, file)
  await note(one, 'from one')
  await note(two, 'from two')
  for (const store of [one, two]) {
    expect(
      await Promise.all(['old', 'other', 'from one', 'from two'].map((name) => readNote(store, name))),
    ).toEqual([undefined, 'other', 'from one', 'from two'])
  }
  // The connections to the old file end only here, and leave the log of the new one alone.
  await wait(50)
  collectGarbage()
  await wait(50)
  expect(existsSync(`${file}-wal`)).toBe(true)
  const other = new Database(file)
  expect(other.prepare('PRAGMA quick_check').pluck().all()).toEqual(['ok'])
  expect(other.prepare(`SELECT count(*) FROM notes WHERE name LIKE 'from %'`).pluck().all()).toEqual([2])
  expect(await readNote(openSqlite(away), 'old')).toBe('old')
})
