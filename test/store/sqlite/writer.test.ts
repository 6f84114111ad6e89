import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { Connection } from '../../../src/store/sqlite/connection.ts'
import { Log } from '../../../src/store/sqlite/log.ts'
import { Writer } from '../../../src/store/sqlite/writer.ts'

let folder: string
let file: string
let connection: Connection
let writer: Writer
let insert: (name: string) => number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'plimsoll.db')
  connection = new Connection(file)
  writer = new Writer(connection)
  const statement = connection.prepare(`INSERT INTO notes VALUES (?, '1', 0)`)
  insert = (name) => statement.run(name)
})
afterEach(() => {
  vi.restoreAllMocks()
  connection.close()
  rmSync(folder, { recursive: true, force: true })
})

const names = () =>
  connection
    .prepare('SELECT name FROM notes ORDER BY name')
    .all<{ name: string }>()
    .map(({ name }) => name)
const outcomesOf = async (works: Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map((it) => (it.status === 'fulfilled' ? it.value : it.reason))
/** Changes at commits of other connections only. */
const commitsOf = (db: Database.Database) =>
  Object.values((db.pragma('data_version') as object[])[0] ?? {})[0]

test('works of the same iteration share one commit, in their order, and none is acknowledged before it', async () => {
  const other = new Database(file)
  const before = Number(commitsOf(other))
  const seen: unknown[] = []
  const works = ['a', 'b', 'c'].map((name) =>
    writer.write(() => {
      seen.push(name)
      return insert(name)
    }),
  )
  void works[0]?.then(() => seen.push('committed'))
  await Promise.all(works)
  expect(seen).toEqual(['a', 'b', 'c', 'committed'])
  expect(names()).toEqual(['a', 'b', 'c'])
  expect(Number(commitsOf(other)) - before).toBe(1)
})

test('a work that throws changes nothing, gets its own error, and the works beside it are written', async () => {
  const error = new RangeError('ours')
  const outcomes = await outcomesOf([
    writer.write(() => insert('a')),
    writer.write(() => {
      insert('b')
      throw error
    }),
    writer.write(() => insert('c')),
  ])
  expect(outcomes).toEqual([1, error, 1])
  expect(names()).toEqual(['a', 'c'])
})

test('a work whose statement fails changes nothing, and the works beside it are written once', async () => {
  const runs: string[] = []
  const add = (...added: string[]) =>
    writer.write(() => {
      runs.push(...added)
      for (const name of added) insert(name)
    })
  const outcomes = await outcomesOf([add('a'), add('b', 'a'), add('c')])
  const constraint = { code: 'store_unavailable', cause: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } }
  expect(outcomes).toMatchObject([undefined, constraint, undefined])
  expect(names()).toEqual(['a', 'c'])
  expect(runs).toEqual(['a', 'b', 'a', 'a', 'b', 'a', 'c'])
})

test('a work that refuses before it has written gets its own error, and those beside it run once', async () => {
  const error = new RangeError('ours')
  const runs: string[] = []
  const add = (name: string, refusal?: Error) =>
    writer.write(() => {
      runs.push(name)
      if (refusal) throw refusal
      insert(name)
      return name
    })
  expect(await outcomesOf([add('a'), add('b', error), add('c')])).toEqual(['a', error, 'c'])
  expect(await outcomesOf([add('d', error)])).toEqual([error])
  expect([names(), runs]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c', 'd'],
  ])
})

test('a change by a statement that returns rows is rolled back with its work too', async () => {
  const error = new RangeError('ours')
  const rename = connection.prepare(`UPDATE notes SET name = name || '!' RETURNING name`)
  await writer.write(() => insert('a'))
  const outcomes = await outcomesOf([
    writer.write(() => insert('b')),
    writer.write(() => {
      rename.all()
      throw error
    }),
  ])
  expect([outcomes, names()]).toEqual([
    [1, error],
    ['a', 'b'],
  ])
})

test('where a work ends the transaction itself, the others are written in transactions of their own', async () => {
  const rolling = connection.prepare(`INSERT OR ROLLBACK INTO notes VALUES ('a', '1', 0)`)
  const outcomes = await outcomesOf([
    writer.write(() => insert('a')),
    writer.write(() => insert('b')),
    writer.write(() => rolling.run()),
    writer.write(() => insert('c')),
  ])
  expect(outcomes).toMatchObject([1, 1, { cause: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } }, 1])
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('a commit that fails is rolled back, and the next work is written', async () => {
  // The constraint is deferred, so that the commit fails.
  connection.use((db) =>
    db.exec(`PRAGMA foreign_keys = ON;
      CREATE TABLE parts (name TEXT REFERENCES notes (name) DEFERRABLE INITIALLY DEFERRED)`),
  )
  const part = connection.prepare('INSERT INTO parts VALUES (?)')
  const outcomes = await outcomesOf([
    writer.write(() => insert('a')),
    writer.write(() => part.run('nothing')),
    writer.write(() => part.run('a')),
  ])
  expect(outcomes).toMatchObject([1, { cause: { code: expect.stringMatching(/^SQLITE_CONSTRAINT/) } }, 1])
  expect(await writer.write(() => insert('b'))).toBe(1)
  expect(names()).toEqual(['a', 'b'])
})

test('a thousand works of one iteration are written, and other work is done between them', async () => {
  const works = Array.from({ length: 1000 }, (_, nth) => writer.write(() => insert(`${nth}`)))
  let iterations = 0
  const done = new AbortController()
  const counting = (async () => {
    for (; !done.signal.aborted; iterations += 1) await nextIteration()
  })()
  await Promise.all(works)
  done.abort()
  await counting
  expect(iterations).toBeGreaterThan(8)
  expect(names()).toHaveLength(1000)
})

test('a work that comes in the iteration in which the works before it end is written too', async () => {
  for (let nth = 0; nth < 50; nth += 1) {
    await writer.write(() => insert(`first ${nth}`))
    const next = writer.write(() => insert(`second ${nth}`))
    if (nth % 2 === 0) await writer.finish()
    await next
  }
  expect(names()).toHaveLength(100)
})

test('a lock that is taken for a moment is waited for, and finishing waits too', async () => {
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  const written = writer.write(() => insert('a'))
  const finished = Promise.race([writer.finish().then(() => 'finished'), delay(200, 'waiting')])
  expect(await finished).toBe('waiting')
  other.exec('ROLLBACK')
  await writer.finish()
  expect(names()).toEqual(['a'])
  expect(await written).toBe(1)
})

/** The timeouts of each wait for the lock, in place of the clock. */
function waits() {
  const started: { ms: number; end: () => void }[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    started.push({ ms, end: () => controller.abort() })
    return controller.signal
  })
  return started
}
afterEach(() => vi.restoreAllMocks())

