// Many event streams on one process: what each needs, when all have seen a change, and whether other requests wait for it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from './open-store.mjs'
import { addSessions, startPlimsoll } from './plimsoll.mjs'
import { LOAD, residentMegabytes } from './process.mjs'
import { table } from './table.mjs'

const STREAMS = 5000
const PRESSES = 5

export async function measureStreams(folder, service) {
  const storeUrl = `sqlite:${join(folder, 'streams.db')}`
  const store = await openStore(storeUrl)
  const cookies = await addSessions(store, STREAMS, '{}')
  await store.close()
  const file = join(folder, 'stream-cookies')
  writeFileSync(file, cookies.join('\n'))
  const app = await startPlimsoll(folder, { name: 'streams', storeUrl, serviceUrl: service.url })
  const clients = fork(
    fileURLToPath(new URL('stream-clients.mjs', import.meta.url)),
    [new URL(app.url).port, String(STREAMS), String(PRESSES), file],
    { execPath: 'taskset', execArgv: ['-c', String(LOAD), process.execPath] },
  )
  const next = async () => (await once(clients, 'message'))[0]
  await next()
  const before = residentMegabytes(app.pid)
  clients.send('open')
  await next()
  const kilobytes = (1024 * (residentMegabytes(app.pid) - before)) / STREAMS
  clients.send('press')
  const { p50Ms, p99Ms, missed, longestStallMs } = await next()
  await app.stop()
  const ms = (value) => value.toFixed(0)
  return table(
    [
      'streams',
      'kB each',
      'half show a change, ms after its press was answered',
      '99 % do',
      'never seen',
      'longest wait of another request, ms',
    ],
    [[STREAMS, kilobytes.toFixed(1), ms(p50Ms), ms(p99Ms), missed, ms(longestStallMs)]],
  )
}
