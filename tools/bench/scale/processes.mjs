// Requests a second of one, two and four processes over one store, and the cores that they had.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '../speed/open-store.mjs'
import { startPlimsoll } from '../speed/plimsoll.mjs'
import { cpuSeconds, LOAD } from '../speed/process.mjs'
import { startRedis } from '../speed/redis.mjs'
import { table } from '../speed/table.mjs'
import { load, writeScript } from '../speed/wrk.mjs'
import { fillSessions as fillSqlite } from '../_fill-sqlite.mjs'
import { fillSessions as fillRedis } from './fill-redis.mjs'
import { makeSessions } from './sessions.mjs'

export const PROCESSES = [1, 2, 4]
/** More sessions than requests a second: one that asks twice in a second gets the first answer again. */
const SESSIONS = 16_384
const ORGANIZATIONS = 1024
/** The load, the service behind it and Redis share one core. */
const CORES = Array.from({ length: availableParallelism() }, (_, core) => core).filter(
  (core) => core !== LOAD,
)

async function fillStore(url, rows) {
  if (url.startsWith('sqlite')) return fillSqlite(url.slice('sqlite:'.length), rows)
  await (await openStore(url)).close()
  return fillRedis(url, rows)
}

/** @returns requests a second of both loads, checked that paid reads were sent, and Redis' time for each */
async function measure(folder, service, { name, url, count, scripts, seconds, server }) {
  const flags = count === 1 ? [] : ['--workers', String(count)]
  const app = await startPlimsoll(folder, {
    name,
    storeUrl: url,
    serviceUrl: service.url,
    core: CORES.join(),
    flags,
  })
  const rates = {}
  for (const [what, script] of Object.entries(scripts)) {
    await load(app.url, { script, connections: 64, seconds: 1 })
    // Each load has the same sessions, and a repeat within a second would get the earlier answer.
    await wait(1100)
    const [before, sentBefore] = [cpuSeconds(server.pid), await service.sent()]
    const { rate, answered, failed } = await load(app.url, { script, connections: 64, seconds })
    const sent = (await service.sent()) - sentBefore
    if (failed > 0 || (what === 'paid' && sent < 0.98 * answered))
      throw new Error(`${name}: of ${answered} answers ${failed} failed, ${sent} were sent`)
    rates[what] = rate
    rates.engineUs = (1e6 * (cpuSeconds(server.pid) - before)) / answered
  }
  await app.stop()
  return rates
}

const number = (value) => value.toLocaleString('en', { maximumFractionDigits: 0 })

/** @returns rows of `store`, `count`, `paid` and `lookUps` a second, `engineUs` of Redis for a paid read */
export async function measureProcesses(folder, service, { counts = PROCESSES, seconds = 2 } = {}) {
  const server = await startRedis(folder)
  const { rows, asked } = await makeSessions(SESSIONS, { record: '{}', organizations: ORGANIZATIONS })
  const scriptOf = (name, requests) => writeScript(join(folder, `${name}.lua`), requests)
  const scripts = {
    lookUps: scriptOf(
      'look-ups',
      asked.map(({ headers }) => ({ path: '/bff/session', headers })),
    ),
    paid: scriptOf(
      'paid',
      asked.map(({ path, headers }) => ({ path, headers: { ...headers, 'X-Plimsoll-Spend': '1' } })),
    ),
  }
  const results = []
  for (const store of ['SQLite', 'Redis'])
    for (const [nth, count] of counts.entries()) {
      const url = store === 'SQLite' ? `sqlite:${join(folder, `${count}.db`)}` : `${server.url}/${nth}`
      await fillStore(url, rows)
      const options = { name: `${store} ${count}`, url, count, scripts, seconds, server }
      results.push({ store, count, ...(await measure(folder, service, options)) })
    }
  await server.stop()
  return results
}

/** A row whose processes had fewer cores than processes proves nothing about more cores. */
export const processTable = (results) =>
  table(
    [
      'store',
      'processes',
      'cores for them',
      'paid reads/s',
      'to 1',
      'session look-ups/s',
      'to 1',
      'shows more cores',
    ],
    results.map(({ store, count, paid, lookUps }) => {
      const one = results.find((row) => row.store === store)
      const isShown = CORES.length >= count
      return [
        store,
        count,
        Math.min(CORES.length, count),
        number(paid),
        (paid / one.paid).toFixed(2),
        number(lookUps),
        (lookUps / one.lookUps).toFixed(2),
        isShown ? 'yes' : `no: needs ${count + 1}, there are ${CORES.length + 1}`,
      ]
    }),
  )
