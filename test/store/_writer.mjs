// Opens a store after the end of its input, and acknowledges each write on its output.
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [path, job, count] = process.argv.slice(2)
const isServer = path.startsWith('postgres:')
const engine = isServer ? 'postgres' : 'sqlite'
const source = fileURLToPath(new URL(`../../src/store/${engine}/${engine}.ts`, import.meta.url))
/** Resolves when the line has left this process. */
const say = (line) => new Promise((said) => process.stdout.write(`${line}\n`, said))

const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })
await say('ready')
await text(process.stdin)
const store = isServer ? await module.openPostgres(path) : module.openSqlite(path)
const FAR_MS = 4e12
const PLACES = 5

const entry = (id, organization, atMs) => ({
  id,
  press: id,
  organization,
  token: organization,
  kind: 'api.read',
  method: 'GET',
  path: '/organizations',
  initiator: 'person',
  atMs,
})

/** Ten calls at once want the last places of a round. @returns how many of them got one */
async function race(round) {
  const organization = `${round}`
  const take = (nth) =>
    store.transaction(async (tables) => {
      await tables.lock(`organization ${organization}`)
      const [counts, [inFlight]] = await Promise.all([
        tables.countByKind(organization, 0),
        tables.countInFlight([organization], ['api.read'], 0),
      ])
      const counted = counts.reduce((sum, { count }) => sum + count, 0)
      if (counted !== inFlight) throw new Error(`counted ${counted}, in flight ${inFlight}`)
      if (inFlight >= PLACES) throw new RangeError('none left')
      await tables.addEntry(entry(`${round} ${process.pid} ${nth}`, organization, nth))
    })
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, nth) => take(nth)))
  const wrong = results.find(({ reason }) => reason && !(reason instanceof RangeError))
  if (wrong) throw wrong.reason
  return results.filter(({ status }) => status === 'fulfilled').length
}

const jobs = {
  reserve: (n) => store.addEntry(entry(`entry-${process.pid}-${n}`, '7', n)),
  count: () => store.changeNote('counter', (known) => (known ?? 0) + 1, FAR_MS),
  race,
  // 22 November 2026.
  sweep: () => store.sweep(Date.UTC(2026, 10, 22)),
}

try {
  for (let n = 1; n <= Number(count); n += 1) await say(`${n} ${await jobs[job](n)}`)
} catch (error) {
  await say(`failed ${error.code} ${error.cause?.code ?? error.message}`)
}
// A file needs no closing, but a connection would keep the process running.
if (isServer) await store.close()
