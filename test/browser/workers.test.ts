// Several processes over one store and one port (`npm start -- --workers N`), also when some cannot start.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../_extent.ts'
import { readEvents } from '../kit/events.ts'
import { findProgram } from '../kit/program.ts'
import { until } from '../kit/until.ts'
import { findPostgres, startPostgres } from '../store/_postgres-server.ts'
import { childrenOf } from './_children.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { ask, openTokenService, signIn } from '../kit/service.ts'

/** One that listened, and the five failures after which a start is given up. */
const MANY = 6

/** It may have ended by itself. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function openWorkers(extra: Record<string, string> = {}) {
  const running = await openApp({ ...(await openTokenService()), ...extra }, ['--workers', '2'])
  const pid = running.child().pid ?? 0
  const [killed = 0, left = 0] = childrenOf(pid)
  const linesWith = (event: string) =>
    running
      .output()
      .split('\n')
      .filter((line) => line.includes(`"event":"${event}"`))
  const metrics = async () => (await fetch(`${running.operationsUrl}/metrics`)).text()
  /** Fails at once if the first process has ended. Each end has the patience of a wait. */
  const untilEnded = async (workers: number) => {
    for (let ended = 1; ended <= workers; ended += 1)
      await until(() => {
        expect([running.child().exitCode, running.output()]).toEqual([null, expect.anything()])
        return linesWith('worker_ended').length >= ended
      })
  }
  const servedBy = async (count: number) => {
    const from = running.output().length
    for (let asked = 0; asked < 8; asked += 1) expect(await ask(`${running.url}/bff/quota`)).toBe(401)
    const lines = running.output().slice(from)
    return new Set(lines.match(/"worker":\d+,"event":"request"/g)).size === count
  }
  /** Both processes take requests, and log and metrics have said it. */
  const untilTwoListen = async () => {
    await until(() => linesWith('workers_recovered').length === 1)
    expect(linesWith('workers_degraded')).toHaveLength(1)
    expect(childrenOf(pid)).toHaveLength(2)
    await until(() => servedBy(2))
    expect(await metrics()).toContain('\nplimsoll_degraded_workers 0\n')
  }
  return { running, pid, killed, left, linesWith, metrics, untilEnded, untilTwoListen }
}

test.each(IS_WHOLE ? ['both workers'] : [])(
  'when %s are killed and none can start, the app waits and listens again (operations)',
  async () => {
    const { running, pid, metrics, linesWith, untilTwoListen } = await openWorkers()
    while (linesWith('worker_ended').length < MANY) {
      for (const child of childrenOf(pid)) kill(child)
      expect((await fetch(`${running.operationsUrl}/healthz`)).status).toBe(200)
    }
    expect((await fetch(`${running.operationsUrl}/readyz`)).status).toBe(503)
    expect(await metrics()).toContain('\nplimsoll_degraded_workers 2\n')
    await untilTwoListen()
  },
)

test('two workers serve one session; a killed one is replaced, and a stop ends all (5.4)', async () => {
  const settings = { ...(await openTokenService()), PLIMSOLL_CLIENT_SECRET: 'canary-of-the-operator' }
  const running = await openApp(settings, ['--workers', '2'])
  const pid = running.child().pid ?? 0
  const { reply, call } = await signIn(running, '7')
  expect(reply.status).toBe(201)

  const workersThatServe = async () => {
    const from = running.output().length
    for (let asked = 0; asked < 8; asked += 1) expect(await ask(`${running.url}/bff/quota`)).toBe(401)
    const lines = running.output().slice(from)
    return [...new Set(lines.match(/"worker":\d+/g) ?? [])].toSorted()
  }
  await expect.poll(workersThatServe).toEqual(['"worker":1', '"worker":2'])
  const [first] = childrenOf(pid)
  process.kill(first ?? 0, 'SIGKILL')
  await expect.poll(() => running.output()).toMatch(/"worker_ended","cause":"worker \d ended: SIGKILL"/)
  expect((await call('/api/organizations/7')).status).toBe(200)
  await expect.poll(workersThatServe).toContain('"worker":3')
  expect((await call('/api/organizations/7', '1')).status).toBe(200)

  const workers = childrenOf(pid)
  expect(workers).toHaveLength(2)
  for (const worker of workers)
    expect(readFileSync(`/proc/${worker}/cmdline`, 'utf8')).not.toContain('canary-of-the-operator')
  // As from a terminal, where all of them get the signal.
  for (const each of [pid, ...workers]) process.kill(each, 'SIGINT')
  expect(await running.ended()).toBe(0)
  await expect.poll(() => childrenOf(pid)).toEqual([])
  expect(running.output().match(/is open at/g)).toHaveLength(1)
})

