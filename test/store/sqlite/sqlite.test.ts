// Several processes, and a kill.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Log } from '../../../src/store/sqlite/log.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { linesOf, startWriter, writeTogether } from '../_processes.ts'

const FAR_MS = 4e12
const entry = {
  id: 'a',
  organization: '7',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations',
  initiator: 'person',
  atMs: 1000,
} as const
const session = (byte: number) => ({
  encrypted: Uint8Array.of(byte),
  endsAtMs: 5000,
  owner: 'owner',
  openedAtMs: 100,
  seenAtMs: 200,
  browser: 'Firefox on Linux',
})

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'deep', 'plimsoll.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('everything is there after a restart', async () => {
  const store = openSqlite(file)
  await store.writeSession('a', session(1), 0)
  await store.claim('a', 0, FAR_MS)
  const fence = (await store.acquireLease('a', 0, FAR_MS)) as number
  await store.addToCounter('a', 5, 0, FAR_MS)
  await store.reserve(entry)
  await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
  await store.attribute('unproven b', '7', 1000)
  await store.changeNote('a', () => ({ limit: 60 }), FAR_MS)
  await store.close()

  const again = openSqlite(file)
  expect(await again.readSession('a')).toEqual({ ...session(1), version: 1 })
  expect(await again.claim('a', 0, FAR_MS)).toBe(false)
  expect(await again.acquireLease('a', 0, FAR_MS)).toBeUndefined()
  expect(await again.acquireLease('b', 0, FAR_MS)).toBeGreaterThan(fence)
  expect(await again.addToCounter('a', 1, 0, FAR_MS)).toMatchObject({ count: 6 })
  expect(await again.countByKind('7', 0)).toEqual([
    { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
  ])
  await again.reserve({ ...entry, id: 'b', organization: 'unproven b' })
  expect(await again.countByKind('7', 0)).toHaveLength(2)
  expect(await again.readNote('a')).toEqual({ limit: 60 })
})

test('a request waits for the disk before it is sent, and so does a session; outcomes do not (8.3)', async () => {
  const store = openSqlite(file)
  const sync = vi.spyOn(Log.prototype, 'sync')
  const waits = async (write: Promise<unknown>) => {
    await write
    return sync.mock.calls.splice(0).length
  }
  const durable = [
    await waits(store.reserve(entry)),
    await waits(store.writeSession('s', session(1), 0)),
    await waits(store.claim('state', 0, FAR_MS)),
  ]
  const others = [
    await waits(store.settle('a', { outcome: 'settled', status: 200 }, 1001)),
    await waits(store.acquireLease('lease', 0, FAR_MS)),
    await waits(store.renewLease('lease', 1, FAR_MS)),
    await waits(store.releaseLease('lease', 1)),
  ]
  expect([durable, others]).toEqual([
    [1, 1, 1],
    [0, 0, 0, 0],
  ])
  vi.restoreAllMocks()
  await store.close()
})

/** A store that has read its session, and writes of another process in the same event-loop iteration. */
async function inOneIteration() {
  const [store, other] = [openSqlite(file), new Database(file)]
  await store.writeSession('a', session(1), 0)
  await store.changeNote('a', () => 1, FAR_MS)
  await store.changeNote('b', () => 1, FAR_MS)
  other.exec('UPDATE notes SET value = 0')
  await nextIteration()
  await store.readSession('a')
  const commitSession = () => other.exec('UPDATE sessions SET version = 2, seen_at_ms = 9')
  const commitNotes = () => other.exec('UPDATE notes SET value = 2')
  const recordRequest = () =>
    other.exec(`INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms)
      VALUES ('r', '7', 'print', 'api.read', 'GET', '/', 'person', 1000)`)
  return { store, commitSession, commitNotes, recordRequest }
}

test('a read that shows a change shows the earlier ones too, within one iteration of the event loop (8.2)', async () => {
  const { store, commitSession, commitNotes } = await inOneIteration()
  commitSession()
  commitNotes()
  expect(await store.readNote('a')).toBe(2)
  expect(await store.readSession('a')).toMatchObject({ seenAtMs: 9, version: 2 })
  expect(await store.readSessionVersions(['a'])).toEqual([2])
})

test('of several notes that are read together none is older than another (8.2)', async () => {
  const { store, commitNotes } = await inOneIteration()
  expect(await store.readNote('a')).toBe(0)
  commitNotes()
  expect(await store.readNotes(['a', 'b'])).toEqual([2, 2])
})

test('a count that was read later in an iteration makes an earlier one be read again (8.2)', async () => {
  const { store, recordRequest } = await inOneIteration()
  expect(await store.countInFlight('print', ['api.read'], 0)).toBe(0)
  recordRequest()
  expect(await store.countSent('print', ['api.read'], 0)).toBe(1)
  expect(await store.countInFlight('print', ['api.read'], 0)).toBe(1)
})

test('processes that open a new file at once and write together lose no change', async () => {
  expect(await writeTogether(file, 4, 'count', 300)).toHaveLength(1200)
  expect(await openSqlite(file).readNote('counter')).toBe(1200)
})

test('of processes that claim the same names each name goes to one', async () => {
  const lines = await writeTogether(file, 3, 'claim', 300)
  expect(lines).toHaveLength(900)
  const taken = lines.filter((line) => line.endsWith('true'))
  expect([taken.length, new Set(taken).size]).toEqual([300, 300])
})

test('of processes that want the same leases each goes to one, with a fencing number of its own (5.4.4)', async () => {
  const lines = await writeTogether(file, 3, 'lease', 300)
  expect(lines).toHaveLength(900)
  const taken = lines.filter((line) => !line.endsWith('undefined')).map((line) => line.split(' '))
  expect(new Set(taken.map(([name]) => name)).size).toBe(300)
  expect(new Set(taken.map(([, fence]) => fence)).size).toBe(300)
  expect(taken).toHaveLength(300)
})

test('two processes that race for the last five places take five, in each of twenty rounds (8.2)', async () => {
  const lines = await writeTogether(file, 2, 'race', 20)
  expect(lines).toHaveLength(40)
  const taken = Array.from({ length: 20 }, (_, round) =>
    lines
      .filter((line) => line.startsWith(`${round + 1} `))
      .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
  )
  expect(taken).toEqual(Array.from({ length: 20 }, () => 5))
})

test('a process that is killed while it writes loses nothing that was acknowledged', async () => {
  const store = openSqlite(file)
  const countRows = async () => (await store.countByKind('7', 0)).reduce((sum, { count }) => sum + count, 0)
  let known = 0
  // Two rounds of five at once, so that some are killed while they wait for each other.
  for (let round = 0; round < 2; round += 1) {
    const counts = await Promise.all(
      Array.from({ length: 5 }, async (_, nth) => {
        const child = startWriter(file, 'reserve', 1_000_000)
        child.stdin.end()
        let acknowledged = ''
        child.stdout.setEncoding('utf8').on('data', (more: string) => {
          acknowledged += more
          if (acknowledged.length > 300 + 150 * nth) child.kill('SIGKILL')
        })
        expect(await new Promise((done) => child.on('close', (_code, by) => done(by)))).toBe('SIGKILL')
        return linesOf(acknowledged).length
      }),
    )
    const acknowledged = counts.reduce((sum, count) => sum + count, known)
    known = await countRows()
    expect(acknowledged - known).toBeLessThanOrEqual(0)
    // One more of each may be written but not acknowledged.
    expect(known - acknowledged).toBeLessThanOrEqual(5)
  }
  expect(known).toBeGreaterThan(100)
  // The remains of the killed processes block nobody.
  await store.reserve(entry)
})
