// Several processes over one store and one port: `npm start -- --workers N`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { SignedOut } from '../../src/contract/session.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { childrenOf } from './_children.ts'
import { ask, PAGE, signIn } from '../kit/service.ts'
import { freePort, run, startAppProcess } from '../kit/app-process.ts'
import { openTokenService } from '../kit/service.ts'

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

test('the workers share the sandbox of the process that started them (5.1.5)', async () => {
  const running = await openApp({}, ['--workers', '2'])
  const headers = { ...PAGE, 'Content-Type': 'application/json' }
  const signedOut = (await (await fetch(`${running.url}/bff/session`, { headers: PAGE })).json()) as SignedOut
  expect(signedOut.sandbox?.organizations.map(({ id }) => id)).toEqual(['1001', '2002'])
  const body = JSON.stringify({ api_key: running.sandboxState().api_keys[0]?.value })
  expect((await fetch(`${running.url}/bff/session`, { method: 'POST', headers, body })).status).toBe(201)
  expect(running.output()).toContain('The service is the sandbox at')
})

test('an error of the settings and a port that is in use are reported once (settings)', async () => {
  const refused = await run({ PLIMSOLL_PORT: 'eighty' }, ['--workers', '4'])
  await expect.poll(refused.exitCode).toBe(1)
  expect(refused.output().match(/PLIMSOLL_PORT/g)).toHaveLength(1)

  const [port, sandbox, operations] = [await freePort(), await freePort(), await freePort()]
  const other = createServer().listen(port, '127.0.0.1')
  endLater(() => other.close())
  const running = startAppProcess(
    {
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_SANDBOX_PORT: String(sandbox),
      PLIMSOLL_OPERATIONS_PORT: String(operations),
    },
    ['--workers', '2'],
  )
  const message = await running.then(
    () => '',
    (error: Error) => error.message,
  )
  expect(message).toBe(`Port ${port} on 127.0.0.1 is in use. Choose another one with PLIMSOLL_PORT.\n`)
})
