// The app with numbered calls of store and upstream: it kills itself at one, or its store fails for a while.
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createBff } from '../../src/bff/bff.ts'
import type { BffConfig, Upstream } from '../../src/bff/core/context.ts'
import { createUpstream } from '../../src/bff/service/upstream.ts'
import { Problem } from '../../src/contract/problem.ts'
import { readSettings } from '../../src/serve/settings/settings.ts'
import { closeServer, listen } from '../../src/serve/http/listener.ts'
import { log } from '../../src/serve/observe/log.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store, Tables } from '../../src/store/store.ts'
import type { StepFault } from './journey.ts'

const fault = JSON.parse(process.env['STRESS_FAULT'] ?? '{}') as StepFault
let steps = 0
const callsOf = new Map<string, number>()
let failsUntilMs = 0

/** Not through a stream, because the text must be written before the process is killed. */
const write = (line: string) => void writeSync(1, `${line}\n`)

/** Numbers a call, notes its beginning and its end, and kills the process at the one that is asked for. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const number = (steps += 1)
  callsOf.set(name, (callsOf.get(name) ?? 0) + 1)
  const isNth = fault.killAtCall?.call === name && fault.killAtCall.nth === callsOf.get(name)
  const isLast = isNth || fault.kill?.step === number
  const when = isNth ? fault.killAtCall?.when : fault.kill?.when
  if (isLast && when === 'before') die(`killed before ${number} ${name}`)
  write(`before ${number} ${name}`)
  const result = await work()
  if (isLast) die(`killed after ${number} ${name} ${result === false ? 'refused' : 'done'}`)
  write(`after ${number} ${name} ${result === false ? 'refused' : 'done'}`)
  return result
}

function die(line: string): void {
  write(line)
  process.kill(process.pid, 'SIGKILL')
}

/** The commit of a transaction is its step. A call in it shows what it does. */
const STEPS: Partial<Record<keyof Store, string>> = { addEntry: 'begin', settle: 'finish' }

const inTransaction =
  (store: Store): Store['transaction'] =>
  async (work) => {
    let name = 'transaction'
    const result = await store.transaction((tables) =>
      work(numbered(tables, (call) => (name = STEPS[call] ?? name))),
    )
    return step(name, async () => result)
  }

function numbered<Of extends Tables>(store: Of, onCall: (name: keyof Store) => unknown = () => {}): Of {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'transaction') return inTransaction(target as unknown as Store)
      const method = (target as unknown as Store)[name] as (...all: unknown[]) => Promise<unknown>
      return (...all: unknown[]) =>
        step(name, async () => {
          onCall(name)
          const isWrite = !/^(read|count|list|close)/.test(name)
          if (isWrite && Date.now() < failsUntilMs) throw new Problem('store_unavailable')
          return method.apply(target, all)
        })
    },
  })
}

const numberedUpstream =
  (send: Upstream): Upstream =>
  async (request, deadlineMs) => {
    const { pathname } = new URL(request.url)
    const body = await request.text()
    const isRefresh = body.includes('refresh_token')
    return step(`upstream ${pathname} ${isRefresh ? 'refresh' : 'other'}`, async () => {
      const response = await send(
        { method: request.method, url: request.url, headers: request.headers, text: async () => body },
        deadlineMs,
      )
      if (isRefresh && fault.failWritesMs !== undefined) failsUntilMs = Date.now() + fault.failWritesMs
      return response
    })
  }

const settings = readSettings(process.env)
const store =
  settings.store.kind === 'postgres'
    ? await openPostgres(settings.store.url)
    : openSqlite(settings.store.path)
const upstream = createUpstream()
const bff = createBff({
  config: settings as BffConfig,
  store: numbered(store),
  upstream: numberedUpstream(upstream.send),
  now: () => Date.now(),
  wait: (ms) => wait(ms),
  log,
})
const { port, host } = settings
const server = await listen(bff.fetch, { port, host, portSetting: 'a port', hostSetting: 'a host' })
write('is open at its port')
process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await closeServer(server)
  await bff.drain()
  await upstream.close()
  await store.close()
  process.exit(0)
}
