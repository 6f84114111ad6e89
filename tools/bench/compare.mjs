// Paid reads and stored copies beside other servers, in one run; then open pages. Each server has one core.
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { cpuSeconds, kit, LOAD_CORE, measure, pin } from './_measurement.mjs'
import { startExpress, startFastify, startNginx } from './_peers.mjs'
import { RECORD, startPlimsoll, startService } from './_plimsoll.mjs'
import { measureStreams } from './_streams.mjs'
import { median, number, report } from './_table.mjs'

const CONNECTIONS = 64
/** More than paid reads a second: a person who reads twice in a second gets the first answer again. */
const PEOPLE = 4096
/** Servers take turns, so that other load of the machine affects all of them. */
const [ROUNDS, SECONDS, WARM_SECONDS] = [5, 3, 20]
/** A server still works on the requests that the end of a load has cut off. */
const IDLE_AFTER_MS = 500
/** The least share of answers that were sent; the others joined a running request. */
const LEAST_SENT = 0.98
const PATH = `/api/organizations/${kit.BUSINESS}`
const PAID = { 'X-Plimsoll-Spend': '1' }

/** Each connection asks for its own people in turn. */
async function load({ url, pid, headers, extra = {} }, seconds) {
  const requests = headers.map((own) => ({ path: PATH, headers: { ...own, ...extra } }))
  const share = Math.max(1, requests.length / CONNECTIONS)
  let nth = 0
  const before = cpuSeconds(pid)
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient(client) {
      const from = (nth * share) % requests.length
      client.setRequests(requests.slice(from, from + share))
      nth += 1
    },
  })
  const { non2xx, errors, latency, duration } = result
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} errors`)
  return {
    answered: result['2xx'],
    rate: result['2xx'] / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuUs: (1e6 * (cpuSeconds(pid) - before)) / result['2xx'],
  }
}

/** A load of which each request is sent, unless `isCopy`. */
async function checkedLoad(server, service, seconds) {
  service.asked.length = 0
  const result = await load(server, seconds)
  const sent = service.asked.length
  if (!server.isCopy && sent < LEAST_SENT * result.answered)
    throw new Error(`${server.url}: ${result.answered} answers, of which ${sent} were sent`)
  await wait(IDLE_AFTER_MS)
  return result
}

async function startAll(service) {
  const [nginx, postgres] = [kit.findProgram(['nginx']), kit.findPostgres()]
  if (nginx === undefined) console.log('NOT RUN: nginx is missing')
  if (postgres === undefined) console.log('NOT RUN: PostgreSQL is missing')
  const plimsoll = await startPlimsoll(service, PEOPLE)
  const servers = {
    ...(nginx && { 'nginx proxy_pass': await startNginx(nginx, service.url) }),
    'express, express-session, http-proxy-middleware': await startExpress(service.url),
    'Plimsoll, SQLite': { ...plimsoll, extra: PAID },
    ...(postgres && { 'Plimsoll, PostgreSQL': { ...(await startOverPostgres(service)), extra: PAID } }),
    'fastify, from memory': { ...(await startFastify(RECORD)), isCopy: true },
    'Plimsoll, the stored copy': { ...plimsoll, headers: firstOfEach(plimsoll.headers), isCopy: true },
  }
  return { plimsoll, servers }
}

/** The people whom the warm-up has certainly read for. */
const firstOfEach = (headers) => headers.filter((_, nth) => nth % (PEOPLE / CONNECTIONS) === 0)

async function startOverPostgres(service) {
  const server = await kit.startPostgres()
  kit.endLater(server.remove)
  return startPlimsoll(service, PEOPLE, { PLIMSOLL_STORE: server.url() })
}

function reportComparison(results) {
  const peers = Object.keys(results).filter((name) => !name.startsWith('Plimsoll'))
  const rateOf = (name) => median(results[name].map(({ rate }) => rate))
  const rows = Object.entries(results).map(([name, rounds]) => {
    const of = (key) => number(median(rounds.map((round) => round[key])))
    const rates = rounds.map(({ rate }) => rate)
    const spread = number(Math.max(...rates) / Math.min(...rates), 2)
    const isCopy = /memory|copy/.test(name)
    const ratios = peers.map((peer) =>
      /memory/.test(peer) === isCopy ? number(rateOf(name) / rateOf(peer), 2) : '',
    )
    return [name, of('rate'), spread, of('p50Ms'), of('p99Ms'), of('cpuUs'), ...ratios]
  })
  const beside = peers.map((name) => `beside ${name.split(/[ ,]/)[0]}`)
  report('compare', ['what', 'requests/s', 'spread', 'p50 ms', 'p99 ms', 'CPU µs each', ...beside], rows)
}

await measure(async () => {
  pin(process.pid, LOAD_CORE)
  const service = await startService()
  const { plimsoll, servers } = await startAll(service)
  const results = Object.fromEntries(Object.keys(servers).map((name) => [name, []]))
  for (const server of Object.values(servers)) await checkedLoad(server, service, WARM_SECONDS)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, server] of Object.entries(servers))
      results[name].push(await checkedLoad(server, service, SECONDS))
  reportComparison(results)
  await measureStreams(plimsoll, PATH, PAID)
})
