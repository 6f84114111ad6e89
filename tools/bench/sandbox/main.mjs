// The sandbox beside a bare node:http server: a read and a refresh, at its start and 8,000 refreshes later.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuSeconds, residentMegabytes } from '../speed/process.mjs'
import { compare, rounds } from '../speed/table.mjs'
import { load, writeScript } from '../speed/wrk.mjs'
import { writeRefreshScript } from './refresh-script.mjs'
import { refresh, signIn, startBare, startSandbox } from './service.mjs'

const CONNECTIONS = 64
const ROUNDS = { count: 3, seconds: 1 }
const REFRESHES = 8000
/** The length of the warm-up, in which the code is compiled on the same core. */
const WARM_SECONDS = 3
/** The wait until the state is saved and the process is idle. */
const IDLE_AFTER_MS = 400

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const scriptOf = (name) => join(folder, `${name}.lua`)
const refreshTokens = async ({ url }) =>
  (await signIn(url, 2 * CONNECTIONS)).map(({ refresh_token: token }) => token)

const bearerOf = async ({ url }) => {
  const [{ access_token: token }] = await signIn(url, 1)
  return { Authorization: `Bearer ${token}` }
}

let seconds = WARM_SECONDS

const loadOf = (running, prepare) => async () => {
  const script = await prepare()
  await wait(IDLE_AFTER_MS)
  const before = cpuSeconds(running.pid)
  const result = await load(running.url, { script, connections: CONNECTIONS, seconds })
  if (result.failed > 0) throw new Error(`${running.url}: ${result.failed} failed`)
  return { ...result, cpuUs: (1e6 * (cpuSeconds(running.pid) - before)) / result.answered }
}

const readsOf = (name, running, headers) => async () =>
  writeScript(scriptOf(name), [{ path: '/organizations', headers: await headers() }])
const refreshesOf = (name, running) => async () =>
  writeRefreshScript(scriptOf(name), await refreshTokens(running))

async function refreshOften({ url }) {
  const tokens = await refreshTokens({ url })
  await Promise.all(
    tokens.map(async (token) => {
      let current = token
      for (let nth = 0; nth < REFRESHES / tokens.length; nth += 1)
        current = (await (await refresh(url, current)).json()).refresh_token
    }),
  )
}

// Reads add no token to the first; the second is emptied before each round of refreshes.
const fresh = await startSandbox(folder, 'fresh')
const emptied = await startSandbox(folder, 'emptied')
const aged = await startSandbox(folder, 'aged')
const megabytes = () => `${residentMegabytes(aged.pid).toFixed(0)} MB`
const memory = [`at its start ${megabytes()}`]
await refreshOften(aged)
memory.push(`after ${REFRESHES.toLocaleString('en')} refreshes ${megabytes()}`)

const bearer = await bearerOf(aged)
const [token] = await refreshTokens(aged)
const bareRead = await startBare(
  folder,
  'read',
  await fetch(`${aged.url}/organizations`, { headers: bearer }),
)
const bareRefresh = await startBare(folder, 'refresh', await refresh(aged.url, token))
const freshBearer = await bearerOf(fresh)
let refreshes = 0
const loads = {
  'node:http, the same read': loadOf(
    bareRead,
    readsOf('bare-read', bareRead, () => bearer),
  ),
  'a read, at age 0': loadOf(
    fresh,
    readsOf('read', fresh, () => freshBearer),
  ),
  'a read, later': loadOf(
    aged,
    readsOf('aged-read', aged, () => bearer),
  ),
  'node:http, the same refresh': loadOf(bareRefresh, async () =>
    writeRefreshScript(
      scriptOf('bare-refresh'),
      Array.from({ length: 2 * CONNECTIONS }, () => token),
    ),
  ),
  'a refresh, at age 0': loadOf(emptied, async () => {
    await emptied.reset()
    return refreshesOf('refresh', emptied)()
  }),
  'a refresh, later': async () => {
    const result = await loadOf(aged, refreshesOf('aged-refresh', aged))()
    refreshes += result.answered
    return result
  },
}
await rounds(1, loads)
seconds = ROUNDS.seconds
const results = await rounds(ROUNDS.count, loads)
memory.push(`after ${refreshes.toLocaleString('en')} more ${megabytes()}`)
for (const running of [fresh, emptied, aged, bareRead, bareRefresh]) await running.stop()
console.log(
  `\nThe sandbox, ${CONNECTIONS} connections: medians of ${ROUNDS.count} rounds of ${ROUNDS.seconds} s\n`,
)
console.log(compare(results, ['node:http, the same read', 'node:http, the same refresh']))
console.log(`\nResident: ${memory.join(', ')}`)
