// Many event streams on one process: their memory, the time of a change to all, the wait of other requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from './open-store.mjs'
import { addSessions, startPlimsoll } from './plimsoll.mjs'
import { LOAD, residentMegabytes } from './process.mjs'
import { median, table } from './table.mjs'

export const STREAMS = 5000
const PRESSES = 2
const PROCESSES = 3
/** Reads that each process has answered before, because code is slower the first time. */
const WARM_READS = 300

/** Opens the streams of a process that has just started, and presses. */
async function measureProcess(folder, { name, storeUrl, serviceUrl, cookies }) {
  const app = await startPlimsoll(folder, { name, storeUrl, serviceUrl })
  const clients = fork(
    fileURLToPath(new URL('stream-clients.mjs', import.meta.url)),
    [new URL(app.url).port, String(STREAMS), String(PRESSES), String(WARM_READS), cookies],
    { execPath: 'taskset', execArgv: ['-c', String(LOAD), process.execPath] },
  )
  const next = async () => (await once(clients, 'message'))[0]
  await next()
  const before = residentMegabytes(app.pid)
  clients.send('open')
  await next()
  const kilobytes = (1024 * (residentMegabytes(app.pid) - before)) / STREAMS
  clients.send('press')
  const seen = await next()
  await app.stop()
  return { kilobytes, ...seen }
}

export async function measureStreams(folder, service) {
  const storeUrl = `sqlite:${join(folder, 'streams.db')}`
  const store = await openStore(storeUrl)
  const cookies = join(folder, 'stream-cookies')
  writeFileSync(cookies, (await addSessions(store, STREAMS, '{}')).join('\n'))
  await store.close()
  const results = []
  for (let nth = 0; nth < PROCESSES; nth += 1)
    results.push(
      await measureProcess(folder, { name: `streams ${nth}`, storeUrl, serviceUrl: service.url, cookies }),
    )
  const of = (key, digits = 0) => median(results.map((result) => result[key])).toFixed(digits)
  return table(
    [
      'streams',
      'kB each',
      'half show a change, ms after its press was answered',
      '99 % do',
      '99 % do, the first time',
      'never seen',
      'longest wait of another request, ms',
    ],
    [
      [
        STREAMS,
        of('kilobytes', 1),
        of('p50Ms'),
        of('p99Ms'),
        of('firstP99Ms'),
        of('missed'),
        of('longestStallMs'),
      ],
    ],
  )
}
