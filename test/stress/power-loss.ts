/** A loss of power under load: what the disk has at that moment, as the next start reads it, beside what Redis had acknowledged (docs/redis.md). */
import { setTimeout as wait } from 'node:timers/promises'
import { openRedis } from '../../src/store/redis.ts'
import type { Store } from '../../src/store/store.ts'
import { BUSINESS } from '../_fixture.ts'
import { type RedisServer, startRedis } from '../store/_redis-server.ts'
import { createDiskImage, type DiskImage } from './disk-image.ts'
import { connect, entryIds } from './redis-check.ts'
import type { Report } from './report.ts'

const FULL_LOSSES = 20
const WRITERS = 8
/** The longest time whose acknowledged records a loss of power may take, by `appendfsync`. */
const MOST_LOST_MS = { always: 0, everysec: 2000 }

interface Acknowledged {
  id: string
  atMs: number
}

/** @param losses of power, for each way of writing to the disk */
export async function run(report: Report, losses = FULL_LOSSES): Promise<void> {
  for (const [policy, mostMs] of Object.entries(MOST_LOST_MS)) {
    const disk = createDiskImage()
    const redis = await startRedis('--dir', disk.folder, '--appendfsync', policy)
    try {
      const counts = await lose({ redis, disk, losses })
      const bound: `<= ${number}` = `<= ${mostMs}`
      report.counts(`appendfsync ${policy}`, counts, { losses, 'longest time lost, ms': bound })
    } finally {
      await redis.remove()
      disk.remove()
    }
  }
}

async function lose({ redis, disk, losses }: { redis: RedisServer; disk: DiskImage; losses: number }) {
  const counts = { losses: 0, acknowledged: 0, 'records lost': 0, 'longest time lost, ms': 0 }
  const store = await openRedis(redis.url())
  const [all, over] = [[] as Acknowledged[], new AbortController()]
  const writers = Array.from({ length: WRITERS }, (_, nth) => write(store, `${nth}`, all, over.signal))
  try {
    for (let nth = 0; nth < losses; nth += 1) {
      // At another instant of the second each time.
      await wait(1000 + ((nth * 370) % 1000))
      redis.signal('SIGSTOP')
      const [atMs, known] = [performance.now(), [...all]]
      const left = disk.copy()
      redis.signal('SIGCONT')
      const found = await idsOn(left)
      const lost = known.filter(({ id }) => !found.has(id))
      const oldestMs = Math.min(atMs, ...lost.map((one) => one.atMs))
      counts.losses += 1
      counts.acknowledged = known.length
      counts['records lost'] += lost.length
      counts['longest time lost, ms'] = Math.max(counts['longest time lost, ms'], Math.round(atMs - oldestMs))
    }
  } finally {
    over.abort()
    await Promise.all(writers)
    await store.close()
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
      path: '/organizations/{id}',
      initiator: 'person',
      atMs: Date.now(),
    } as const
    const isWritten = await store.reserve(entry).then(
      () => true,
      () => false,
    )
    if (isWritten) all.push({ id, atMs: performance.now() })
    await wait(5)
  }
}

/** What a Redis finds that starts on the disk; the disk is removed. */
async function idsOn(disk: DiskImage): Promise<Set<string>> {
  const redis = await startRedis('--dir', disk.folder)
  const client = await connect(redis.url())
  try {
    return await entryIds(client)
  } finally {
    client.destroy()
    await redis.remove()
    disk.remove()
  }
}