test('a work that has waited 3 s for a lock is refused and not written later, and a later one waits on', async () => {
  const started = waits()
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  const first = writer.write(() => insert('a'))
  await expect.poll(() => started.length).toBe(1)
  const second = writer.write(() => insert('b'))
  await delay(30)
  expect(started.map(({ ms }) => ms)).toEqual([3000, 3000])
  started[0]?.end()
  await expect(first).rejects.toMatchObject({ code: 'store_unavailable', cause: { code: 'SQLITE_BUSY' } })
  other.exec('ROLLBACK')
  expect(await second).toBe(1)
  expect(names()).toEqual(['b'])
})

test('a work that fails to begin for another reason than a lock is refused at once', async () => {
  const started = waits()
  connection.close()
  await expect(writer.write(() => 1)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(started).toEqual([])
})

test('a work that must not be lost waits for the log on the disk, one that may be for the commit (8.3)', async () => {
  const syncs: (() => void)[] = []
  const sync = vi.spyOn(Log.prototype, 'sync').mockImplementation(() => new Promise((end) => syncs.push(end)))
  const ended: string[] = []
  const write = async (name: string, mayBeLost = false) => {
    await writer.write(() => insert(name), { mayBeLost })
    ended.push(name)
  }
  const first = [write('a'), write('b')]
  await write('c', true)
  // While the disk is awaited, others wait together for the next commit.
  const second = [write('d'), write('e', true)]
  await delay(30)
  expect([names(), ended, syncs.length]).toEqual([['a', 'b', 'c'], ['c'], 1])
  syncs[0]?.()
  await Promise.all(first)
  await second[1]
  expect([names(), ended, syncs.length]).toEqual([['a', 'b', 'c', 'd', 'e'], ['c', 'a', 'b', 'e'], 2])
  syncs[1]?.()
  await Promise.all(second)
  await write('f', true)
  const finished = writer.finish()
  expect([await finished, sync.mock.calls.length]).toEqual([undefined, 2])
})

test('a work that refuses does not wait for the disk with those beside it', async () => {
  let end: () => void = () => {}
  vi.spyOn(Log.prototype, 'sync').mockImplementation(() => new Promise((done) => (end = done)))
  const error = new RangeError('ours')
  const written = writer.write(() => insert('a'))
  const refused = writer.write(() => {
    throw error
  })
  await expect(refused).rejects.toBe(error)
  end()
  expect(await written).toBe(1)
})

test('a transaction that has started and cannot go on is ended, and the next work is written', async () => {
  vi.spyOn(connection, 'look').mockImplementationOnce(() => {
    throw new Problem('store_unavailable')
  })
  await expect(writer.write(() => insert('a'))).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await writer.write(() => insert('b'))).toBe(1)
  expect(names()).toEqual(['b'])
})

const synchronousOf = (opened: Connection) => opened.prepare('PRAGMA synchronous').all()
// SQLite's numbers.
const [NORMAL, FULL] = [[{ synchronous: 1 }], [{ synchronous: 2 }]]

test('no commit waits for the disk itself, also of a file that was opened later; the writer does that', async () => {
  expect(synchronousOf(connection)).toEqual(FULL)
  await writer.write(() => insert('a'))
  expect(synchronousOf(connection)).toEqual(NORMAL)
  rmSync(file)
  writeFileSync(file, '')
  await nextIteration()
  expect(synchronousOf(connection)).toEqual(FULL)
  await writer.write(() => insert('b'))
  expect([synchronousOf(connection), names()]).toEqual([NORMAL, ['b']])
})

test('a write that the disk does not take is refused, and a writer that finishes waits for the disk (8.3)', async () => {
  const cause = Object.assign(new Error('i/o error'), { code: 'EIO' })
  vi.spyOn(Log.prototype, 'sync').mockRejectedValueOnce(cause)
  const both = [writer.write(() => insert('a')), writer.write(() => insert('b'), { mayBeLost: true })]
  expect(await outcomesOf(both)).toMatchObject([{ code: 'store_unavailable', cause }, 1])
  const ended: string[] = []
  void writer.write(() => insert('c')).then(() => ended.push('c'))
  await writer.finish()
  expect(ended).toEqual(['c'])
})

test('a write to a file that was closed before the disk had it is refused (8.3)', async () => {
  const closing = new Writer(connection, () => connection.close())
  await expect(closing.write(() => insert('a'))).rejects.toMatchObject({ code: 'store_unavailable' })
})
