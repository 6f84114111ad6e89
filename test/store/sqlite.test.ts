// What only a file can show: several processes, a kill, a full disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'

const WRITER = fileURLToPath(new URL('./_writer.mjs', import.meta.url))
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

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'deep', 'plimsoll.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writers that open the file at the same moment. @returns what they acknowledged */
async function writeTogether(processes: number, job: string, count: number): Promise<string[]> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [WRITER, file, job, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(children.map(({ stdout }) => once(stdout, 'readable')))
  for (const { stdin } of children) stdin.end()
  return linesOf((await Promise.all(children.map(({ stdout }) => text(stdout)))).join(''))
}
const linesOf = (output: string) => output.split('\n').filter((line) => line !== '' && line !== 'ready')
const countRows = async () =>
  (await openSqlite(file).countByKind('7', 0)).reduce((sum, { count }) => sum + count, 0)

test('everything is there after a restart', async () => {
  const store = openSqlite(file)
  await store.writeSession('a', { encrypted: Uint8Array.of(1, 2), endsAtMs: 5000 }, 0)
  await store.claim('a', 0, FAR_MS)
  await store.reserve(entry)
  await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
  await store.changeNote('a', () => ({ limit: 60 }), FAR_MS)
  await store.close()

  const again = openSqlite(file)
  expect(await again.readSession('a')).toEqual({ encrypted: Uint8Array.of(1, 2), endsAtMs: 5000, version: 1 })
  expect(await again.claim('a', 0, FAR_MS)).toBe(false)
  expect(await again.countByKind('7', 0)).toEqual([
    { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
  ])
  expect(await again.readNote('a')).toEqual({ limit: 60 })
})

test('two connections see what the other one wrote at once', async () => {
  const [one, two] = [openSqlite(file), openSqlite(file)]
  await one.writeSession('a', { encrypted: Uint8Array.of(1), endsAtMs: 5000 }, 0)
  expect(await two.writeSession('a', { encrypted: Uint8Array.of(2), endsAtMs: 5000 }, 0)).toBe(false)
  expect(await two.writeSession('a', { encrypted: Uint8Array.of(2), endsAtMs: 5000 }, 1)).toBe(true)
  await two.endSession('a')
  expect(await one.readSession('a')).toBeUndefined()
})

test('processes that open a new file at once and write together lose no change', async () => {
  expect(await writeTogether(4, 'count', 300)).toHaveLength(1200)
  expect(await openSqlite(file).readNote('counter')).toBe(1200)
}, 60_000)

test('of processes that claim the same names each name goes to one', async () => {
  const lines = await writeTogether(3, 'claim', 500)
  expect(lines).toHaveLength(1500)
  const taken = lines.filter((line) => line.endsWith('true'))
  expect([taken.length, new Set(taken).size]).toEqual([500, 500])
}, 60_000)

test('a process that is killed while it writes loses nothing that was acknowledged', async () => {
  const child = spawn(process.execPath, [WRITER, file, 'reserve', '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    acknowledged += more
    if (acknowledged.length > 5000) child.kill('SIGKILL')
  })
  const signal = await new Promise((done) => child.on('close', (_code, by) => done(by)))
  expect(signal).toBe('SIGKILL')
  const count = linesOf(acknowledged.slice(0, acknowledged.lastIndexOf('\n'))).length
  expect(count).toBeGreaterThan(100)
  // The one row more was written, and not yet acknowledged.
  expect(await countRows()).toBeOneOf([count, count + 1])
}, 60_000)

test.runIf(process.platform !== 'win32')(
  'a full disk answers store_unavailable, and what was acknowledged stays',
  async () => {
    // No file may grow beyond this, which SQLite meets as it meets a disk without space.
    const limited = [
      '-c',
      'ulimit -f 4000; exec "$@"',
      'sh',
      process.execPath,
      WRITER,
      file,
      'reserve',
      '1000000',
    ]
    const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = linesOf(await text(child.stdout))
    expect(lines.at(-1)).toMatch(/^failed store_unavailable SQLITE_(FULL|IOERR)/)
    expect(lines.length).toBeGreaterThan(50)
    expect(await countRows()).toBe(lines.length - 1)
  },
  60_000,
)
