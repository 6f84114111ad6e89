// node bench/speed/.ab.mjs sqlite|redis ROUNDS SECONDS CONNS WARM name=root[,nodeflags]...
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { startService } from './nginx.mjs'
import { startExpress } from './passed-on.mjs'
import { headersOf } from './headers.mjs'
import { openStore } from './open-store.mjs'
import { addSessions } from './plimsoll.mjs'
import { startRedis } from './redis.mjs'
import { cpuSeconds, residentMegabytes } from './process.mjs'
import { load, writeScript } from './wrk.mjs'
const [kind, R, S, C, W, ...specs] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'ab-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const service = await startService(folder)
const all = []
for (const [nth, spec] of specs.entries()) {
  const [name, rest] = spec.split(/=(.*)/s)
  const [root, ...nodeFlags] = rest.split(',')
  const dir = join(folder, `s${nth}`); mkdirSync(dir)
  if (root === 'express') {
    const running = await startExpress(service)
    all.push({ name, running, script: writeScript(join(folder, `${nth}.lua`), running.cookies.map((cookie) => ({ path: '/api/organizations/2002', headers: { Cookie: cookie } }))), rows: [] })
    continue
  }
  const made = kind === 'redis' ? await startRedis(dir) : { url: `sqlite:${join(dir, 'store.db')}`, async stop() {} }
  const store = await openStore(made.url)
  const cookies = await addSessions(store, 8192, '{}')
  await store.close()
  const { startPlimsoll } = await import(pathToFileURL(join(root, 'bench/speed/plimsoll.mjs')).href)
  const running = await startPlimsoll(folder, { name: `p${nth}`, storeUrl: made.url, serviceUrl: service.url, nodeFlags })
  const script = writeScript(join(folder, `${nth}.lua`), cookies.map((cookie) => ({ path: '/api/organizations/2002', headers: { ...headersOf(cookie), 'X-Plimsoll-Spend': '1' } })))
  all.push({ name, running, made, script, rows: [] })
}
const one = async ({ running, script }, seconds) => {
  const before = cpuSeconds(running.pid)
  const r = await load(running.url, { script, connections: Number(C), seconds })
  if (r.failed) throw new Error(`failed ${r.failed}`)
  return { ...r, cpuUs: 1e6 * (cpuSeconds(running.pid) - before) / r.answered }
}
for (const a of all) await one(a, Number(W))
const median = (v) => v.toSorted((a, b) => a - b)[Math.floor(v.length / 2)]
for (let r = 0; r < Number(R); r++) for (const a of r % 2 ? [...all].reverse() : all) a.rows.push(await one(a, Number(S)))
for (const a of all) console.log(a.name.padEnd(10), 'rate', median(a.rows.map((x) => x.rate)).toFixed(0), 'cpu', median(a.rows.map((x) => x.cpuUs)).toFixed(0), 'p50', median(a.rows.map((x) => x.p50Ms)).toFixed(2), 'p99', a.rows.map((x) => x.p99Ms.toFixed(0)).join(' '), 'rss', residentMegabytes(a.running.pid).toFixed(0))
for (const a of all.slice(1)) console.log(a.name, 'beside', all[0].name, 'cpu', median(a.rows.map((x, i) => x.cpuUs / all[0].rows[i].cpuUs)).toFixed(3), 'rate', median(a.rows.map((x, i) => x.rate / all[0].rows[i].rate)).toFixed(3))
for (const a of all) { await a.running.stop(); await a.made?.stop() }
await service.stop()