// The run reports that PostgreSQL is missing.
test.each(IS_WHOLE && findPostgres() !== undefined ? ['PostgreSQL'] : [])(
  'a killed worker over a %s that is away takes no other down, and is replaced later (operations)',
  async () => {
    const server = await startPostgres()
    endLater(() => server.remove())
    const app = await openWorkers({ PLIMSOLL_STORE: server.url() })
    const { running, pid, killed, left, linesWith, metrics, untilEnded, untilTwoListen } = app
    const { call } = await signIn(running, '7')
    const opened = await Promise.all(Array.from({ length: 8 }, () => call('/bff/events')))
    const streams = opened.map(({ body }) => readEvents(body))
    await until(() => streams.every(({ received }) => received.length > 0))

    await server.stop()
    kill(killed)
    await untilEnded(MANY)
    const open = streams.filter(({ isClosed }) => !isClosed())
    // The system shares the connections out, not always in halves.
    expect(open.length).toBeGreaterThan(0)
    expect(childrenOf(pid)).toContain(left)
    for (let asked = 0; asked < 20; asked += 1) expect(await ask(`${running.url}/bff/quota`)).toBe(401)
    expect((await call('/bff/quota')).status).toBe(503)
    expect(linesWith('workers_degraded').join()).toMatch(/1 of 2 .*PostgreSQL server \S+ cannot be used/)
    expect(await metrics()).toContain('\nplimsoll_degraded_workers 1\n')

    await server.start()
    await untilTwoListen()
    const before = open.map(({ received }) => received.length)
    expect((await call('/api/organizations/7', '1')).status).toBe(200)
    await until(() => open.every(({ received }, at) => received.length > (before[at] ?? 0)))
    expect(open.some(({ isClosed }) => isClosed())).toBe(false)
  },
)

test.each(IS_WHOLE ? ['as they start'] : [])(
  'while replacements are killed %s, the worker that is left answers all (operations)',
  async () => {
    const { running, pid, killed, left, linesWith, untilEnded, untilTwoListen } = await openWorkers()
    kill(killed)
    // Until then the first process may pass a connection to the worker that was killed.
    await untilEnded(1)
    while (linesWith('worker_ended').length < MANY) {
      for (const child of childrenOf(pid)) if (child !== left) kill(child)
      expect([running.child().exitCode, await ask(`${running.url}/bff/quota`)]).toEqual([null, 401])
    }
    await untilTwoListen()
    expect(childrenOf(pid)).toContain(left)
  },
)

test.each(IS_WHOLE && findProgram(['prlimit']) !== undefined ? ['a replacement'] : [])(
  'a first process that can open no file for %s goes on, and starts one later (operations)',
  async () => {
    const { pid, killed, left, linesWith, untilEnded, untilTwoListen } = await openWorkers()
    const limit = (files: number) =>
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`], { stdio: 'inherit' })
    limit(readdirSync(`/proc/${pid}/fd`).length - 4)
    kill(killed)
    await untilEnded(3)
    expect(linesWith('workers_degraded').join()).toContain('EMFILE')
    expect(childrenOf(pid)).toEqual([left])
    limit(4096)
    await untilTwoListen()
  },
)
