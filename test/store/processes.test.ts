// Several processes over one database, and kills.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { foldedBeforeMs } from '../../src/store/engine/sweep.ts'
import type { Store } from '../../src/store/store.ts'
import { DATABASES, entry, openDatabase, readNote } from '../kit/stores.ts'
import { linesOf, startWriter, writeTogether } from './_processes.ts'

/** As `_writer.mjs` sweeps. */
const NOW_MS = Date.UTC(2026, 10, 22)
const OLD_MS = foldedBeforeMs(NOW_MS) - 1
const DAY_MS = 86_400_000

describe.each(DATABASES)('%s', (_name, make) => {
  let where: string
  const opened: Store[] = []
  beforeEach(async () => {
    where = await make()
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  const open = async (): Promise<Store> => {
    const store = await openDatabase(where)
    opened.push(store)
    return store
  }

  test('processes that open a new file at once and write together lose no change', async () => {
    expect(await writeTogether(where, 4, 'count', 300)).toHaveLength(1200)
    expect(await readNote(await open(), 'counter')).toBe(1200)
  })

  test('two processes that race for the last five places take five, in each of twenty rounds (8.2)', async () => {
    const lines = await writeTogether(where, 2, 'race', 20)
    expect(lines).toHaveLength(40)
    const taken = Array.from({ length: 20 }, (_, round) =>
      lines
        .filter((line) => line.startsWith(`${round + 1} `))
        .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
    )
    expect(taken).toEqual(Array.from({ length: 20 }, () => 5))
  })

  test('a process that is killed while it writes loses nothing that was acknowledged', async () => {
    const store = await open()
    const countRows = async () => (await store.countByKind('7', 0)).reduce((sum, { count }) => sum + count, 0)
    let known = 0
    // Two rounds of five at once, so that some are killed while they wait for each other.
    for (let round = 0; round < 2; round += 1) {
      const counts = await Promise.all(
        Array.from({ length: 5 }, async (_, nth) => {
          const child = startWriter(where, 'reserve', 1_000_000)
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
      // A server may still commit what a killed process has sent: one of each.
      await expect.poll(countRows).toBeGreaterThanOrEqual(acknowledged)
      await delay(200)
      known = await countRows()
      expect(known - acknowledged).toBeLessThanOrEqual(5)
    }
    expect(known).toBeGreaterThan(100)
    // The remains of the killed processes block nobody.
    await store.addEntry(entry('after'))
  })

  test('a process that is killed while it folds counts no row twice and loses none (8.3)', async () => {
    const store = await open()
    for (let nth = 0; nth < 1500; nth += 1)
      await store.addEntry(entry(`${nth}`, { atMs: OLD_MS - (nth % 3) * DAY_MS }))
    const rows = async () => (await store.listEntries('7', { sinceMs: 0, most: 5000 }))?.length ?? 0
    const days = await store.countByDay('7', 0)
    const child = startWriter(where, 'sweep', 1)
    const ended = once(child, 'close')
    child.stdin.end()
    while (child.exitCode === null && (await rows()) === 1500) await delay(1)
    child.kill('SIGKILL')
    await ended
    await expect.poll(async () => (await rows()) % 500).toBe(0)
    expect(await store.countByDay('7', 0)).toEqual(days)
    expect(days.map(({ count }) => count)).toEqual([500, 500, 500])
    await store.sweep(NOW_MS)
    expect(await rows()).toBe(0)
    expect(await store.countByDay('7', 0)).toEqual(days)
  })

  test('a change by another process is heard of', async () => {
    const store = await open()
    let calls = 0
    await store.watch(['organization 7'], () => (calls += 1))
    const writer = startWriter(where, 'reserve', 1)
    writer.stdin.end()
    await expect.poll(() => calls).toBe(1)
  })
})
